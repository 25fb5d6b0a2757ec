/** Runs contenders in turns, which is how each part of the bench measures. */
import { randomNumbers } from '../runtime/src/perf/measure/statistics.ts';

export interface TurnOptions {
  /** The number of recorded rounds. */
  rounds: number;
  /** The number of earlier rounds that are not recorded. Default 2. */
  warmUp?: number;
  /** Called before each recorded round, with its number. */
  onRound?: (round: number) => void;
}

/**
 * Runs each contender once in a round. Their order is random in one round and reversed in the next, so that each contender
 * has other neighbours.
 *
 * @param contenders - the contenders by name; each resolves to the result of its round
 * @returns the results of the recorded rounds, by name
 * @throws the error of a contender
 */
export async function inTurns<Result>(
  contenders: ReadonlyMap<string, () => Promise<Result>>,
  { rounds, warmUp = 2, onRound }: TurnOptions,
): Promise<Map<string, Result[]>> {
  const random = randomNumbers(1);
  const names = [...contenders.keys()];
  const results = new Map(names.map((name) => [name, [] as Result[]]));
  let order: string[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    if (round >= 0) onRound?.(round);
    order = (round + warmUp) % 2 ? order.toReversed() : shuffled(names, random);
    for (const name of order) {
      const result = await (contenders.get(name) as () => Promise<Result>)();
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  return results;
}

function shuffled(names: readonly string[], random: () => number): string[] {
  return names
    .map((name) => [random(), name] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, name]) => name);
}
