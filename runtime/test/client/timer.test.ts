/** One timer serves many deadlines. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Timer } from '../../src/client/timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the timer fires at the earliest deadline, and then at the deadline that its callback returns', () => {
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

test('the timer does not fire after it was stopped, and can be used again', () => {
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

test('the timer waits for a deadline that is further away than a timeout can be', () => {
  const deadline = performance.now() + 2 ** 32;
  const expire = vi.fn((now: number) => (now < deadline ? deadline : Infinity));
  new Timer(expire).watch(deadline);
  vi.advanceTimersByTime(60_000);
  expect(expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 ** 32);
  expect(expire.mock.lastCall?.[0]).toBeGreaterThanOrEqual(deadline);
});

test('the timer never fires for the deadline Infinity', () => {
  const expire = vi.fn(() => Infinity);
  new Timer(expire).watch(Infinity);
  expect(vi.getTimerCount()).toBe(0);
});
