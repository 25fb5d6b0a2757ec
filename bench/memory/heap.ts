/**
 * What a client and a connection hold by themselves, as V8 counts it: of the process of the clients and of the isolate
 * of the object.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { heapOf } from '../../harness/heap.ts';
import { Runtime } from '../../harness/runtime.ts';
import { type Kind, kinds } from './clients.ts';

/** In bytes for each of so many clients, beyond what there is with a few of them. */
export interface HeapUse {
  kind: string;
  by: Kind['by'];
  clients: number;
  client: number;
  /** Of the isolate, if the clients connect to an object. */
  object?: { awake: number; idle: number };
}

export interface HeapOptions {
  config: string;
  /** How many clients connect to an object, and how many others there are. */
  connected: number;
  others: number;
  /** In milliseconds. workerd lets an idle object hibernate after ten seconds. */
  idle: number;
}

const CLIENT = join(import.meta.dirname, 'client.ts');

/** Clients that are there before: the code, and what exists once. */
const FEW = 20;

/** @throws Error when a process of clients ends */
export function measureHeap(options: HeapOptions): Promise<HeapUse[]> {
  return Promise.all(kinds.map((kind) => measure(kind, options)));
}

async function measure({ name, by }: Kind, options: HeapOptions): Promise<HeapUse> {
  const { config, connected, others, idle } = options;
  if (by !== 'WebSocket') {
    return { kind: name, by, clients: others, client: await heapOfClients(name, '', others) };
  }
  await using runtime = await Runtime.serve({
    config,
    inspected: true,
    webSocketCompression: false,
  });
  const object = { awake: 0, idle: 0 };
  let before = 0;
  const client = await heapOfClients(name, runtime.url, connected, {
    first: async () => (before = await heapOf(runtime)),
    all: async () => {
      const perConnection = async () => ((await heapOf(runtime)) - before) / connected;
      object.awake = await perConnection();
      await setTimeout(idle);
      object.idle = await perConnection();
    },
  });
  return { kind: name, by, clients: connected, client, object };
}

/**
 * @param then - done when the first few are there, and when all are
 * @returns bytes for each
 */
async function heapOfClients(
  name: string,
  url: string,
  count: number,
  then?: { first(): Promise<unknown>; all(): Promise<unknown> },
): Promise<number> {
  const process = fork(CLIENT, [name, url], { execArgv: ['--expose-gc'] });
  const ended = once(process, 'exit').then(() => {
    throw new Error(`The clients of ${name} ended`);
  });
  // In the end they do.
  ended.catch(() => {});
  try {
    const have = (more: number) => Promise.race([heapWith(process, more), ended]);
    const before = await have(FEW);
    await then?.first();
    const after = await have(count);
    await then?.all();
    return (after - before) / count;
  } finally {
    process.kill();
  }
}

/** Has a process make so many clients more. */
async function heapWith(process: ChildProcess, more: number): Promise<number> {
  process.send(more);
  const [heap] = (await once(process, 'message')) as [number];
  return heap;
}
