/**
 * Clients of one kind in a process of their own, which has `gc()`. For each number that it receives, it makes as many
 * clients, lets each make one call, and reports the bytes of its heap.
 */
import { setTimeout } from 'node:timers/promises';
import { readSettings } from '../../../harness/child-program.ts';
import { type Client, kinds } from './clients.ts';

export interface ClientSettings {
  /** The name of the kind of clients. */
  name: string;
  url: string;
}

/** Connections that are opened at once. */
const AT_ONCE = 50;

/**
 * The number of collections, and the milliseconds between them. One collection is not enough, because objects that it
 * frees can hold further objects.
 */
const COLLECTIONS = 3;
const PAUSE = 200;

const { name, url } = readSettings<ClientSettings>();
const kind = kinds.find((one) => one.name === name);
if (!kind) throw new Error(`${name} is not a kind of client`);
const { by, open } = kind;

const clients: Client[] = [];

process.on('message', async (count: number) => {
  const total = clients.length + count;
  while (clients.length < total) {
    const length = Math.min(AT_ONCE, total - clients.length);
    const some = Array.from({ length }, () => open(url));
    if (by !== 'nothing') await Promise.all(some.map((client) => client.getValue()));
    clients.push(...some);
  }
  process.send?.(await heap());
});

/** Returns the bytes of the JavaScript heap and of the buffers outside it. */
async function heap(): Promise<number> {
  for (let left = COLLECTIONS; left > 0; left--) {
    globalThis.gc?.();
    await setTimeout(PAUSE);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
