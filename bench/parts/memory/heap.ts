/**
 * Measures the memory of a client in its process, and the memory of a connection in the isolate of the object, as V8
 * counts them.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ChildProgram } from '../../../harness/child-program.ts';
import { serveContenders } from '../../contenders/serve.ts';
import type { PartOptions } from '../../part.ts';
import type { Row } from '../../results/rows.ts';
import type { ClientSettings } from './client-process.ts';
import { type Kind, kinds } from './clients.ts';

interface HeapOptions {
  /** The number of clients that connect to an object, and the number of clients without an object. */
  connected: number;
  others: number;
  /** The milliseconds for which the objects are idle. workerd lets an idle object hibernate after ten seconds. */
  idle: number;
}

const CLIENT = join(import.meta.dirname, 'client-process.ts');

/** The number of clients before the measurement. They cause the memory that exists only once, such as code. */
const FEW = 20;

/** @throws Error when a process of clients ends */
export async function measureHeap({ isQuick }: PartOptions): Promise<Row[]> {
  const options = isQuick
    ? { connected: 5, others: 5, idle: 0 }
    : { connected: 1_000, others: 10_000, idle: 20_000 };
  return (await Promise.all(kinds.map((kind) => measure(kind, options)))).flat();
}

/** @returns the bytes for each client, without memory that exists only once */
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
    first: async () => (before = await runtime.heap()),
    all: async () => {
      const perConnection = async () => ((await runtime.heap()) - before) / connected;
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
 * @param then - called when the first few clients have connected, and when all clients have
 * @returns the bytes for each client
 */
async function heapOfClients(
  name: string,
  url: string,
  count: number,
  then?: { first(): Promise<unknown>; all(): Promise<unknown> },
): Promise<number> {
  const settings: ClientSettings = { name, url };
  await using process = new ChildProgram<number, number>(CLIENT, settings, ['--expose-gc']);
  const before = await process.ask(FEW);
  await then?.first();
  const after = await process.ask(count);
  await then?.all();
  return (after - before) / count;
}
