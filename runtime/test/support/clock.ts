/** The clock by which a client's timeouts run, in Node. */
import { onTestFinished } from 'vitest';

/**
 * Adds `ahead`, in milliseconds, to `performance.now()` until the test ends. Timers do not move with it: a
 * client looks at the timeouts of all calls when its timer fires for the earliest.
 */
export function movableClock(): { ahead: number } {
  const clock = { ahead: 0 };
  const { now } = performance;
  performance.now = () => now.call(performance) + clock.ahead;
  onTestFinished(() => void (performance.now = now));
  return clock;
}
