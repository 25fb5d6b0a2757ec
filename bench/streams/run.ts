/**
 * `npm run stream-cost`: compares streams with code by hand, and checks that each row of a method listed by `rows`
 * arrives once through kills. Prints the figures of docs/decisions/streams.md. `-- --rows 1000000` sets the number of
 * rows that are read through kills.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Runtime } from '../../harness/runtime.ts';
import { median, pairedRatio, percentile } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient, type RpcClient } from '../../runtime/src/client.ts';
import { bytes } from '../../runtime/src/features/bytes/client.ts';
import { subscribe } from '../../runtime/src/features/subscriptions/client.ts';
import { ratioText } from '../ratio-table.ts';
import type { Table } from './worker.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '12' },
  },
});
const ROWS = Number(options.rows);
const KILLS = Number(options.kills);
const ROUNDS = Number(options.rounds);

/** Rows that each contender reads in a round. */
const ROWS_A_ROUND = 50_000;

const CHUNKS = 1_024;

const MEBIBYTE = 1_048_576;

/** Window in bytes, for bytes that are sent by hand. */
const WINDOW = MEBIBYTE;

await using runtime = await Runtime.serve({ config: join(import.meta.dirname, 'wrangler.jsonc') });

const open = (name: string): RpcClient<Table> =>
  createRpcClient<Table>('TABLE', name, { baseUrl: runtime.url, bytes });

using table = open('table');
await table.fill(ROWS);

/** Reads rows, and checks that none is missing. */
type Read = (count: number) => Promise<void>;

const checked =
  (read: (count: number) => AsyncIterable<{ id: number }>): Read =>
  async (count) => {
    let last = 0;
    for await (const { id } of read(count)) {
      if (id !== last + 1) throw new Error(`Row ${id} after ${last}`);
      last = id;
    }
    if (last !== count) throw new Error(`${last} rows of ${count}`);
  };

const paged =
  (size: number): Read =>
  async (count) => {
    let last = 0;
    for (;;) {
      const rows = await table.page(count, last, size);
      for (const { id } of rows) {
        if (id !== last + 1) throw new Error(`Row ${id} after ${last}`);
        last = id;
      }
      if (rows.length < size) break;
    }
    if (last !== count) throw new Error(`${last} rows of ${count}`);
  };

/** Returns the times of contenders that run in turns, by name. */
async function compare(
  contenders: Record<string, () => Promise<void>>,
): Promise<Map<string, number[]>> {
  const names = Object.keys(contenders);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of round % 2 ? names : names.toReversed()) {
      const start = performance.now();
      await contenders[name]?.();
      // The first rounds warm up.
      if (round >= 2) times.get(name)?.push(performance.now() - start);
    }
  }
  return times;
}

function tell(times: Map<string, number[]>, name: string, base: string): void {
  const [own, others] = [name, base].map((one) => times.get(one) as number[]);
  const ratio = pairedRatio(own as number[], others as number[]);
  console.log(
    `${name}, to ${base}: ${ratioText(ratio, 2)}; ${median(own as number[]).toFixed(0)} ms`,
  );
}

console.log(`${ROWS_A_ROUND} rows, ${ROUNDS} rounds`);
const rows = checked((count) => subscribe(table).rows(count));
const times = await compare({
  'rows with cursor': () => rows(ROWS_A_ROUND),
  'a generator': () => checked((count) => subscribe(table).numbers(count))(ROWS_A_ROUND),
  'pages of 1 000': () => paged(1_000)(ROWS_A_ROUND),
  'pages of 100': () => paged(100)(ROWS_A_ROUND),
});
for (const name of ['rows with cursor', 'a generator', 'pages of 100'])
  tell(times, name, 'pages of 1 000');
tell(times, 'rows with cursor', 'pages of 100');

/** Receives bytes that are sent by hand, with a window of the same size. */
async function rawBytes(): Promise<void> {
  const socket = new WebSocket(`${runtime.url.replace('http', 'ws')}/raw`);
  socket.binaryType = 'arraybuffer';
  let size = 0;
  let unsaid = 0;
  await new Promise<void>((resolve) => {
    socket.addEventListener('open', () => socket.send(`${CHUNKS}`));
    socket.addEventListener('message', ({ data }) => {
      size += (data as ArrayBuffer).byteLength;
      unsaid += (data as ArrayBuffer).byteLength;
      if (unsaid >= WINDOW / 2) {
        socket.send('');
        unsaid = 0;
      }
      if (size === CHUNKS * 65_536) resolve();
    });
  });
  socket.close();
}

async function streamedBytes(): Promise<void> {
  using client = open('bytes');
  let size = 0;
  for await (const { byteLength } of subscribe(client).bytes(CHUNKS)) size += byteLength;
  if (size !== CHUNKS * 65_536) throw new Error(`${size} bytes`);
}

console.log('\n64 MiB of bytes');
const bytesTimes = await compare({ 'a ReadableStream': streamedBytes, 'frames by hand': rawBytes });
tell(bytesTimes, 'a ReadableStream', 'frames by hand');

/** Returns the times of small calls, made one after the other until `isOver` returns true. */
async function latencies(client: RpcClient<Table>, isOver: () => boolean): Promise<number[]> {
  const all: number[] = [];
  while (!isOver()) {
    const start = performance.now();
    await client.getValue();
    all.push(performance.now() - start);
  }
  return all;
}

for (const [what, read] of [
  ['rows', () => rows(Math.min(ROWS, 100_000))],
  ['bytes', streamedBytes],
] as const) {
  using other = open(what === 'rows' ? 'table' : 'bytes');
  let calls = 0;
  const idle = await latencies(other, () => ++calls > 2_000);
  let isOver = false;
  const [busy] = await Promise.all([
    latencies(other, () => isOver),
    read().then(() => (isOver = true)),
  ]);
  const ratio = (part: number): string =>
    (percentile(busy, part) / percentile(idle, part)).toFixed(2);
  console.log(
    `A small call of another client while ${what} are read, to idle: median ${ratio(0.5)}, 90 % ${ratio(0.9)}; idle ${median(idle).toFixed(2)} ms`,
  );
}

console.log(`\n${ROWS} rows through ${KILLS} kills`);
await runtime.restart();
await rows(10_000);
const before = await runtime.memory();
let most = 0;
let last = 0;
const start = performance.now();
for await (const { id } of subscribe(table).rows(ROWS)) {
  if (id !== ++last) throw new Error(`Row ${id} as number ${last}`);
  if (last % Math.floor(ROWS / (KILLS + 1)) === 0 && runtime.kills <= KILLS) {
    most = Math.max(most, await runtime.memory());
    // Meanwhile the loop goes on with the rows that have arrived.
    void runtime.restart();
  }
}
const seconds = (performance.now() - start) / 1_000;
const grown = (most - before) / MEBIBYTE;
console.log(
  `${last} rows, ${runtime.kills - 1} kills, ${seconds.toFixed(1)} s; memory of the runtime at most ${grown.toFixed(1)} MiB more than after 10 000 rows`,
);
