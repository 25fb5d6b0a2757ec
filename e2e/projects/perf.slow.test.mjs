/**
 * Runs `npm run perf` in a scaffolded project: its output, its records, and its failures. The runs are a few rounds of
 * one workload, so their figures mean nothing. Most runs use one runtime by its address, because the start of a runtime
 * takes longer than a run.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { outcomeOf, start, stopAll } from '../../harness/guarded-process.mjs';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const SHORT = ['--rounds', '2', '--only', '10 reads in flight'];

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'perf-test-')));
const project = join(root, 'shop');
const recordFile = join(project, 'PERFORMANCE.md');

/** @typedef {{ low: number, high: number, value: number }} Ratio */
/** @typedef {{ workload: string, contender: string, ratio: Ratio, toEmpty?: Ratio }} Figure */
/** @typedef {{ time: string, commit: string, description: string, configuration: any, figures: Figure[] }} Entry */

/** The sources of the performance test. The package that is built from them does not export these parts. */
const engine = (/** @type {string} */ path) => import(join(REPOSITORY, 'runtime/src/perf', path));
const { findEntry, record } = await engine('report/record.ts');
const { startRuntime } = await engine('run/runtime.ts');
const records = {
  record: (/** @type {any} */ one, /** @type {string} */ description) =>
    record(project, one, description),
  findEntry: (/** @type {string} */ which) => findEntry(project, which),
};
/** @type {import('../../runtime/src/perf/run/runtime.ts').Runtime} */
let deployed;
/** @type {string[]} */
let there;

beforeAll(async () => {
  const scaffolder = join(REPOSITORY, 'scaffolder/index.mjs');
  execFileSync(process.execPath, [scaffolder, project, '--yes', '--no-install', '--no-git']);
  git('init', '--quiet');
  commitAll('First');
  // The project finds most packages in the repository, and this package in its own folder.
  fs.mkdirSync(join(project, 'node_modules'));
  for (const name of fs.readdirSync(join(REPOSITORY, 'node_modules'))) {
    if (name === 'lumenize-rpc' || name === '.bin') continue;
    const target = join(REPOSITORY, 'node_modules', name);
    fs.symlinkSync(target, join(project, 'node_modules', name));
  }
  fs.symlinkSync('../vendor/lumenize-rpc', join(project, 'node_modules/lumenize-rpc'));
  deployed = await startRuntime('workerd', project);
  there = ['--url', `${deployed.url}/`];
});

afterAll(async () => {
  await deployed?.stop();
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

test('wrong usage ends with 2 and an explanation', async () => {
  const { code, out, err } = await perf('--fast');
  expect(code).toBe(2);
  expect(err).toContain("'--fast'");
  expect(err).toContain('npm run perf -- [options]');
  expect(out).toBe('');
});

test('--help ends with 0', async () => {
  const { code, out } = await perf('--help');
  expect(code).toBe(0);
  expect(out).toContain('npm run perf -- [options]');
});

describe('a run that is impossible ends with 1, before anything is measured', () => {
  test.each([
    ['--check without an entry', ['--check'], 'no entry latest'],
    ['a chart in a missing folder', ['--svg', 'no/such/folder.svg'], 'no/such/folder.svg'],
    [
      'nothing at the address',
      ['--url', 'http://127.0.0.1:9'],
      "no copy of the performance test's worker at http://127.0.0.1:9",
    ],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await perf(...args);
    expect(code, err).toBe(1);
    expect(err).toContain(message);
    expect(out).toBe('');
  });

  test.each([
    ['a ref that does not exist', 'v9.9'],
    ['a ref without the file', 'HEAD'],
    ['an option of git', '--output=x'],
  ])('an entry to compare with that is %s', (_, which) => {
    expect(() => records.findEntry(which)).toThrow(`no entry ${which}`);
    expect(fs.existsSync(join(project, 'x:.'))).toBe(false);
  });

  test('an entry that is damaged', () => {
    fs.writeFileSync(recordFile, '## Entry\n\n<!-- figures {"time": -->\n');
    expect(() => records.findEntry('latest')).toThrow('the figures of an entry are damaged');
    fs.rmSync(recordFile);
  });
});

test('wrangler dev, which the report names', async () => {
  // Each round has one call, because a call takes longest here.
  const fewest = ['--rounds', '2', '--only', 'first answer'];
  const { code, out, err } = await perf(...fewest, '--target', 'dev');
  expect(code, err).toBe(0);
  expect(out).toContain('Measured on: wrangler dev, whose proxy adds latency');
});

test('a counter with a wrong answer ends the run, and the error names the contender', async () => {
  const file = join(project, 'src/counter.ts');
  const before = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, before.replace("get<number>('value') ?? 0", "get<number>('value') ?? 1"));
  try {
    const { code, err } = await perf(...SHORT);
    expect(code).toBe(1);
    expect(err).toContain(
      'perf: this RPC: 10 reads in flight: getValue() answered 1, which is wrong',
    );
    expect(err).toContain('1 !== 0');
  } finally {
    fs.writeFileSync(file, before);
  }
});

test.each([
  ['capnweb', [], "The comparison with Cap'n Web"],
  ['tinybench', ['--profile'], '--profile'],
])('without the package %s it says what to install', async (name, args, purpose) => {
  const link = join(project, 'node_modules', name);
  const target = fs.readlinkSync(link);
  fs.rmSync(link);
  try {
    const { code, out, err } = await perf(...there, ...SHORT, ...args);
    expect(code).toBe(1);
    expect(err).toContain(
      `perf: ${purpose} needs the package ${name}, which is not installed: npm install --save-dev ${name}`,
    );
    expect(out).toBe('');
  } finally {
    fs.symlinkSync(target, link);
  }
});

/** The JSON of a run, on the bare runtime. @type {any} */
let report;

describe('another class', () => {
  /** Files of the project that are replaced or added. @type {Record<string, string>} */
  const files = {
    'src/orders.ts': `import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, read } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

class OrdersImpl extends DurableObject<Env> {
  order(id: string, drink: string) {
    if (!this.ctx.id.name?.startsWith('shop/')) throw new Error(\`\${this.ctx.id.name} is no shop\`);
    const number = this.count() + 1;
    this.ctx.storage.kv.put('count', number);
    return { id, drink, number };
  }
  count(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }
  async slow(milliseconds: number): Promise<void> {
    await this.ctx.blockConcurrencyWhile(() => scheduler.wait(milliseconds));
  }
}

export const Orders = lumenizeRpcDO(OrdersImpl, {
  order: [Type.String({ pattern: '^order-' }), Type.String()],
  count: read(),
  slow: [Type.Integer()],
});
`,
    'perf/run.ts': `import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { inFlight, inSequence, runPerf } from 'lumenize-rpc/perf';

await runPerf({
  project: join(import.meta.dirname, '..'),
  instance: (id) => \`shop/\${id}\`,
  argumentsOf(method, index) {
    if (method === 'slow') return [20];
    return method === 'order' ? [\`order-\${index}\`, 'tea'] : [];
  },
  check() {
    let number = 0;
    return ({ method, args: [id], answer }) => {
      if (method === 'slow') deepEqual(answer, undefined);
      else if (method === 'order') deepEqual(answer, { id, drink: 'tea', number: ++number });
      else deepEqual(answer, number);
    };
  },
  workloads: [
    inSequence('5 orders', 5, ['order', 'count']),
    inFlight('10 orders in flight', 10, 'order'),
  ],
});
`,
  };
  /** @type {Record<string, string>} */
  const before = {};

  beforeAll(() => {
    const worker = fs.readFileSync(join(project, 'perf/worker.ts'), 'utf8');
    files['perf/worker.ts'] = worker.replace(
      "import { Counter as Measured } from '../src/counter.ts';",
      "import { Orders as Measured } from '../src/orders.ts';",
    );
    expect(files['perf/worker.ts']).not.toBe(worker);
    // The project has no example.
    for (const path of [...Object.keys(files), 'src/counter.ts']) {
      const file = join(project, path);
      if (fs.existsSync(file)) before[path] = fs.readFileSync(file, 'utf8');
      fs.rmSync(file, { force: true });
    }
    for (const [path, text] of Object.entries(files)) fs.writeFileSync(join(project, path), text);
  });

  afterAll(() => {
    for (const path of Object.keys(files)) fs.rmSync(join(project, path));
    for (const [path, text] of Object.entries(before)) fs.writeFileSync(join(project, path), text);
  });

  test('every contender calls its methods', async () => {
    report = JSON.parse(await expectSuccess('--rounds', '2', '--json', '--all'));
    const { results, leftOut } = report;
    expect(leftOut).toEqual([]);
    for (const workload of ['5 orders', '10 orders in flight']) {
      const names = results
        .filter((/** @type {any} */ one) => one.workload === workload)
        .map((/** @type {any} */ { contender }) => contender);
      expect(names).toHaveLength(10);
      expect(names).toContain('this RPC, no journal');
    }
  });

  test('--json has the whole report', () => {
    const { configuration, results, wire } = report;
    expect(configuration).toMatchObject({
      target: 'workerd, the bare Workers runtime',
      node: /\d/,
    });
    const own = results.find((/** @type {any} */ one) => one.contender === 'this RPC');
    expect(own).toMatchObject({ rounds: 2, floor: 'by hand, hibernating' });
    expect(own.perSecond).toBeGreaterThan(0);
    for (const { value, low, high } of [own.ratio, own.rivalRatio]) {
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
    }
    const byHand = wire.filter(
      (/** @type {any} */ one) => one.contender === 'by hand, hibernating',
    );
    // [1,"count"] and [1,0], with ids of up to three digits.
    expect(byHand[1]).toMatchObject({
      operation: 'count',
      up: { frames: 1 },
      down: { frames: 1 },
    });
    expect(Math.round(byHand[1].up.bytes)).toBe(13);
  });

  test('an open load that the object can serve, whose answers are checked', async () => {
    const load = ['--load', 'order', '--clients', '5', '--rate', '50', '--seconds', '2'];
    const { load: what, results, leftOut } = JSON.parse(await expectSuccess(...load, '--json'));
    expect(what).toEqual({ methods: ['order'], clients: 5, rate: 50, seconds: 2, within: 100 });
    expect(leftOut).toEqual([]);
    expect(results.map((/** @type {any} */ { contender }) => contender)).toEqual([
      'this RPC',
      "Cap'n Web",
      'by hand, hibernating',
      'by hand, always awake',
    ]);
    for (const one of results) {
      expect(one).toMatchObject({ calls: 100, failed: 0, unanswered: 0 });
      expect(one.p99).toBeGreaterThanOrEqual(one.p50);
      expect(one.longestGap).toBeGreaterThanOrEqual(19);
      if (process.platform === 'linux') expect(one.cpu).toBeGreaterThanOrEqual(0);
    }
  });

  // Each call takes 20 ms, and no two calls run at once, so the object answers 50 of 100 calls per second. Call number
  // n is due after 10 n ms, and answered after 20 n + 20 ms or more, on any machine.
  test('an open load that is too large, whose times show the queue', async () => {
    const load = ['--load', 'slow', '--rate', '100', '--seconds', '1', '--within', '200'];
    const { results } = JSON.parse(await expectSuccess(...load, '--json'));
    const own = results.find((/** @type {any} */ { contender }) => contender === 'this RPC');
    expect(own).toMatchObject({ calls: 100, failed: 0, unanswered: 0 });
    // A timer of the runtime may be a millisecond early.
    const shortest = (/** @type {number} */ call) => (20 - 1) * (call + 1) - 10 * call;
    expect(own.p50).toBeGreaterThanOrEqual(shortest(49));
    expect(own.p99).toBeGreaterThanOrEqual(shortest(97));
    expect(own.inTime).toBeLessThanOrEqual(22 / 100);
    expect(own.perSecond).toBeLessThanOrEqual(1000 / 19);
  });

  test('an open load as text', async () => {
    const load = ['--load', 'order', '--load', 'count', '--rate', '20', '--seconds', '0.5'];
    const out = await expectSuccess(...load);
    expect(out).toContain('20 clients, 20 calls a second in all, for 0.5 s: order, count\n');
    expect(out).toMatch(/^Open load +calls\/s +in time +p50 +p99 +longest gap +sent late +CPU/m);
    expect(out).toMatch(/^ {2}this RPC +[\d.]+ +[\d.]+ % +[\d.]+ m?s/m);
  });

  test('a wrong argument ends the run, and the error names the method and the argument', async () => {
    const run = join(project, 'perf/run.ts');
    const text = fs.readFileSync(run, 'utf8');
    fs.writeFileSync(run, text.replace('`order-', '`number-'));
    const { code, err } = await perf('--rounds', '2');
    fs.writeFileSync(run, text);
    expect(code).toBe(1);
    expect(err).toContain('perf: this RPC: 5 orders: order: argument [0] ');
  });
});

test('without a class, the performance test measures a counter of the package', async () => {
  const worker = join(project, 'perf/worker.ts');
  const before = fs.readFileSync(worker, 'utf8');
  const without = before
    .split('\n')
    .filter((line) => !/Counter as Measured|^ {2}Measured,$/.test(line));
  expect(without).toHaveLength(before.split('\n').length - 2);
  fs.writeFileSync(worker, without.join('\n'));
  try {
    await expectSuccess(...SHORT);
  } finally {
    fs.writeFileSync(worker, before);
  }
});

describe('a run of every workload, which is recorded', () => {
  const svg = join(root, 'chart.svg');
  /** The output, and the new PERFORMANCE.md. */
  let [out, recorded] = ['', ''];

  beforeAll(async () => {
    const args = ['--quick', '--rounds', '2', '--svg', svg];
    const description = 'The beginning -->\nof all';
    const outcome = await perf(...there, ...args, '--record', description);
    expect(outcome.code, outcome.err).toBe(0);
    expect(outcome.err.split('\n')).toEqual([
      'perf: checking answers and warming up',
      'perf: measuring',
      ...[25, 50, 75, 100].map((percent) => `perf: measuring, ${percent} %`),
      'perf: counting frames and bytes',
      '',
    ]);
    ({ out } = outcome);
    recorded = fs.readFileSync(recordFile, 'utf8');
  });

  beforeEach(() => fs.writeFileSync(recordFile, recorded));

  test('the table has each contender, the setting, and the contenders that were left out', () => {
    for (const name of ['this RPC', "Cap'n Web", 'by hand, hibernating']) {
      expect(out).toContain(name);
    }
    expect(out).not.toMatch(/^ {2}this RPC: /m);
    expect(out).toContain("Cap'n Web: Cannot serialize value: [object Map] (Map, Date and cycle");
    expect(out).toMatch(/^WebSocket compression: off$/m);
    expect(out).toContain(`Measured on: ${deployed.url}\n`);
    expect(out).toContain(`\nWritten: ${svg}, PERFORMANCE.md\n`);
    const chart = fs.readFileSync(svg, 'utf8');
    expect(chart).toMatch(/^<svg [^]*<title[^]*10 KiB object[^]*<\/svg>\n$/);
    expect(chart).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('the output names the contenders and the calls of each time, and has each row once', () => {
    const parts = out.split('\n\n');
    const [who = '', list = ''] = ['Contenders', 'Time of one call'].map((head) =>
      parts.find((part) => part.startsWith(head)),
    );
    expect(parts.slice(0, 2).join()).toContain('In short, this RPC takes');
    const names = who
      .split('\n')
      .slice(1)
      .map((line) => /^ {2}(\S.*?) {3,}\S.{10,}$/.exec(line)?.[1]);
    expect(names).toHaveLength(6);
    expect(new Set(names)).not.toContain(undefined);
    expect(list).toMatch(
      /^Time of one call +calls\/s +median +p95 +p99 +floor +to its floor +to Cap'n Web$/m,
    );
    expect(out).toContain(
      '\n\nHow to read this\n- Each time is the time of one call, also where a round makes 100 calls.',
    );
    for (const workload of ['10 increments in flight', '10 reads in flight']) {
      const [block = '', ...again] = out.split('\n\n').filter((part) => part.startsWith(workload));
      expect(again).toEqual([]);
      expect(
        block
          .split('\n')
          .slice(1)
          .map((row) => row.trim().split(/ {2,}/)[0]),
      ).toEqual(names);
    }
  });

  test('PERFORMANCE.md is created, extended, and read', () => {
    const [first] = entries();
    expect(first).toMatchObject({ description: 'The beginning --> of all', commit: hash() });
    expect(first?.figures).toContainEqual(
      expect.objectContaining({ workload: '100 reads', contender: 'this RPC' }),
    );

    fs.appendFileSync(join(project, 'README.md'), 'Changed.\n');
    records.record(report, 'A change');
    const text = fs.readFileSync(recordFile, 'utf8');
    const [second, again] = entries();
    expect(again).toEqual(first);
    expect(second).toMatchObject({ description: 'A change', commit: `${hash()}-dirty` });
    expect(text).toMatch(/^# Performance\n/);
    expect(text.match(/^## .*$/gm)).toHaveLength(2);
    expect(text).toContain(`- ${first?.time}, ${hash()}: The beginning --> of all`);

    expect(records.findEntry('latest')).toEqual(second);
    expect(records.findEntry(first?.time ?? '')).toEqual(first);
    commitAll('Changed');
    fs.rmSync(recordFile);
    expect(records.findEntry('HEAD')).toEqual(second);
  });

  test('--compare names slower ratios and differences of the configuration, and does not fail', async () => {
    const [entry] = entries();
    rewrite((/** @type {Entry} */ one) => {
      one.configuration.webSocketCompression = 'another';
      for (const { ratio } of one.figures) scale(ratio, 1e-6);
    });
    const printed = await expectSuccess(...there, ...SHORT, '--compare', entry?.time ?? '');
    expect(printed).toContain(`Compared with ## ${entry?.time}`);
    expect(printed).toContain('Measured differently: webSocketCompression was another');
    expect(printed).toContain('slower: this RPC, 10 reads in flight: was');
  });

  describe('--check', () => {
    const check = (/** @type {string[]} */ ...args) => perf(...there, ...SHORT, '--check', ...args);

    test('fails for ratios that are slower than recorded, and for slower methods if they are requested', async () => {
      rewrite((/** @type {Entry} */ one) => {
        for (const { contender, ratio, toEmpty } of one.figures) {
          const times = contender === 'this RPC' ? 1e-6 : 1e6;
          scale(ratio, times);
          if (toEmpty) scale(toEmpty, times);
        }
      });
      const { code, err } = await check('--methods');
      expect(code).toBe(1);
      expect(err).toContain('slower: this RPC, 10 reads in flight: was');
      expect(err).toContain('slower: this RPC, 10 reads in flight, to a call of no method: was');
      expect(err).toContain('The beginning');
      expect(err).toContain('--record');
      expect(err).not.toContain('POST');
    });

    test('does not fail for other ratios, and names ratios that are too wide to judge', async () => {
      rewrite((/** @type {Entry} */ one) => {
        for (const { contender, ratio, toEmpty } of one.figures) {
          if (contender === 'this RPC') Object.assign(ratio, { low: 1e-6, high: 1e6 });
          else scale(ratio, contender === "Cap'n Web" ? 1e-6 : 1e6);
          if (toEmpty) scale(toEmpty, 1e-6);
        }
      });
      const { code, out: said, err } = await check();
      expect(code, err).toBe(0);
      expect(said).toContain('faster: this RPC, POST, 10 reads in flight: was');
      expect(err).toMatch(/^perf: 1 of \d ratios could not be judged: /m);
      expect(err).toContain('unclear: this RPC, 10 reads in flight: was');
      expect(err).not.toContain('POST');
    });

    test('fails if all ratios are too wide to judge', async () => {
      rewrite((/** @type {Entry} */ one) => {
        for (const { ratio } of one.figures) Object.assign(ratio, { low: 1e-6, high: 1e6 });
      });
      const { code, out: said, err } = await check();
      expect(code).toBe(1);
      expect(err).toContain('unclear: this RPC, POST, 10 reads in flight: was');
      expect(said).toContain(' cannot be compared: an interval is too wide.');
    });

    test('fails if the entry has no figures for the requested ratios', async () => {
      rewrite((/** @type {Entry} */ one) => {
        for (const figure of one.figures) delete figure.toEmpty;
      });
      const { code, err } = await check('--methods');
      expect(code).toBe(1);
      expect(err).toContain('The entry has no figures for methods');
    });

    test('fails if it compares nothing, because the entry has none of the workloads', async () => {
      rewrite((/** @type {Entry} */ one) => {
        one.figures = one.figures.filter(({ workload }) => workload !== '10 reads in flight');
      });
      const { code, err } = await check();
      expect(code).toBe(1);
      expect(err).toContain(
        'perf: nothing was compared: the entry has none of the ratios that this run has measured',
      );
    });

    test('fails if the entry was measured with another configuration', async () => {
      rewrite((/** @type {Entry} */ one) => (one.configuration.webSocketCompression = 'another'));
      const unlike = await check();
      expect(unlike.code).toBe(1);
      expect(unlike.err).toContain(
        'These runs cannot be compared: webSocketCompression was another',
      );
      expect(unlike.out).toBe('');
    });
  });
});

/** @param {string[]} args */
function perf(...args) {
  const program = [join(project, 'perf/run.ts'), ...args];
  return outcomeOf(start(process.execPath, program, { cwd: project, output: 'pipe' }));
}

/** @param {string[]} args */
async function expectSuccess(...args) {
  const { code, out, err } = await perf(...args);
  expect(code, err).toBe(0);
  return out;
}

/** @returns {Entry[]} */
function entries() {
  const text = fs.readFileSync(recordFile, 'utf8');
  return [...text.matchAll(/^<!-- figures (.*) -->$/gm)].map(([, json = '']) => JSON.parse(json));
}

/** @param {(entry: Entry) => void} edit - changes the only entry */
function rewrite(edit) {
  const [entry] = entries();
  if (!entry) throw new Error('There is no entry');
  edit(entry);
  fs.writeFileSync(recordFile, `## Entry\n\n<!-- figures ${JSON.stringify(entry)} -->\n`);
}

/**
 * @param {Ratio} ratio
 * @param {number} times
 */
function scale(ratio, times) {
  for (const part of /** @type {const} */ (['value', 'low', 'high'])) ratio[part] *= times;
}

function hash() {
  return git('rev-parse', '--short', 'HEAD').trim();
}

/** @param {string} message */
function commitAll(message) {
  git('add', '.');
  const author = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com'];
  git(...author, 'commit', '--quiet', '--message', message);
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: project, encoding: 'utf8' });
}
