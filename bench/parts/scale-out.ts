/** Measures increments with a growing number of objects, for a table of docs/scale-and-cost.md. */
import { join } from 'node:path';
import { markdownTable } from '../../scripts/pages/markdown.mjs';
import { createRpcClient, type RpcClient } from '../../runtime/src/client.ts';
import type { PartOptions } from '../part.ts';
import { type Row, rowsOf } from '../results/rows.ts';
import { serve } from '../serve.ts';
import { inTurns } from '../turns.ts';
import type { Shard } from './workers/scale-out.ts';

const WORKER = join(import.meta.dirname, 'workers/scale-out.ts');

/** The numbers of objects that share the increments. */
const OBJECTS = [1, 2, 4, 8, 16];
const CLIENTS = 64;
const ROUNDS = 20;

const INCREMENTS = `increments of ${CLIENTS} clients`;

/** @throws Error if the objects have a wrong number of increments */
export async function measureScaleOut({ isQuick, note }: PartOptions): Promise<Row[]> {
  /** The number of calls of each client in a round, one after another. */
  const calls = isQuick ? 2 : 50;
  const rounds = isQuick ? 2 : ROUNDS;
  await using runtime = await serve(WORKER, { SHARD: 'Shard' });
  const baseUrl = runtime.url;
  using all = new DisposableStack();
  const crews = OBJECTS.map((objects) => {
    const clients = Array.from({ length: CLIENTS }, (_, client) => {
      const shard = `of-${objects}/${client % objects}`;
      return all.use(createRpcClient<Shard>('SHARD', shard, { baseUrl }));
    });
    return { objects, clients };
  });
  const acts = crews.map(
    ({ objects, clients }) => [nameOf(objects), () => countOnce(clients, calls)] as const,
  );
  const times = await inTurns(new Map(acts), {
    rounds,
    warmUp: 2,
    onRound: (round) => note(`round ${round + 1} of ${rounds}`),
  });
  for (const { objects, clients } of crews) {
    await check(objects, clients, CLIENTS * calls * (rounds + 2));
  }
  return rowsOf(INCREMENTS, 'µs', times, [nameOf(1)]);
}

/** @returns Markdown of the page's table: the speed with each number of objects, as the inverse of the ratio of times */
export function curve(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ what, who, to }) => {
    const [ratio, low, high] = (what === INCREMENTS && to?.[nameOf(1)]) || [];
    if (!ratio || !low || !high) return [];
    const text = `${inverse(ratio)} (${inverse(high)}–${inverse(low)})`;
    return [[String(Number.parseInt(who, 10)), text]];
  });
  return markdownTable([['objects', 'speed, compared with one object'], ...lines]);
}

function inverse(ratio: number): string {
  return (1 / ratio).toFixed(2);
}

function nameOf(objects: number): string {
  return objects === 1 ? '1 object' : `${objects} objects`;
}

/** @returns microseconds for one increment */
async function countOnce(clients: readonly RpcClient<Shard>[], calls: number): Promise<number> {
  const time = await timeOf(() =>
    Promise.all(
      clients.map(async (client) => {
        for (let call = 0; call < calls; call++) await client.increment();
      }),
    ),
  );
  return time / (clients.length * calls);
}

async function check(
  objects: number,
  clients: readonly RpcClient<Shard>[],
  right: number,
): Promise<void> {
  const values = await Promise.all(clients.slice(0, objects).map((client) => client.getValue()));
  const sum = values.reduce((one, other) => one + other, 0);
  if (sum !== right) throw new Error(`The sum of ${objects} objects is ${sum}, and not ${right}`);
}

/** @returns microseconds */
async function timeOf(act: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return (performance.now() - start) * 1000;
}
