/** Runs workloads of the performance test, and gives their results as rows. */
import { counter, workloads } from '../harness/counter-perf.ts';
import type { Contender } from '../runtime/src/perf/contenders.ts';
import { measure, type MeasureOptions, type Series } from '../runtime/src/perf/measure.ts';
import { type Against, type Row, rowsOf } from './results/rows.ts';

/** The settings of runs that only show that everything works. */
export const QUICK: MeasureOptions = { ...counter, warmUp: 0, duration: 0, fewestRounds: 2 };

/**
 * @returns a row for each workload and contender: microseconds for one call, or the reason why the contender cannot run
 *   the workload
 */
export function rowsOfSeries(series: readonly Series[], against: Against): Row[] {
  const byWorkload = Map.groupBy(series, ({ workload }) => workload.name);
  const rows: Row[] = [];
  for (const [what, all] of byWorkload) {
    const able = all.filter(({ failure }) => failure === undefined);
    const figures = new Map(able.map(({ contender, perCall }) => [contender.name, perCall]));
    rows.push(...rowsOf(what, 'µs', figures, against));
    for (const { contender, failure } of all) {
      if (failure === undefined) continue;
      const note = failure.replaceAll(/\s+/g, ' ').slice(0, 200);
      rows.push({ what, who: contender.name, note });
    }
  }
  return rows;
}

/**
 * Measures variants of one contender, and compares them with the first variant.
 *
 * @param names - the names of the workloads
 * @param duration - the time for all variants together, in milliseconds
 */
export async function compareVariants(
  variants: readonly Contender[],
  names: readonly string[],
  duration: number,
  isQuick: boolean,
): Promise<Row[]> {
  const chosen = workloads.filter(({ name }) => names.includes(name));
  const options = isQuick ? QUICK : { ...counter, warmUp: 2, duration };
  const series = await measure('', variants, chosen, options);
  return rowsOfSeries(series, [(variants[0] as Contender).name]);
}
