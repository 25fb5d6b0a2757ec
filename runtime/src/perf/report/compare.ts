/** Compares two measurements, and finds the ratios that differ beyond the noise. */
import type { Configuration, Result } from '../measure/summary.ts';
import { type Estimate, isWide } from '../measure/statistics.ts';
import { formatRatio } from './tables.ts';

/** The part of a result that an entry of PERFORMANCE.md contains. */
export type Figure = Pick<Result, 'workload' | 'contender' | 'role' | 'ratio' | 'toEmpty'>;

/** The ratio that is compared: `ratio` for this RPC, `toEmpty` for the project's methods too. */
export type Measure = 'ratio' | 'toEmpty';

export interface Change extends Omit<Figure, 'toEmpty'> {
  before: Estimate;
  ratio: Estimate;
  measure: Measure;
  /** If the intervals overlap, the verdict is `unclear` if an interval is too wide, and otherwise `same`. */
  verdict: 'slower' | 'faster' | 'same' | 'unclear';
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
    const verdict = verdictOf(old, ratio);
    return [{ workload, contender, role, before: old, ratio, measure, verdict }];
  });
}

function verdictOf(before: Estimate, after: Estimate): Change['verdict'] {
  if (after.low > before.high) return 'slower';
  if (after.high < before.low) return 'faster';
  return isWide(before) || isWide(after) ? 'unclear' : 'same';
}

/**
 * Judges changes by a second measurement. An interval covers only the noise within one run, and two runs can
 * differ by more. So a change is slower only if it is slower in both.
 *
 * @returns the changes, with the verdict of the second measurement; `unclear` if only the second is slower, or
 *   if it has no such ratio
 */
export function judgeAgain(first: readonly Change[], second: readonly Change[]): Change[] {
  return first.map((change) => {
    const again = second.find((one) => isAlike(one, change) && one.measure === change.measure);
    if (!again) return { ...change, verdict: 'unclear' };
    const isSlowerOnce = again.verdict === 'slower' && change.verdict !== 'slower';
    return isSlowerOnce ? { ...again, verdict: 'unclear' } : again;
  });
}

type Names = Pick<Result, 'workload' | 'contender'>;

/** Returns whether two results belong to the same contender in the same workload. */
export function isAlike(one: Names, other: Names): boolean {
  return one.workload === other.workload && one.contender === other.contender;
}

/** Returns the reason why the ratios of two measurements cannot be compared; `undefined` if they can be compared. */
export function differenceOf(before: Configuration, after: Configuration): string | undefined {
  const differing = (['target', 'webSocketCompression'] as const).flatMap((name) =>
    before[name] === after[name] ? [] : `${name} was ${before[name]}, is ${after[name]}`,
  );
  return differing.join('; ') || undefined;
}

/**
 * Returns a line for each change beyond the noise, or one line if there is no such change. A last line counts the
 * unclear changes.
 */
export function formatChanges(changes: readonly Change[]): string[] {
  const differing = changes.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster');
  const unclear = changes.filter(({ verdict }) => verdict === 'unclear').length;
  return [
    ...(differing.length > 0
      ? differing.map(formatChange)
      : [`None of ${changes.length} ratios differs beyond the noise.`]),
    ...(unclear > 0
      ? [`${unclear} of ${changes.length} cannot be compared: an interval is too wide.`]
      : []),
  ];
}

export function formatChange({
  workload,
  contender,
  measure,
  verdict,
  before,
  ratio,
}: Change): string {
  const to = measure === 'toEmpty' ? ', to a call of no method' : '';
  const change = `was ${formatRatio(before)}, is ${formatRatio(ratio)}`;
  return `${verdict}: ${contender}, ${workload}${to}: ${change}`;
}
