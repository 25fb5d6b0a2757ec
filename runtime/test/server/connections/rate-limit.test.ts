/** Tests how many calls per second a connection may make, by the clock of the object. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/server/base/limits.ts';
import { ClientConnection } from '../../../src/server/connections/client-connection.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test.each([1, 5])('callsPerSecond: %i', (callsPerSecond) => {
  const connection = new ClientConnection({}, { send: () => {} });
  connection.serve(connection, { ...DEFAULT_LIMITS, callsPerSecond });
  const allowed = (): number => {
    let calls = 0;
    while (connection.mayCall()) calls++;
    return calls;
  };
  expect(allowed()).toBe(callsPerSecond);
  vi.advanceTimersByTime(1_000 / callsPerSecond);
  expect(allowed()).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(allowed()).toBe(callsPerSecond);
  // If the clock is set back, no more calls are allowed, and later calls are allowed as before.
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(allowed()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(allowed()).toBe(callsPerSecond);
});
