/**
 * Measures contenders that each have their own runtime and client process, objects on a disk, and ten calls to warm up.
 * So each contender is measured as in an application with one library.
 */
import { tmpdir } from 'node:os';
import { against, contenderOf } from '../contenders/peers.ts';
import { Contestant } from '../contenders/contestant.ts';
import { CAPNWEB, FLOOR, INCREMENTS, THIS_RPC, VALIDATED, WITH_BYTES } from '../results/names.ts';
import type { PartOptions } from '../part.ts';
import { type Row, rowsOf } from '../results/rows.ts';
import { inTurns } from '../turns.ts';
import { aging, awaited, others } from '../contenders/workloads.ts';

const NAMES = [
  THIS_RPC,
  'this RPC, no journal',
  WITH_BYTES,
  'this RPC, always awake',
  CAPNWEB,
  VALIDATED,
  FLOOR,
  'by hand, always awake',
];

/** The contenders that are compared first. A quick run measures all contenders in the part `calls`. */
const QUICK = [THIS_RPC, CAPNWEB, FLOOR];

/** The number of rounds of each contender for each workload. */
const ROUNDS = 24;

/** The end of the name of a workload whose object has already run thousands of calls. */
const AGED = ', after 2 500 more increments';

/** @throws Error if a contender that is not a rival cannot run a workload, or if a client ends */
export async function measureApart({ isQuick, note }: PartOptions): Promise<Row[]> {
  await using all = new AsyncDisposableStack();
  const contestants: Contestant[] = [];
  for (const name of isQuick ? QUICK : NAMES)
    contestants.push(all.use(await Contestant.enter(name, tmpdir())));
  const rounds = isQuick ? 2 : ROUNDS;
  const rows: Row[] = [];
  const compare = async (workload: string, when = ''): Promise<void> => {
    note(workload + when);
    rows.push(...(await compared(contestants, workload, workload + when, rounds)));
  };
  for (const { name } of awaited) await compare(name);
  const [thousands, hundreds] = isQuick ? [1, 1] : [2, 5];
  for (const contestant of contestants) {
    for (let thousand = 0; thousand < thousands; thousand++) await contestant.round(aging.name);
    for (let hundred = 0; hundred < hundreds; hundred++) await contestant.round(INCREMENTS);
  }
  for (const { name } of awaited) await compare(name, AGED);
  for (const { name } of others) await compare(name);
  return rows;
}

/** @param what - the name in the results */
async function compared(
  contestants: readonly Contestant[],
  workload: string,
  what: string,
  rounds: number,
): Promise<Row[]> {
  const failures: Row[] = [];
  const able: Contestant[] = [];
  // The first round shows which contenders can run the workload. It gives no contender more warm-up than the others.
  const first = new Map<string, number>();
  for (const one of contestants) {
    const told = await one.round(workload);
    if ('perCall' in told) {
      able.push(one);
      first.set(one.name, told.perCall);
    } else if (contenderOf(one.name).role === 'rival') {
      failures.push({ what, who: one.name, note: told.failure });
    } else throw new Error(`${one.name}: ${told.failure}`);
  }
  const acts = able.map((one) => {
    const act = async (): Promise<number> => {
      const told = await one.round(workload);
      if ('failure' in told) throw new Error(`${one.name}: ${told.failure}`);
      return told.perCall;
    };
    return [one.name, act] as const;
  });
  const times = await inTurns(new Map(acts), { rounds: rounds - 1, warmUp: 0 });
  for (const [name, all] of times) all.unshift(first.get(name) as number);
  return [...rowsOf(what, 'µs', times, against), ...failures];
}
