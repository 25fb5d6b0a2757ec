/**
 * Measures contenders apart: each has its own runtime and client process, objects on a disk, and ten calls to warm up.
 * So no contender profits from code that another has warmed up, as in an application with one library.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Runtime } from '../../harness/runtime.ts';
import { contenders } from '../../harness/counter-perf.ts';
import { CAPNWEB, type Contender } from '../../runtime/src/perf/contenders.ts';
import type { Series } from '../../runtime/src/perf/measure.ts';
import { randomNumbers } from '../../runtime/src/perf/measure/statistics.ts';
import { type Report, summarize } from '../../runtime/src/perf/measure/summary.ts';
import type { Workload } from '../../runtime/src/perf/workloads.ts';
import type { Told } from './client.ts';
import { aging, awaited, others } from './workloads.ts';

const CLIENT = join(import.meta.dirname, 'client.ts');

const NAMES = [
  'this RPC',
  'this RPC, no journal',
  'this RPC, bytes',
  'this RPC, always awake',
  CAPNWEB,
  'by hand, hibernating',
  'by hand, always awake',
];

/** Rounds of each contender for each workload. */
const ROUNDS = 24;

/** Added to the name of a workload whose object has run thousands of calls before. */
export const AGED = ', after 2 500 more increments';

export type Apart = Pick<Report, 'results' | 'leftOut'>;

interface Contestant {
  contender: Contender;
  runtime: Runtime;
  client: ChildProcess;
  /** Rejects when the client ends. */
  ended: Promise<never>;
}

/** @throws Error if a contender that is not a rival cannot run a workload, or if a client ends */
export async function measureApart(
  isQuick: boolean,
  config: string,
  note: (text: string) => void,
): Promise<Apart> {
  const all: Contestant[] = [];
  try {
    for (const name of NAMES) all.push(await enter(name, config));
    const rounds = isQuick ? 2 : ROUNDS;
    const series: Series[] = [];
    const compare = async (workload: Workload, when = ''): Promise<void> => {
      const named = { ...workload, name: workload.name + when };
      note(named.name);
      series.push(...(await compared(all, workload, named, rounds)));
    };
    for (const workload of awaited) await compare(workload);
    const [thousands, hundreds] = isQuick ? [1, 1] : [2, 5];
    for (const contestant of all) {
      for (let thousand = 0; thousand < thousands; thousand++) await round(contestant, aging);
      for (let hundred = 0; hundred < hundreds; hundred++) {
        await round(contestant, awaited[0] as Workload);
      }
    }
    for (const workload of awaited) await compare(workload, AGED);
    for (const workload of others) await compare(workload);
    return summarize(series, CAPNWEB);
  } finally {
    for (const { client, runtime } of all) {
      client.kill();
      await runtime.stop();
    }
  }
}

async function enter(name: string, config: string): Promise<Contestant> {
  const contender = contenders.find((one) => one.name === name);
  if (!contender) throw new Error(`There is no contender ${name}`);
  const runtime = await Runtime.serve({ config, webSocketCompression: false }, tmpdir());
  const client = fork(CLIENT, [name, runtime.url]);
  const ended = once(client, 'exit').then(() => {
    throw new Error(`The client of ${name} ended`);
  });
  // At the end of the measurement, the client is killed on purpose.
  ended.catch(() => {});
  const contestant = { contender, runtime, client, ended };
  await toldBy(contestant);
  return contestant;
}

/**
 * Runs rounds of all contenders, in an order that changes.
 *
 * @param named - the workload with its name in the results
 */
async function compared(
  all: readonly Contestant[],
  workload: Workload,
  named: Workload,
  rounds: number,
): Promise<Series[]> {
  const random = randomNumbers(1);
  const series = all.map(({ contender }): Series => ({
    workload: named,
    contender,
    perCall: [],
    calls: [],
  }));
  for (let count = 0; count < rounds; count++) {
    const order = all.map((one, index) => [random(), one, series[index] as Series] as const);
    for (const [, one, own] of order.toSorted(([a], [b]) => a - b)) {
      if (own.failure) continue;
      const told = await round(one, workload);
      if ('perCall' in told) own.perCall.push(told.perCall);
      else if (one.contender.role === 'rival') own.failure = told.failure;
      else throw new Error(`${one.contender.name}: ${told.failure}`);
    }
  }
  return series;
}

async function round(contestant: Contestant, { name }: Workload): Promise<Told> {
  contestant.client.send(name);
  return toldBy(contestant);
}

async function toldBy({ client, ended }: Contestant): Promise<Told> {
  const [told] = (await Promise.race([once(client, 'message'), ended])) as [Told];
  return told;
}
