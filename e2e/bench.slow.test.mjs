/** Runs `npm run bench` in its quick form: all contenders can be measured, and all answers are right. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BARS, REPORTED } from '../bench/results/bars.ts';
import * as names from '../bench/results/names.ts';
import { outcomeOf, start, stopAll } from '../harness/guarded-process.mjs';

/** @typedef {import('../bench/results/rows.ts').Row} Row */

const RUN = fileURLToPath(new URL('../bench/run.ts', import.meta.url));
const isLinux = process.platform === 'linux';

/** The contenders, and the workloads that some of them cannot run, because of known limits. */
const CONTENDERS = [
  'this RPC',
  'this RPC, own fetch',
  'this RPC, no journal',
  'this RPC, bytes',
  'this RPC, always awake',
  'this RPC, POST',
  "Cap'n Web",
  "Cap'n Web, validated",
  'by hand, hibernating',
  'by hand, always awake',
  'by hand, POST',
  'rpc.do, WebSocket',
  'tRPC, batch link',
  'Comlink, JSON on a WebSocket',
];
/** @type {[string, RegExp][]} */
const CANNOT = [
  ["Cap'n Web", /Map/],
  ["Cap'n Web, validated", /Map/],
  ['rpc.do, WebSocket', /Map|1 MiB/],
  ['rpc.do, HTTP', /./],
  ['tRPC, batch link', /Map|1 MiB|fresh/],
  ['Comlink, JSON on a WebSocket', /Map|1 MiB/],
  ['this RPC, POST', /fresh/],
  ['by hand, POST', /fresh/],
];

/** These contenders are measured only when they are named. */
const ON_REQUEST = [
  'compressed',
  'bytes',
  'streams',
  'uploads',
  'capabilities',
  'relays',
  'costs',
  'scale-out',
];
const PARTS = ['calls', 'apart', 'sockets', 'client', 'cold', 'broadcasts', 'heap', 'sizes'];

const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
/** @type {Record<string, { rows: Row[] }>} */
let results;

/** @param {string[]} parts */
async function measured(...parts) {
  const args = [RUN, ...parts, '--quick', '--out', folder];
  const { code, all } = await outcomeOf(start(process.execPath, args, { output: 'pipe' }));
  expect(code, all).toBe(0);
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
}

/**
 * @param {string} part
 * @param {string | RegExp} what
 */
function rowsOf(part, what) {
  return (results[part]?.rows ?? []).filter((row) =>
    typeof what === 'string' ? row.what === what : what.test(row.what),
  );
}

beforeAll(async () => {
  await measured();
  results = await measured(...ON_REQUEST);
});

afterAll(async () => {
  await stopAll();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

test('all parts are measured, and parts on request only when they are named', () => {
  expect(Object.keys(results)).toEqual([...PARTS, ...ON_REQUEST]);
});

test.each([
  ['calls', CONTENDERS],
  ['compressed', [names.THIS_RPC, names.CAPNWEB, names.FLOOR]],
])('all contenders answer: %s', (part, contenders) => {
  for (const workload of [names.INCREMENTS, names.READS, names.MIXED]) {
    const able = rowsOf(part, workload).filter(({ value }) => value !== undefined);
    expect(able.map(({ who }) => who).toSorted()).toEqual(contenders.toSorted());
  }
  const unexpected = (results[part]?.rows ?? []).filter(
    ({ what, who, note }) =>
      note && !CANNOT.some(([contender, workload]) => contender === who && workload.test(what)),
  );
  expect(unexpected).toEqual([]);
});

test('sizes and heaps are measured', () => {
  expect(rowsOf('sizes', names.SIZE)).toHaveLength(6);
  expect(rowsOf('heap', /client/)).toHaveLength(8);
});

test('every listener hears the broadcasts of every sender', () => {
  expect(rowsOf('broadcasts', /until the last/)).toHaveLength(9);
  const frames = rowsOf('broadcasts', /frames/);
  expect(frames).toHaveLength(6);
  // A broadcast is one frame, and many broadcasts share an acknowledgement.
  expect(Math.floor(frames.find(({ who }) => who === names.FEED)?.value ?? 0)).toBe(1);
});

/** Quick runs have fewer clients, and fewer calls in flight. */
const SMALLER = /an event to \d|in flight/;

test.runIf(isLinux)('each bar has a figure', () => {
  const lacking = [...BARS, ...REPORTED].filter(({ part, what, who, to }) => {
    const row = rowsOf(part, what).find((one) => one.who === who);
    return !SMALLER.test(what) && (to === undefined ? row?.value : row?.to?.[to]) === undefined;
  });
  expect(lacking).toEqual([]);
});

test('each row is one line, and the page has its sections', () => {
  const lines = readFileSync(join(folder, 'results.json'), 'utf8').split('\n');
  const rows = lines.filter((line) => line.startsWith('   {'));
  expect(rows).toHaveLength(Object.values(results).flatMap((part) => part.rows).length);
  const page = readFileSync(join(folder, 'RESULTS.md'), 'utf8');
  for (const title of ['Comparison', 'Limits', 'Also measured', 'All contenders', 'Conditions']) {
    expect(page).toContain(`\n## ${title}`);
  }
  expect(page).toContain('a quick run');
});
