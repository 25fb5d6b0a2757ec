/**
 * A program with one client. It prints how many bytes of heap a situation holds after a garbage collection, and the
 * maximum during the situation. It needs `--expose-gc`. Its arguments are the situation and the URL of the
 * server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRpcClient, type RpcClient } from '../../src/client.ts';
import type { Default } from '../served/worker.ts';

type Client = RpcClient<Default>;

const [, , situation = '', baseUrl = ''] = process.argv;

/** The values that a situation keeps while the memory is measured. */
const kept: unknown[] = [];

const situations: Record<string, (client: Client, peak: () => void) => Promise<unknown>> = {
  async 'one promise of a frame'(client, peak) {
    const calls = Array.from({ length: 5_000 }, () => client.text(4_000));
    kept.push(calls[2_500]);
    await Promise.all(calls);
    peak();
  },

  async 'a call of a frame that is still awaited'(client, peak) {
    const calls = Array.from({ length: 4_999 }, () => client.text(4_000));
    const slow = client.wait('gate');
    await Promise.all(calls);
    peak();
    calls.length = 0;
    kept.push(slow);
    await sleep(0);
  },

  async 'arguments of calls that are kept'(client, peak) {
    const made = Array.from({ length: 1_000 }, () => client.length('x'.repeat(20_000)));
    kept.push(made);
    peak();
    await Promise.all(made);
  },

  async 'the end of a chain'(client, peak) {
    let sum = client.plus(1, 1);
    for (let link = 0; link < 54_000; link++) sum = client.plus(sum, 1);
    kept.push(sum);
    peak();
    await sum;
  },

  async 'calls that wait for many ticks'(client) {
    const gated = client.wait('gate');
    kept.push(Array.from({ length: 200 }, () => client.length(gated)));
    // This wait separates the frames, so that the later calls have to wait.
    await sleep(0);
    kept.push(Array.from({ length: 200 }, () => client.length(gated)));
    for (let tick = 0; tick < 1_000; tick++) await client.count();
  },
};

const collect = globalThis.gc as () => void;

async function heap(): Promise<number> {
  // The value that was awaited last is released in the next turn.
  await sleep(10);
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const client = createRpcClient<Default>('DEFAULT', situation, { baseUrl, timeout: 600_000 });
// These calls allocate what is allocated only once.
await Promise.all(Array.from({ length: 5_000 }, () => client.length('warm')));
for (let call = 0; call < 1_000; call++) await client.count();
const base = await heap();
let most = base;
await situations[situation]?.(client, () => {
  collect();
  most = process.memoryUsage().heapUsed;
});
const held = await heap();
console.log(JSON.stringify({ held: held - base, most: most - base }));
process.exit(kept.length > 0 ? 0 : 1);
