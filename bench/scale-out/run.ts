/**
 * `npm run scale-out`: measures increments with a growing number of objects, and writes the table into
 * docs/scale-and-cost.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Runtime } from '../../harness/runtime.ts';
import { markdownTable } from '../../scripts/markdown-table.mjs';
import { type Estimate, pairedRatio } from '../../runtime/src/perf/measure/statistics.ts';
import type { Shard } from '../../examples/shards/src/shard.ts';
import { createRpcClient, type RpcClient } from '../../runtime/src/client.ts';
import { shardName, SHARDS } from '../../examples/shards/src/shards.ts';
import type { Total } from '../../examples/shards/src/total.ts';

const CONFIG = join(import.meta.dirname, 'wrangler.jsonc');
const PAGE = join(import.meta.dirname, '../../docs/scale-and-cost.md');
const PLACE = /(?<=<!-- curve -->\n).*(?=<!-- end of curve -->)/s;

/** How many objects share the counting. */
const OBJECTS = [1, 2, 4, 8, 16];
const CLIENTS = 64;
/** Calls of each client in a round, one after another. */
const CALLS = 50;
/** The first round warms up. The number of the others is even, so that each order has its reverse. */
const ROUNDS = 1 + 20;

interface Crew {
  objects: number;
  clients: RpcClient<Shard>[];
  /** Milliseconds of each round. */
  times: number[];
}

const runtime = await Runtime.serve({ config: CONFIG });
try {
  const baseUrl = runtime.url;
  const crews = OBJECTS.map((objects): Crew => {
    const clients = Array.from({ length: CLIENTS }, (_, client) => {
      const shard = shardName(`of-${objects}`, client % objects);
      return createRpcClient<Shard>('SHARD', shard, { baseUrl });
    });
    return { objects, clients, times: [] };
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (const crew of round % 2 ? crews : crews.toReversed()) {
      const time = await countOnce(crew);
      if (round > 0) crew.times.push(time);
    }
  }
  for (const crew of crews) await check(crew);
  using total = createRpcClient<Total>('TOTAL', `of-${SHARDS}`, { baseUrl });
  const counter = crews[0]?.clients[0] as RpcClient<Shard>;
  const sums = await timeReads(total);
  const reads = await timeReads(counter);
  for (const { clients } of crews) for (const client of clients) client.close();
  const table = tableOf(crews);
  await writeFile(PAGE, (await readFile(PAGE, 'utf8')).replace(PLACE, `\n${table}\n\n`));
  console.log(
    `${table}\n\nCompared with a read of one object, a total of ${SHARDS} takes ${text(pairedRatio(sums, reads))}`,
  );
} finally {
  await runtime.stop();
}

/** @returns time of the round in milliseconds */
async function countOnce({ clients }: Crew): Promise<number> {
  const start = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let call = 0; call < CALLS; call++) await client.increment();
    }),
  );
  return performance.now() - start;
}

/** @throws Error if the objects have a wrong number of increments */
async function check({ objects, clients }: Crew): Promise<void> {
  const values = await Promise.all(clients.slice(0, objects).map((client) => client.getValue()));
  const sum = values.reduce((one, other) => one + other, 0);
  const right = CLIENTS * CALLS * ROUNDS;
  if (sum !== right) throw new Error(`${objects} objects have counted ${sum}, not ${right}`);
}

/** @returns times of 200 reads in milliseconds, made one after another */
async function timeReads(client: { getValue(): Promise<number> }): Promise<number[]> {
  const times: number[] = [];
  for (let read = 0; read < 220; read++) {
    const start = performance.now();
    await client.getValue();
    if (read >= 20) times.push(performance.now() - start);
  }
  return times;
}

/** The speed with each number of objects, as the inverse of the ratio of times. */
function tableOf([one, ...more]: readonly Crew[]): string {
  const rows = more.map(({ objects, times }) => [
    String(objects),
    text(pairedRatio(one?.times ?? [], times)),
  ]);
  return markdownTable([['objects', 'speed, compared with one'], ...rows]);
}

function text({ value, low, high }: Estimate): string {
  return `${value.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
