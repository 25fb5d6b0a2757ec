/** `npm run bench` in its quick form: all contenders can be measured, and all answers are right. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcomeOf, start, stopAll } from '../harness/guarded-process.mjs';

const RUN = fileURLToPath(new URL('../bench/run.ts', import.meta.url));

/** The contenders, and the workloads that some of them cannot run, because of known limits. */
const CONTENDERS = [
  'this RPC',
  'this RPC, own fetch',
  'this RPC, no journal',
  'this RPC, bytes',
  'this RPC, always awake',
  'this RPC, POST',
  "Cap'n Web",
  'by hand, hibernating',
  'by hand, always awake',
  'by hand, POST',
  'rpc.do, WebSocket',
  'tRPC, batch link',
  'Comlink, JSON on a WebSocket',
];
const CANNOT = [
  ["Cap'n Web", /Map/],
  ['rpc.do, WebSocket', /Map|1 MiB/],
  ['rpc.do, HTTP', /./],
  ['tRPC, batch link', /Map|1 MiB|fresh/],
  ['Comlink, JSON on a WebSocket', /Map|1 MiB/],
  ['this RPC, POST', /fresh/],
  ['by hand, POST', /fresh/],
];

const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
/** @type {Record<string, any>} */
let results;

beforeAll(async () => {
  const child = start(process.execPath, [RUN, '--quick', '--out', folder], { output: 'pipe' });
  const { code, all } = await outcomeOf(child);
  expect(code, all).toBe(0);
  results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
});

afterAll(async () => {
  await stopAll();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

test.each(['off', 'on'])('all contenders answer, compression %s', (setting) => {
  const { results: measured, leftOut } = results.speed.result[setting];
  const who = (/** @type {string} */ workload) =>
    measured
      .filter((/** @type {any} */ result) => result.workload === workload)
      .map((/** @type {any} */ result) => result.contender);
  for (const workload of ['100 increments', '100 reads', '50 mixed pairs']) {
    expect(who(workload).toSorted()).toEqual(CONTENDERS.toSorted());
  }
  const unexpected = leftOut.filter(
    (/** @type {any} */ one) =>
      !CANNOT.some(([contender, what]) => contender === one.contender && one.workload.match(what)),
  );
  expect(unexpected).toEqual([]);
});

test('native calls, sizes, memory, heaps and scaffolders are measured', () => {
  expect(results.speed.result.off.native).toHaveLength(2);
  expect(results.sizes.result.clients).toHaveLength(5);
  // Other systems do not report the memory of a process.
  if (process.platform === 'linux') expect(results.memory.result).toHaveLength(2);
  expect(results.heap.result).toHaveLength(8);
  const timed = results.scaffolding.result.times.filter((/** @type {any} */ one) => one.median);
  expect(timed.map((/** @type {any} */ one) => one.name)).toEqual([
    'create-lumenize-rpc',
    'create-vite',
    'sv',
  ]);
  expect(results.scaffolding.result.isReproducible).toBe(true);
});

test('broadcasts are heard by all, from everyone', () => {
  const { results: broadcasts, wire } = results.broadcasts.result;
  expect(broadcasts).toHaveLength(9);
  expect(wire).toHaveLength(6);
  const feed = wire.find((/** @type {any} */ one) => one.contender === 'this RPC, feed');
  expect(feed.frames.down).toBe(1);
});

test('the page has every part, and says that a quick run means little', () => {
  const page = readFileSync(join(folder, 'RESULTS.md'), 'utf8');
  for (const title of ['Bars', 'Speed', 'Size', 'Memory', 'Heap', 'Broadcasts', 'Scaffolding']) {
    expect(page).toContain(`\n## ${title}\n`);
  }
  expect(page).toContain('A quick run');
  expect(readFileSync(join(folder, 'chart.svg'), 'utf8')).toMatch(/^<svg /);
});
