/**
 * Compares streams with code by hand. It also kills the runtime, and checks that each row of a method listed by `rows`
 * arrives once. docs/decisions/subscriptions-and-streams.md has the figures.
 */
import { join } from 'node:path';
import type { Runtime } from '../../harness/runtime.ts';
import { createRpcClient, type RpcClient } from '../../runtime/src/client.ts';
import { bytes } from '../../runtime/src/features/bytes/client/bytes.ts';
import { subscribe } from '../../runtime/src/features/subscriptions/client/subscribe.ts';
import { percentile } from '../../runtime/src/perf/measure/statistics.ts';
import type { PartOptions } from '../part.ts';
import { type Row, rowsOf } from '../results/rows.ts';
import { serve } from '../serve.ts';
import { inTurns } from '../turns.ts';
import type { Table } from './workers/streams.ts';

const WORKER = join(import.meta.dirname, 'workers/streams.ts');

const MEBIBYTE = 1_048_576;
const CHUNK = 65_536;

/** The window of the code by hand, in bytes. */
const WINDOW = MEBIBYTE;

const ROWS = 'rows with cursor';
const PAGES = 'pages of 1 000';
const SMALL_PAGES = 'pages of 100';
const STREAM = 'a ReadableStream';
const FRAMES = 'frames by hand';

/** The amounts that are read: by each contender in a round, and while the runtime is killed. */
interface Sizes {
  rows: number;
  chunks: number;
  rowsThroughKills: number;
  kills: number;
  smallCalls: number;
}

const WHOLE: Sizes = {
  rows: 50_000,
  chunks: 1_024,
  rowsThroughKills: 1_000_000,
  kills: 50,
  smallCalls: 2_000,
};
const QUICK: Sizes = {
  rows: 2_000,
  chunks: 16,
  rowsThroughKills: 20_000,
  kills: 2,
  smallCalls: 20,
};

/** @throws Error if a row is missing or arrives twice, or if bytes are missing */
export async function measureStreams({ isQuick, note }: PartOptions): Promise<Row[]> {
  const sizes = isQuick ? QUICK : WHOLE;
  const turns = isQuick ? { rounds: 2, warmUp: 0 } : { rounds: 10 };
  await using runtime = await serve(WORKER, { TABLE: 'Table' });
  const open = (name: string): RpcClient<Table> =>
    createRpcClient<Table>('TABLE', name, { baseUrl: runtime.url, bytes });
  using table = open('table');
  await table.fill(sizes.rowsThroughKills);
  const timed = (act: () => Promise<void>) => async (): Promise<number> => {
    const start = performance.now();
    await act();
    return performance.now() - start;
  };

  note('rows');
  const { rows: count } = sizes;
  const byRows = await inTurns(
    new Map([
      [ROWS, timed(() => inOrder(subscribe(table).rows(count), count))],
      ['a generator', timed(() => inOrder(subscribe(table).numbers(count), count))],
      [PAGES, timed(() => inOrder(pages(table, count, 1_000), count))],
      [SMALL_PAGES, timed(() => inOrder(pages(table, count, 100), count))],
    ]),
    turns,
  );

  note('bytes');
  const streamed = async (): Promise<void> => {
    using client = open('bytes');
    let size = 0;
    for await (const { byteLength } of subscribe(client).bytes(sizes.chunks)) size += byteLength;
    if (size !== sizes.chunks * CHUNK) throw new Error(`${size} bytes arrived`);
  };
  const byBytes = await inTurns(
    new Map([
      [STREAM, timed(streamed)],
      [FRAMES, timed(() => framesByHand(runtime.url, sizes.chunks))],
    ]),
    turns,
  );

  note('small calls');
  const beside = async (name: string, read: () => Promise<unknown>): Promise<Row> => {
    using other = open(name);
    let calls = 0;
    const idle = await latencies(other, () => ++calls > sizes.smallCalls);
    let isOver = false;
    const [busy] = await Promise.all([
      latencies(other, () => isOver),
      read().then(() => (isOver = true)),
    ]);
    const ratio = (part: number) => percentile(busy, part) / percentile(idle, part);
    return {
      what: 'a call of another client during a stream, compared with an idle object',
      who: name === 'table' ? ROWS : STREAM,
      value: ratio(0.5),
      note: `90th percentile: ${ratio(0.9).toFixed(2)}`,
    };
  };
  const small = [
    await beside('table', () => inOrder(subscribe(table).rows(count * 2), count * 2)),
    await beside('bytes', streamed),
  ];

  note('kills');
  return [
    ...rowsOf(`${count} rows`, 'ms', byRows, [PAGES, SMALL_PAGES]),
    ...rowsOf(`${(sizes.chunks * CHUNK) / MEBIBYTE} MiB of bytes`, 'ms', byBytes, [FRAMES]),
    ...small,
    await throughKills(runtime, table, sizes),
  ];
}

/** Reads rows, and checks that none is missing. */
async function inOrder(read: AsyncIterable<{ id: number }>, count: number): Promise<void> {
  let last = 0;
  for await (const { id } of read) {
    if (id !== last + 1) throw new Error(`Row ${id} arrived after row ${last}`);
    last = id;
  }
  if (last !== count) throw new Error(`${last} of ${count} rows arrived`);
}

async function* pages(
  table: RpcClient<Table>,
  count: number,
  size: number,
): AsyncGenerator<{ id: number }> {
  let last = 0;
  for (;;) {
    const page = await table.page(count, last, size);
    yield* page;
    last = page.at(-1)?.id ?? last;
    if (page.length < size) return;
  }
}

/** Receives bytes that are sent by hand, with a window of the same size. */
async function framesByHand(url: string, chunks: number): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/TABLE/raw`);
  socket.binaryType = 'arraybuffer';
  let size = 0;
  let unsaid = 0;
  await new Promise<void>((resolve) => {
    socket.addEventListener('open', () => socket.send(`${chunks}`));
    socket.addEventListener('message', ({ data }) => {
      size += (data as ArrayBuffer).byteLength;
      unsaid += (data as ArrayBuffer).byteLength;
      if (unsaid >= WINDOW / 2) {
        socket.send('');
        unsaid = 0;
      }
      if (size === chunks * CHUNK) resolve();
    });
  });
  socket.close();
}

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

async function throughKills(
  runtime: Runtime,
  table: RpcClient<Table>,
  { rowsThroughKills, kills }: Sizes,
): Promise<Row> {
  await runtime.restart();
  const few = rowsThroughKills / 100;
  await inOrder(subscribe(table).rows(few), few);
  const before = await runtime.memory();
  let most = 0;
  let last = 0;
  const start = performance.now();
  for await (const { id } of subscribe(table).rows(rowsThroughKills)) {
    if (id !== ++last) throw new Error(`Row ${id} arrived in place of row ${last}`);
    if (last % Math.floor(rowsThroughKills / (kills + 1)) === 0 && runtime.kills <= kills) {
      most = Math.max(most, await runtime.memory());
      // During the restart, the loop goes on with the rows that have arrived.
      void runtime.restart();
    }
  }
  if (last !== rowsThroughKills) throw new Error(`${last} of ${rowsThroughKills} rows arrived`);
  const grown = (most - before) / MEBIBYTE;
  return {
    what: `${rowsThroughKills} rows through ${kills} kills`,
    who: ROWS,
    value: performance.now() - start,
    unit: 'ms',
    note: `memory of the runtime grew by at most ${grown.toFixed(1)} MiB`,
  };
}
