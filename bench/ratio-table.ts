/**
 * A table of what calls take in variants, in proportion to the first of them. Imports the template's
 * performance test.
 */
import type { Contender } from '../template/perf/contenders.ts';
import { measure } from '../template/perf/measure.ts';
import { type Estimate, pairedRatio } from '../template/perf/measure/statistics.ts';
import { workloads } from '../template/perf/workloads.ts';

/**
 * Measures variants, and prints a row for each workload.
 *
 * @param variants - the first is what the others are compared with
 * @param names - of workloads
 * @param duration - in milliseconds, of all together
 * @param digits - after the point
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

/** With its interval, as the tables of docs/decisions/ have it. */
export function ratioText({ value, low, high }: Estimate, digits: number): string {
  const [ratio, from, to] = [value, low, high].map((one) => one.toFixed(digits));
  return `${ratio} (${from} to ${to})`;
}

function rowOf(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}
