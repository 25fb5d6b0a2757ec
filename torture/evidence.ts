/**
 * Judges a run from what clients saw and what the counter says in the end, and from nothing else.
 * Every call added one, so the answers of a perfect run are the numbers from 1 to the count, each
 * seen once. Pure functions; imports nothing.
 */
import type { Evidence, Rejection } from './load.ts';

export interface Verdict {
  calls: number;
  answered: number;
  /** Calls without an answer, by code. */
  errors: Record<string, number>;
  /** Answered calls whose effect is not in the counter: two share a value, or it is out of range. */
  lost: number;
  /** Executions in the counter that no call can account for. */
  doubled: number;
  /** Calls that were neither answered nor rejected. */
  unsettled: number;
  finalValue: number;
}

/**
 * @param finalValue - the counter's, read over a connection of its own after every call has ended
 */
export function judge(parts: readonly Evidence[], finalValue: number): Verdict {
  const results = parts.flatMap((part) => part.results);
  const rejections = parts.flatMap((part) => part.rejections);
  const calls = parts.reduce((sum, part) => sum + part.calls, 0);
  const isValue = (value: number): boolean =>
    Number.isInteger(value) && value >= 1 && value <= finalValue;
  const accounted = new Set(results.filter(isValue)).size;
  // A rejection that says so may have executed; what it added was seen by nobody.
  const uncertain = rejections.filter(({ maybeExecuted }) => maybeExecuted).length;
  return {
    calls,
    answered: results.length,
    errors: countCodes(rejections),
    lost: results.length - accounted,
    doubled: Math.max(0, finalValue - accounted - uncertain),
    unsettled: calls - results.length - rejections.length,
    finalValue,
  };
}

/** For so long after a fault, in milliseconds, answers still come that were under way. */
const UNDERWAY = 250;

/**
 * How long clients had to wait after each fault: to the end of the silence that began around it.
 *
 * @param faults - when they happened, ascending
 * @param answeredAt - when the answers of those whom they hit came, ascending
 * @returns milliseconds for each fault after which an answer came
 */
export function recoveries(faults: readonly number[], answeredAt: readonly number[]): number[] {
  return faults.flatMap((fault, index) => {
    const latest = Math.min(fault + UNDERWAY, faults[index + 1] ?? Infinity);
    let longest = { from: 0, to: 0 };
    for (let i = 0; i < answeredAt.length; i++) {
      const from = answeredAt[i - 1] ?? fault;
      const to = answeredAt[i] as number;
      if (to < fault) continue;
      if (from > latest) break;
      if (to - from > longest.to - longest.from) longest = { from, to };
    }
    return longest.to > 0 ? [longest.to - fault] : [];
  });
}

function countCodes(rejections: readonly Rejection[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of rejections) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
