/**
 * What a client and a connection hold by themselves, as V8 counts it: of the process of the clients and of the isolate
 * of the object.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { heapOf } from '../../harness/heap.ts';
import { serveContenders } from '../calls/serve.ts';
import type { PartOptions } from '../part.ts';
import type { Row } from '../rows.ts';
import { type Kind, kinds } from './clients.ts';

interface HeapOptions {
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
export async function measureHeap({ isQuick }: PartOptions): Promise<Row[]> {
  const options = isQuick
    ? { connected: 5, others: 5, idle: 0 }
    : { connected: 1_000, others: 10_000, idle: 20_000 };
  return (await Promise.all(kinds.map((kind) => measure(kind, options)))).flat();
}

/** @returns bytes for each client, beyond what there is with a few of them */
async function measure(kind: Kind, { connected, others, idle }: HeapOptions): Promise<Row[]> {
  const { name: who, by } = kind;
  const row = (what: string, value: number): Row => ({ what, who, value, unit: 'bytes' });
  if (by !== 'WebSocket') {
    return [row(`heap of a client, of ${others}`, await heapOfClients(who, '', others))];
  }
  await using runtime = await serveContenders({ inspected: true, webSocketCompression: false });
  const object = { awake: 0, idle: 0 };
  let before = 0;
  const client = await heapOfClients(who, runtime.url, connected, {
    first: async () => (before = await heapOf(runtime)),
    all: async () => {
      const perConnection = async () => ((await heapOf(runtime)) - before) / connected;
      object.awake = await perConnection();
      await setTimeout(idle);
      object.idle = await perConnection();
    },
  });
  return [
    row(`heap of a client, of ${connected}`, client),
    row('heap of the object for a connection, awake', object.awake),
    row('heap of the object for a connection, idle', object.idle),
  ];
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
