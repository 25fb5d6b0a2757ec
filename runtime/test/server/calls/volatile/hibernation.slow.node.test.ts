/** Volatile calls of an object that hibernates: its memory is lost, and its clients go on. */
import { expect, test } from 'vitest';
import { subscribe } from '../../../../src/client.ts';
import { sleep } from '../../../../../harness/waiting.mjs';
import { serve } from './serve.ts';

const worker = await serve();

/** The runtime evicts an object that has been idle for about ten seconds. */
const IDLE = 12_500;

test('a client of volatile calls lets its object hibernate, and wakes it', async () => {
  using client = worker.connect('sleeping');
  const places = subscribe(client).place()[Symbol.asyncIterator]();
  expect((await places.next()).value).toBe(0);
  let at = 0;
  for (let wait = IDLE; ; wait *= 2) {
    expect(await client.move(++at)).toBeGreaterThan(0);
    expect((await places.next()).value).toBe(at);
    await sleep(wait);
    // This is the first move after the eviction.
    const moves = await client.move(++at);
    expect((await places.next()).value).toBe(at);
    if (moves === 1) break;
  }
  expect(await client.path()).toEqual([at]);
  expect(await client.rowsWritten()).toBe(0);
  expect(await client.move(++at)).toBe(2);
  expect((await places.next()).value).toBe(at);
});
