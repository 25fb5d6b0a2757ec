/**
 * `npm run perf` in a scaffolded project: what it prints, what it records, and when it fails. The
 * runs are a few rounds of one workload, so their figures mean nothing here.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { outcomeOf, start, stopAll } from '../harness/guarded-process.mjs';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const SHORT = ['--rounds', '2', '--only', '10 reads in flight'];

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'perf-test-')));
const project = join(root, 'shop');
const record = join(project, 'PERFORMANCE.md');

/** @typedef {{ low: number, high: number, value: number }} Ratio */
/** @typedef {{ time: string, commit: string, description: string, configuration: any, figures: { workload: string, contender: string, ratio: Ratio, toEmpty?: Ratio }[] }} Entry */

beforeAll(async () => {
  const scaffolder = join(REPOSITORY, 'scaffolder/index.mjs');
  execFileSync(process.execPath, [scaffolder, project, '--yes', '--no-install', '--no-git']);
  fs.symlinkSync(join(REPOSITORY, 'node_modules'), join(project, 'node_modules'));
  git('init', '--quiet');
  commitAll('First');
});

afterEach(() => fs.rmSync(record, { force: true }));

afterAll(async () => {
  await stopAll();
  fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

test('wrong usage ends with 2 and says what is wrong', async () => {
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

describe('what cannot be done ends with 1, before anything is measured', () => {
  test.each([
    ['--check without an entry', ['--check'], 'no entry latest'],
    ['--compare with what is no entry', ['--compare', 'v9.9'], 'no entry v9.9'],
    ['--compare with a ref without the file', ['--compare', 'HEAD'], 'no entry HEAD'],
    ['--compare with an option of git', ['--compare=--output=x'], 'no entry --output=x'],
    ['a chart in no folder', ['--svg', 'no/such/folder.svg'], 'no/such/folder.svg'],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await perf(...args);
    expect(code, err).toBe(1);
    expect(err).toContain(message);
    expect(out).toBe('');
    expect(fs.existsSync(join(project, 'x:.'))).toBe(false);
  });

  test('an entry that is damaged', async () => {
    fs.writeFileSync(record, '## Entry\n\n<!-- figures {"time": -->\n');
    const { code, err } = await perf('--check');
    expect(code).toBe(1);
    expect(err).toContain('the figures of an entry are damaged');
  });

  test('nothing at the address', async () => {
    const { code, out, err } = await perf(...SHORT, '--url', 'http://127.0.0.1:9');
    expect(code).toBe(1);
    expect(err).toContain('http://127.0.0.1:9 is no copy');
    expect(out).toBe('');
  });
});

test('the table has each contender, the setting, and who was left out', async () => {
  const svg = join(root, 'chart.svg');
  const { code, out, err } = await perf('--rounds', '2', '--only', 'there and back', '--svg', svg);
  expect(code, err).toBe(0);
  expect(err).toBe('');
  for (const name of ['this RPC', "Cap'n Web", 'by hand, hibernating']) expect(out).toContain(name);
  expect(out).toContain("Cap'n Web: Cannot serialize value: [object Map] (Map, Date and cycle");
  expect(out).toMatch(/^WebSocket compression: off$/m);
  expect(out).toContain(`\nWritten: ${svg}\n`);
  const chart = fs.readFileSync(svg, 'utf8');
  expect(chart).toMatch(/^<svg [^]*<title[^]*10 KiB object[^]*<\/svg>\n$/);
  expect(chart).not.toMatch(/NaN|undefined|Infinity/);
});

test('says who is measured and of how many calls a time is, and has each row once', async () => {
  const out = await expectSuccess('--rounds', '2', '--only', '10 ', '--all');
  const [who = '', list = ''] = out.split('\n\n');
  const names = who
    .split('\n')
    .slice(1)
    .map((line) => /^ {2}(\S.*?) {3,}\S.{10,}$/.exec(line)?.[1]);
  expect(names).toHaveLength(9);
  expect(new Set(names)).toContain('this RPC, no journal');
  expect(list).toMatch(/^Time of one call +median +p95 +p99 +to its floor +to Cap'n Web /);
  expect(out).toContain('Each time is of one call, also where a workload makes 100 of them.');
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

test('--json has the whole report', async () => {
  const { code, out, err } = await perf(...SHORT, '--json', '--all');
  expect(code, err).toBe(0);
  const report = JSON.parse(out);
  expect(report.configuration).toMatchObject({ target: 'workerd on its own', node: /\d/ });
  expect(report.results).toHaveLength(9);
  const own = report.results.find((/** @type {any} */ one) => one.contender === 'this RPC');
  expect(own).toMatchObject({
    workload: '10 reads in flight',
    rounds: 2,
    floor: 'by hand, hibernating',
  });
  for (const { value, low, high } of [own.ratio, own.rivalRatio]) {
    expect(low).toBeLessThanOrEqual(value);
    expect(high).toBeGreaterThanOrEqual(value);
  }
  const wire = report.wire.filter(
    (/** @type {any} */ one) => one.contender === 'by hand, hibernating',
  );
  // [1,"getValue"] and [1,0], with ids of up to three digits.
  expect(wire[1]).toMatchObject({ operation: 'getValue', up: { frames: 1 }, down: { frames: 1 } });
  expect(Math.round(wire[1].up.bytes)).toBe(16);
});

test('--url measures a deployed worker, whose objects last, as often as one likes', async () => {
  const { startRuntime } = await import(join(project, 'perf/run/runtime.ts'));
  const deployed = await startRuntime('workerd');
  try {
    for (let run = 0; run < 2; run++) {
      const out = await expectSuccess(...SHORT, '--url', `${deployed.url}/`);
      expect(out).toContain(`Target: ${deployed.url}\n`);
    }
  } finally {
    await deployed.stop();
  }
});

test('wrangler dev, which the report names', async () => {
  const { code, out, err } = await perf(...SHORT, '--target', 'dev');
  expect(code, err).toBe(0);
  expect(out).toContain('Target: wrangler dev, whose proxy adds latency');
});

describe('PERFORMANCE.md', () => {
  /** What a run printed that began the file, and what the file was then. */
  let [written, recorded] = ['', ''];

  beforeAll(async () => {
    // Of every workload, which takes longest.
    const description = 'The beginning -->\nof all';
    written = await expectSuccess('--quick', '--rounds', '2', '--record', description);
    recorded = fs.readFileSync(record, 'utf8');
  });

  beforeEach(() => fs.writeFileSync(record, recorded));

  test('is begun, continued, compared with, and checked', async () => {
    expect(written).toMatch(/^Written: PERFORMANCE\.md$/m);
    const [first] = entries();
    expect(first).toMatchObject({ description: 'The beginning --> of all', commit: hash() });
    expect(first?.figures).toContainEqual(
      expect.objectContaining({ workload: '100 reads', contender: 'this RPC' }),
    );

    fs.appendFileSync(join(project, 'README.md'), 'Changed.\n');
    await expectSuccess('--quick', '--rounds', '2', '--record', 'A change');
    const text = fs.readFileSync(record, 'utf8');
    const [second, again] = entries();
    expect(again).toEqual(first);
    expect(second).toMatchObject({ description: 'A change', commit: `${hash()}-dirty` });
    expect(text).toMatch(/^# Performance\n/);
    expect(text.match(/^## .*$/gm)).toHaveLength(2);
    expect(text).toContain(`- ${first?.time}, ${hash()}: The beginning --> of all`);

    const compared = await expectSuccess(...SHORT, '--compare', first?.time ?? '');
    expect(compared).toContain(`Compared with ## ${first?.time}`);
    commitAll('Changed');
    fs.rmSync(record);
    expect(await expectSuccess(...SHORT, '--compare', 'HEAD')).toContain('A change');
  });

  test('--check fails for what is slower than recorded, and for nothing else', async () => {
    const [entry] = entries();
    const checkAgainst = async (/** @type {number} */ own, /** @type {number} */ rival) => {
      rewrite((/** @type {Entry} */ one) => {
        one.figures = structuredClone(entry?.figures ?? []);
        for (const { contender, ratio } of one.figures) {
          const times = { 'this RPC': own, "Cap'n Web": rival }[contender] ?? 1e6;
          for (const part of /** @type {const} */ (['value', 'low', 'high'])) ratio[part] *= times;
        }
      });
      return perf(...SHORT, '--check');
    };

    const slower = await checkAgainst(1e-6, 1e6);
    expect(slower.code).toBe(1);
    expect(slower.err).toContain('slower: this RPC, 10 reads in flight: was');
    expect(slower.err).toContain('The beginning');
    expect(slower.err).toContain('--record');
    expect(slower.err).not.toContain('own fetch');

    const faster = await checkAgainst(1e6, 1e-6);
    expect(faster.code, faster.err).toBe(0);
    expect(faster.out).toContain('faster: this RPC, 10 reads in flight: was');

    rewrite((/** @type {Entry} */ one) => {
      one.figures = structuredClone(entry?.figures ?? []);
      for (const { contender, ratio, toEmpty = ratio } of one.figures) {
        const times = contender === 'this RPC' ? 1e-6 : 1e6;
        for (const part of /** @type {const} */ (['value', 'low', 'high'])) {
          ratio[part] *= 1e6;
          toEmpty[part] *= times;
        }
      }
    });
    const runtime = await perf(...SHORT, '--check');
    expect(runtime.code, runtime.err).toBe(0);
    const methods = await perf(...SHORT, '--check', '--methods');
    expect(methods.code).toBe(1);
    expect(methods.err).toContain(
      'slower: this RPC, 10 reads in flight, to a call of no method: was',
    );
    expect(methods.err).not.toContain('own fetch');

    rewrite((/** @type {Entry} */ one) => {
      for (const figure of one.figures) delete figure.toEmpty;
    });
    const without = await perf(...SHORT, '--check', '--methods');
    expect(without.code).toBe(1);
    expect(without.err).toContain('The entry says nothing of methods');

    rewrite((/** @type {Entry} */ one) => (one.configuration.webSocketCompression = 'another'));
    const unlike = await perf(...SHORT, '--check');
    expect(unlike.code).toBe(1);
    expect(unlike.err).toContain('Not to be compared: webSocketCompression was another');
    expect(unlike.out).toBe('');
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
  const text = fs.readFileSync(record, 'utf8');
  return [...text.matchAll(/^<!-- figures (.*) -->$/gm)].map(([, json = '']) => JSON.parse(json));
}

/** @param {(entry: Entry) => void} change - of the only entry */
function rewrite(change) {
  const [entry] = entries();
  if (!entry) throw new Error('There is no entry');
  change(entry);
  fs.writeFileSync(record, `## Entry\n\n<!-- figures ${JSON.stringify(entry)} -->\n`);
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
