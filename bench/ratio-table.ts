/** Prints a table of the times of variants, relative to the first variant. */
import type { Contender } from '../runtime/src/perf/contenders.ts';
import { measure } from '../runtime/src/perf/measure.ts';
import { type Estimate, pairedRatio } from '../runtime/src/perf/measure/statistics.ts';
import { workloads } from '../harness/counter-perf.ts';

/**
 * Measures variants, and prints a row for each workload.
 *
 * @param variants - the others are compared with the first
 * @param names - of workloads
 * @param duration - time for all variants together, in milliseconds
 * @param digits - number of decimals
 */
export async function printRatios(
  variants: readonly Contender[],
  names: ReadonlySet<string>,
  duration: number,
  digits: number,
): Promise<void> {
  const chosen = workloads.filter(({ name }) => names.has(name));
  const series = await measure('', variants, chosen, { warmUp: 2, duration });
  const [, ...compared] = variants.map(({ name }) => name);
  console.log(rowOf('workload', ...compared));
  console.log(rowOf('---', ...compared.map(() => '---')));
  for (const workload of chosen) {
    const [base = [], ...others] = series
      .filter((one) => one.workload === workload)
      .map(({ perCall }) => perCall);
    const ratios = others.map((times) => ratioText(pairedRatio(times, base), digits));
    console.log(rowOf(workload.name, ...ratios));
  }
}

/** Formats a ratio with its interval, as in the tables of docs/decisions/. */
export function ratioText({ value, low, high }: Estimate, digits: number): string {
  const [ratio, from, to] = [value, low, high].map((one) => one.toFixed(digits));
  return `${ratio} (${from} to ${to})`;
}

function rowOf(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}
