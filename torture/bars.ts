/** Upper limits of figures. */
import { median } from '../runtime/src/perf/measure/statistics.ts';
import type { Context, Figures } from './scenario.ts';

/** Collects figures with their bars, and a failure for each figure beyond its bar. */
export class Bars {
  readonly figures: Record<string, number | string> = {};
  readonly failures: string[] = [];
  readonly #isJudged: boolean;

  /** In the short form a bar is only printed, because there are too few measurements. */
  constructor({ short }: Pick<Context, 'short'>) {
    this.#isJudged = !short;
  }

  atMost(most: number, what: string, value: number): void {
    this.figures[what] = `${rounded(value)} (at most ${most})`;
    // NaN fails too.
    if (this.#isJudged && !(value <= most)) {
      this.failures.push(`${what}: ${rounded(value)}, and at most ${most} is allowed`);
    }
  }

  part(title: string, figures: Figures['figures'] = {}, failures: string[] = []): Figures {
    return {
      title,
      figures: { ...figures, ...this.figures },
      failures: [...failures, ...this.failures],
    };
  }
}

/**
 * Compares two functions that run in turns, so that other load on the machine affects both.
 *
 * @returns the median of the ratios of the rounds; Infinity if a round failed
 */
export async function ratioByTurns(
  rounds: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Each function runs first as often as the other.
    const isFirst = round % 2 === 0;
    const early = await (isFirst ? one : other)();
    const late = await (isFirst ? other : one)();
    ratios.push(isFirst ? early / late : late / early);
    if (!ratios.every(Number.isFinite)) return Infinity;
  }
  return median(ratios);
}

/** Rounds to two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
