/**
 * A program of its own with one client, which prints how many bytes of heap it holds more than before after
 * so many calls, each with a function of its own, and how many bytes they took in between. Needs
 * `--expose-gc`. Its arguments are where the server is, and how many calls.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRpcClient } from '../../../src/client.ts';
import { callback } from '../../../src/features/callbacks/client/callback.ts';
import type { Default } from './worker.ts';

const [, , baseUrl = '', count = ''] = process.argv;

/** Calls that are made at once. */
const BATCH = 1_000;

const collect = globalThis.gc as () => void;

const client = createRpcClient<Default>('DEFAULT', 'memory', {
  baseUrl,
  timeout: 600_000,
});

/** @returns how many of its functions were called */
async function batch(): Promise<number> {
  let called = 0;
  const calls = Array.from({ length: BATCH }, (_, index) => {
    // Held by nobody but its function.
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

// So that what is made once is there before.
for (let warm = 0; warm < 10; warm++) await batch();
const base = await heap();
let called = 0;
for (let left = Number(count); left > 0; left -= BATCH) called += await batch();
const held = (await heap()) - base;
console.log(JSON.stringify({ held, called }));
process.exit(0);
