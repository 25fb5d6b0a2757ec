/** What a figure may be at most. Imports scenario and statistics. */
import { median } from '../template/perf/measure/statistics.ts';
import type { Context, Figures } from './scenario.ts';

/** A figure with its bar, and a failure where the figure is beyond it. */
export class Bars {
  readonly figures: Record<string, number | string> = {};
  readonly failures: string[] = [];
  readonly #isJudged: boolean;

  /** In the short form a bar is only shown: too little was measured to judge by it. */
  constructor({ short }: Pick<Context, 'short'>) {
    this.#isJudged = !short;
  }

  atMost(most: number, what: string, value: number): void {
    this.figures[what] = `${rounded(value)} (at most ${most})`;
    // A figure that is none has not been reached.
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
 * How two things compare that were done by turns, so that what the machine does beside is in both.
 *
 * @returns the median of the ratios of the rounds; Infinity when a round could not be ended
 */
export async function ratioByTurns(
  rounds: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Each goes first as often as the other.
    const isFirst = round % 2 === 0;
    const early = await (isFirst ? one : other)();
    const late = await (isFirst ? other : one)();
    ratios.push(isFirst ? early / late : late / early);
    if (!ratios.every(Number.isFinite)) return Infinity;
  }
  return median(ratios);
}

/** To two places. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
