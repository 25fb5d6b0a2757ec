/**
 * Tests `collect` of lumenize-rpc/testing: the items that it collects, and its error when the
 * subscription ends.
 */
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { subscribe } from '../../src/client.ts';
import { collect, connect, cut } from '../../src/testing.ts';
import type { Counter } from '../../../template/src/counter.ts';

const report = vi.spyOn(console, 'error').mockImplementation(() => {});
beforeEach(() => void report.mockClear());
afterAll(() => report.mockRestore());

test('collects the values so far, until the client is closed', async () => {
  using other = connect<Counter>('COUNTER', 'collected');
  const client = connect<Counter>('COUNTER', 'collected');
  const values = collect(subscribe(client).getValue());
  expect(values).toEqual([]);
  await expect.poll(() => values).toEqual([0]);
  await cut(client, other.increment());
  await expect.poll(() => values).toEqual([0, 1]);
  client.close();
  await other.increment();
  expect(values).toEqual([0, 1]);
  expect(report).not.toHaveBeenCalled();
});

test('an error is shown', async () => {
  using client = connect<Counter>('COUNTER', 'not collected');
  const values = collect(subscribe(client).getValue(...([1] as unknown as [])));
  await expect
    .poll(() => report.mock.calls)
    .toEqual([
      [
        'A subscription that a test collects has ended:',
        expect.objectContaining({ code: 'INVALID_ARGUMENTS' }),
      ],
    ]);
  expect(values).toEqual([]);
});
