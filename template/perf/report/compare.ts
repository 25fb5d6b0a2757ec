/** Compares two measurements, and finds what differs beyond the noise. */
import type { Configuration, Result } from '../measure/summary.ts';
import type { Estimate } from '../measure/statistics.ts';
import { formatRatio } from './tables.ts';

/** The part of a result that an entry of PERFORMANCE.md contains. */
export type Figure = Pick<Result, 'workload' | 'contender' | 'role' | 'ratio' | 'toEmpty'>;

/** The ratio that is compared: `ratio` for this RPC, `toEmpty` for the project's methods too. */
export type Measure = 'ratio' | 'toEmpty';

export interface Change extends Omit<Figure, 'toEmpty'> {
  before: Estimate;
  ratio: Estimate;
  measure: Measure;
  /** `same` if the intervals overlap. */
  verdict: 'slower' | 'faster' | 'same';
}

/** Compares the ratios that both measurements contain. */
export function compareFigures(
  before: readonly Figure[],
  after: readonly Figure[],
  measure: Measure = 'ratio',
): Change[] {
  return after.flatMap(({ workload, contender, role, [measure]: ratio }) => {
    const old = before.find((one) => isAlike(one, { workload, contender }))?.[measure];
    if (!ratio || !old) return [];
    const verdict = ratio.low > old.high ? 'slower' : ratio.high < old.low ? 'faster' : 'same';
    return [{ workload, contender, role, before: old, ratio, measure, verdict }];
  });
}

type Names = Pick<Result, 'workload' | 'contender'>;

/** Whether two results are of the same contender in the same workload. */
export function isAlike(one: Names, other: Names): boolean {
  return one.workload === other.workload && one.contender === other.contender;
}

/** Why the ratios of two measurements cannot be compared; `undefined` if they can. */
export function differenceOf(before: Configuration, after: Configuration): string | undefined {
  const differing = (['target', 'webSocketCompression'] as const).flatMap((name) =>
    before[name] === after[name] ? [] : `${name} was ${before[name]}, is ${after[name]}`,
  );
  return differing.join('; ') || undefined;
}

/** Returns a line for each change beyond the noise, or one line if there is no such change. */
export function formatChanges(changes: readonly Change[]): string[] {
  const differing = changes.filter(({ verdict }) => verdict !== 'same');
  if (differing.length === 0) return [`None of ${changes.length} ratios differs beyond the noise.`];
  return differing.map(
    ({ workload, contender, measure, verdict, before, ratio }) =>
      `${verdict}: ${contender}, ${workload}${measure === 'toEmpty' ? ', to a call of no method' : ''}: ` +
      `was ${formatRatio(before)}, is ${formatRatio(ratio)}`,
  );
}
