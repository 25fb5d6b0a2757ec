/** The context of a scenario, and the figures and failures that it returns. */
import { median } from '../runtime/src/perf/measure/statistics.ts';
import type { Verdict } from './clients/evidence.ts';

export interface Context {
  /** True for a short run, which only shows that the scenario works. A long run tests the guarantee. */
  readonly short: boolean;
  readonly seed: number;
  /** Returns a number from 0 up to 1, determined by the seed. */
  readonly random: () => number;
  /** Prints the progress. */
  readonly note: (text: string) => void;
}

export interface Figures {
  /** The name of the part, such as `WebSocket`. */
  title: string;
  /** The figures, in the order of printing. */
  figures: Record<string, number | string>;
  /** The failures. The list is empty if the part has passed. */
  failures: string[];
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  run(context: Context): Promise<Figures[]>;
}

/** The rejections and interruptions that are no failures. */
export interface Allowed {
  /** The allowed codes of rejections. */
  errors?: readonly string[];
  /** True if the object was stopped, so that late calls may have been interrupted. */
  interruptions?: boolean;
}

/** Returns the figures of a verdict, and its failures. */
export function reportOf(
  verdict: Verdict,
  { errors: allowedErrors = [], interruptions = false }: Allowed = {},
): {
  figures: Record<string, number | string>;
  failures: string[];
} {
  const { calls, executed, lost, wrong, doubled, unsettled, interrupted, errors } = verdict;
  const failures: string[] = [];
  const codes = Object.entries(errors);
  const unexpected = codes.filter(([code]) => !allowedErrors.includes(code));
  if (lost > 0) failures.push(`${lost} answered calls were not executed`);
  if (wrong > 0) failures.push(`${wrong} answers differ from the records of the object`);
  if (doubled > 0) failures.push(`${doubled} executions belong to no call`);
  if (unsettled > 0) failures.push(`${unsettled} calls never ended`);
  if (calls === 0) failures.push('no call was made');
  if (interrupted > 0 && !interruptions) failures.push(`${interrupted} calls were interrupted`);
  for (const [code, count] of unexpected) failures.push(`${count} calls rejected with ${code}`);
  return {
    figures: {
      calls,
      executed,
      lost,
      wrong,
      doubled,
      ...(interruptions && { interrupted }),
      errors: codes.map(([code, count]) => `${count} ${code}`).join(', ') || 0,
    },
    failures,
  };
}

/** Collects figures with their limits, and a failure for each figure beyond its limit. */
export class Bars {
  readonly figures: Record<string, number | string> = {};
  readonly failures: string[] = [];
  readonly #isJudged: boolean;

  /** In the short form, limits are only printed, because there are too few measurements. */
  constructor({ short }: Pick<Context, 'short'>) {
    this.#isJudged = !short;
  }

  atMost(most: number, what: string, value: number): void {
    this.figures[what] = `${rounded(value)} (at most ${most})`;
    // NaN fails, too.
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
    // Both functions run first equally often.
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
