/** Measures the CPU time that a client's process takes for an awaited read. Each contender has a process of its own. */
import { Contestant } from '../contenders/contestant.ts';
import { CAPNWEB, CLIENT_READ, FLOOR, READS, THIS_RPC, VALIDATED } from '../results/names.ts';
import type { PartOptions } from '../part.ts';
import { type Row, rowsOf } from '../results/rows.ts';
import { inTurns } from '../turns.ts';

/**
 * The numbers of rounds of 100 reads. The first rounds let the engine optimize the code, which takes a client longer
 * than the reads.
 */
const WARM_UP = 40;
const ROUNDS = 80;

/** @throws Error if an answer is wrong, or if a client ends */
export async function measureClientCpu({ isQuick, note }: PartOptions): Promise<Row[]> {
  await using all = new AsyncDisposableStack();
  const acts = new Map<string, () => Promise<number>>();
  for (const name of [THIS_RPC, CAPNWEB, VALIDATED, FLOOR]) {
    const contestant = all.use(await Contestant.enter(name));
    acts.set(name, async () => {
      const told = await contestant.round(READS);
      if ('failure' in told) throw new Error(`${name}: ${told.failure}`);
      return told.cpu;
    });
  }
  const [rounds, warmUp] = isQuick ? [2, 0] : [ROUNDS, WARM_UP];
  const times = await inTurns(acts, {
    rounds,
    warmUp,
    onRound: (round) => note(`round ${round + 1} of ${rounds}`),
  });
  return rowsOf(CLIENT_READ, 'µs', times, [FLOOR, CAPNWEB]);
}
