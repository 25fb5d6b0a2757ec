/**
 * A program with one client, which makes calls with a new function each. It prints the bytes of heap that it
 * still holds after the calls, and the number of functions that were called. It needs `--expose-gc`. Its
 * arguments are the URL of the server and the number of calls.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRpcClient } from '../../../src/client.ts';
import { callback } from '../../../src/features/callbacks/client/callback.ts';
import type { Default } from './worker.ts';

const [, , baseUrl = '', count = ''] = process.argv;

/** The number of calls that are made at once. */
const BATCH = 1_000;

const collect = globalThis.gc as () => void;

const client = createRpcClient<Default>('DEFAULT', 'memory', {
  baseUrl,
  timeout: 600_000,
});

/** @returns the number of its functions that were called */
async function batch(): Promise<number> {
  let called = 0;
  const calls = Array.from({ length: BATCH }, (_, index) => {
    // Only the function holds this array.
    const large = Array.from({ length: 100 }, () => index);
    return client.load(
      index % 10 === 0 ? 1 : 0,
      callback(() => (called += large.length / 100)),
    );
  });
  await Promise.all(calls);
  return called;
}

async function heap(): Promise<number> {
  await sleep(10);
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

// These calls allocate what is allocated only once.
for (let warm = 0; warm < 10; warm++) await batch();
const base = await heap();
let called = 0;
for (let left = Number(count); left > 0; left -= BATCH) called += await batch();
const held = (await heap()) - base;
console.log(JSON.stringify({ held, called }));
process.exit(0);
