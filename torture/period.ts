/** Finds what returns every so many times. Pure; imports statistics. */
import { median } from '../template/perf/measure/statistics.ts';

/** A time that is so many times the median is a stall. */
const SLOW = 4;
/** The longest period that is looked for. */
const LONGEST = 1_000;
/** So often it has to have been seen, and so many of the times when it was due. */
const SEEN = 10;
const RELIABLE = 0.8;

/**
 * Whether every n-th time is a stall. Stalls that come at random, however many, are none.
 *
 * @param times - in their order
 * @returns the shortest period in words, or `undefined`
 */
export function findPeriod(times: readonly number[]): string | undefined {
  const usual = median(times);
  const slow = [...times.keys()].filter((index) => (times[index] as number) > SLOW * usual);
  // Were nearly all slow, each period would be found.
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
