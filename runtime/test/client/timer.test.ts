/** One timer for many deadlines, seen from its clock. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Timer } from '../../src/client/timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('fires at the earliest deadline, and then at the one it is told', () => {
  const times: number[] = [];
  const start = performance.now();
  const timer = new Timer((now) => {
    times.push(now - start);
    return times.length === 1 ? start + 300 : Infinity;
  });
  for (const deadline of [200, 100, 150]) timer.watch(start + deadline);
  vi.advanceTimersByTime(1000);
  expect(times).toEqual([100, 300]);
});

test('does not fire once it has been stopped, and can be used again', () => {
  const expire = vi.fn(() => Infinity);
  const timer = new Timer(expire);
  timer.watch(performance.now() + 100);
  timer.stop();
  vi.advanceTimersByTime(1000);
  expect(expire).not.toHaveBeenCalled();
  timer.watch(performance.now() + 100);
  vi.advanceTimersByTime(1000);
  expect(expire).toHaveBeenCalledOnce();
});

test('waits for a deadline that is further away than a timer can be set', () => {
  const deadline = performance.now() + 2 ** 32;
  const expire = vi.fn((now: number) => (now < deadline ? deadline : Infinity));
  new Timer(expire).watch(deadline);
  vi.advanceTimersByTime(60_000);
  expect(expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 ** 32);
  expect(expire.mock.lastCall?.[0]).toBeGreaterThanOrEqual(deadline);
});

test('never fires for a deadline that never comes', () => {
  const expire = vi.fn(() => Infinity);
  new Timer(expire).watch(Infinity);
  expect(vi.getTimerCount()).toBe(0);
});
