/** What a scenario is, what it is given and what it gives back. Imports evidence. */
import type { Verdict } from './evidence.ts';

export interface Context {
  /** Bounds: the short form proves that the scenario works, the long one the promise. */
  readonly short: boolean;
  readonly seed: number;
  /** From 0 up to 1, from the seed. */
  readonly random: () => number;
  /** Tells whoever waits what is going on. */
  readonly note: (text: string) => void;
}

export interface Figures {
  /** What was done, such as `WebSocket`. */
  title: string;
  /** In the order in which they are to be printed. */
  figures: Record<string, number | string>;
  /** What was expected and did not happen; none when all is well. */
  failures: string[];
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  run(context: Context): Promise<Figures[]>;
}

/** The figures of a verdict, and its failures. */
export function reportOf(
  verdict: Verdict,
  allowedErrors: readonly string[] = [],
): {
  figures: Record<string, number | string>;
  failures: string[];
} {
  const { calls, lost, doubled, unsettled, errors, finalValue } = verdict;
  const failures: string[] = [];
  const codes = Object.entries(errors);
  const unexpected = codes.filter(([code]) => !allowedErrors.includes(code));
  if (lost > 0) failures.push(`${lost} answered calls are not in the counter`);
  if (doubled > 0) failures.push(`${doubled} executions belong to no call`);
  if (unsettled > 0) failures.push(`${unsettled} calls never ended`);
  if (calls === 0) failures.push('no call was made');
  for (const [code, count] of unexpected) failures.push(`${count} calls rejected with ${code}`);
  return {
    figures: {
      calls,
      counter: finalValue,
      lost,
      doubled,
      errors: codes.map(([code, count]) => `${count} ${code}`).join(', ') || 0,
    },
    failures,
  };
}
