/** Finds stalls that recur with a period. Pure; imports statistics. */
import { median } from '../runtime/src/perf/measure/statistics.ts';

/** A time is a stall if it is more than this many times the median. */
const SLOW = 4;
/** The longest period to look for. */
const LONGEST = 1_000;
/** Least number of stalls with a period, and least part of the calls at which a stall was due. */
const SEEN = 10;
const RELIABLE = 0.8;

/**
 * Finds out whether every n-th time is a stall. Stalls at random times do not count.
 *
 * @param times - in the order of the calls
 * @returns the shortest period as text, or `undefined`
 */
export function findPeriod(times: readonly number[]): string | undefined {
  const usual = median(times);
  const slow = [...times.keys()].filter((index) => (times[index] as number) > SLOW * usual);
  // If nearly all times were slow, every period would match.
  if (slow.length > times.length / 4) return undefined;
  for (let period = 2; period <= LONGEST; period++) {
    const counts = new Map<number, number>();
    for (const index of slow) counts.set(index % period, (counts.get(index % period) ?? 0) + 1);
    for (const [phase, count] of counts) {
      const due = Math.floor((times.length - phase - 1) / period) + 1;
      if (count < SEEN || count < RELIABLE * due) continue;
      const stalls = slow.filter((index) => index % period === phase);
      const length = median(stalls.map((index) => times[index] as number));
      return `every ${period}th, ${Math.round(length)} ms`;
    }
  }
  return undefined;
}
