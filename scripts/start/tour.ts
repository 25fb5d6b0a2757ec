/**
 * `tour.ts <project> <here>`: the main part of `npm start`. It scaffolds a project as `npm create lumenize-rpc` would,
 * unless the project exists. Then it starts the project, calls its counter and measures it. It stops everything that
 * it starts.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startDevServer } from '../../harness/dev-server.mjs';
import { run, stop } from '../../harness/guarded-process.mjs';
import { formatReport } from '../../runtime/src/perf/report.ts';
import type { Report } from '../../runtime/src/perf/measure/summary.ts';
import { formatRatio, toText } from '../../runtime/src/perf/report/tables.ts';
import type { Counter } from '../../template/src/counter.ts';
import type * as Client from '../../runtime/src/client.ts';
import { endWithParent } from './end-with-parent.mjs';
import { installation, step } from './progress.mjs';

const ROOT = path.join(import.meta.dirname, '../..');
const THIS_RPC = 'this RPC';
/** The titles of the table's rows, by the names of the workloads. */
const ROWS = new Map([
  ['100 increments', '100 increments, each awaited'],
  ['100 increments in flight', '100 increments in one tick'],
  ['first answer on a fresh connection', 'the first answer on a new connection'],
]);
/** The report estimates the time of a call on other networks from that of a read. */
const MEASURED = [...ROWS.keys(), '100 reads'].flatMap((workload) => ['--only', workload]);

/** The minimum number of rounds for an interval. The tour only shows which calls are measured. */
const ROUNDS = 6;

const [, , project = '', here = ''] = process.argv;
const name = path.relative(here, project) || '.';
/** The environment of a user's own shell, without the tools that this repository has installed. */
const env = {
  ...process.env,
  PATH: (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.startsWith(ROOT))
    .join(path.delimiter),
};

await endWithParent(async () => {
  await scaffold();
  await separate();
  await step('3/5  Checking its types', () => npm('run', 'typecheck'));
  const answers = await step('4/5  Calling its counter, under `wrangler dev`', callCounter);
  console.log(`\n${toText(answers)}\n`);
  const { out } = await step(`5/5  Measuring it, in ${ROUNDS} rounds`, () =>
    npm('run', '--silent', 'perf', '--', ...MEASURED, '--rounds', `${ROUNDS}`, '--json'),
  );
  show(JSON.parse(out) as Report);
});

async function scaffold(): Promise<void> {
  const options = { cwd: project, env };
  if (existsSync(path.join(project, 'src', 'counter.ts'))) {
    const title = `2/5  Installing the packages of ${name}, which exists already`;
    return installation(title, 'npm', ['install', '--no-audit', '--no-fund'], options);
  }
  // The scaffolder runs on the machine's Node, which runs npm. The Node that runs this file is newer.
  const hostNode = process.env['npm_node_execpath'] ?? process.execPath;
  const scaffolder = [path.join(ROOT, 'scaffolder', 'index.mjs'), project, '--yes'];
  const title = `2/5  Scaffolding ${name}, and installing its packages`;
  return installation(title, hostNode, scaffolder, { ...options, cwd: here });
}

/** Makes the project a git repository of its own. This repository ignores the project, and so would the linter. */
async function separate(): Promise<void> {
  if (existsSync(path.join(project, '.git'))) return;
  // Without git, the only effect is that the linter finds no files.
  await run('git', ['init', '--quiet'], { cwd: project, env, output: 'pipe' }).catch(() => {});
}

function npm(...args: string[]): ReturnType<typeof run> {
  return run('npm', args, { cwd: project, env, output: 'pipe' });
}

/** @returns the calls, with their answers, as rows */
async function callCounter(): Promise<string[][]> {
  const { url: baseUrl, server } = await startDevServer(project, [], env);
  const { resolve } = createRequire(path.join(project, 'package.json'));
  const client = pathToFileURL(resolve('lumenize-rpc/client'));
  const { createRpcClient } = (await import(client.href)) as typeof Client;
  const rows: string[][] = [];
  for (const transport of ['websocket', 'http'] as const) {
    using counter = createRpcClient<Counter>('COUNTER', 'npm-start', { baseUrl, transport });
    await counter.reset();
    const answers = {
      'increment()': [await counter.increment(), 1],
      'increment(41)': [await counter.increment(41), 42],
      'getValue()': [await counter.getValue(), 42],
    };
    for (const [call, [answer, expected]] of Object.entries(answers)) {
      if (answer !== expected) throw new Error(`${call} answered ${answer}, not ${expected}`);
      rows.push([`     ${transport}: counter.${call}`, `${answer}`]);
    }
  }
  await stop(server);
  return rows;
}

/** Prints three rows, and writes the full report to a file that the project's `.gitignore` names. */
function show(report: Report): void {
  writeFileSync(path.join(project, 'perf.log'), `${formatReport(report)}\n`);
  const rows = [...ROWS].map(([workload, title]) => {
    const own = report.results.find(
      (one) => one.workload === workload && one.contender === THIS_RPC,
    );
    if (!own?.ratio || !own.rivalRatio) throw new Error(`${workload} was not measured`);
    const [byHand, rival] = [formatRatio(own.ratio), formatRatio(own.rivalRatio)];
    return [title, `${own.median.toFixed(0)} µs`, byHand, rival];
  });
  const head = ['time', 'a call', 'compared with code by hand', `with ${report.rival}`];
  console.log(`
${toText([head, ...rows])}

A lower figure is faster. The 95 % interval is in brackets. The full report: ${path.join(name, 'perf.log')}
${ROUNDS} rounds of four workloads are too few for figures to quote. \`npm run perf\` measures all workloads.
Next: cd ${name} && npm run dev`);
}
