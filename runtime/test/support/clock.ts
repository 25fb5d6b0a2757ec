/** Moves the clock of a client's timeouts, in Node. */
import { onTestFinished } from 'vitest';

/**
 * Adds `ahead`, in milliseconds, to `performance.now()` until the test ends. Timers do not move
 * with it. When its timer fires for the earliest timeout, a client checks the timeouts of all
 * calls.
 */
export function movableClock(): { ahead: number } {
  const clock = { ahead: 0 };
  const { now } = performance;
  performance.now = () => now.call(performance) + clock.ahead;
  onTestFinished(() => void (performance.now = now));
  return clock;
}
