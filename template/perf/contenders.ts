/**
 * Who is measured: one entry each, all with the same few methods, so that the measuring code knows
 * nothing of how a call travels. A new contender is a new entry. Imports the RPC client; types of
 * the worker.
 */
import type { Counter } from '../src/counter.ts';
import { createRpcClient } from '../src/rpc/client.ts';
import type { FloorAnswer, FloorCall } from './worker.ts';

/** One connection to one counter. Every method rejects when the connection is lost. */
export interface CounterConnection {
  increment(by?: number): Promise<number>;
  getValue(): Promise<number>;
  close(): void;
}

export interface Contender {
  readonly name: string;
  /** Name of the contender that this one's time is divided by, round by round. */
  readonly floor?: string;
  /**
   * @param url - of the runtime, without a slash at its end
   * @param name - of the counter, which is this contender's own
   */
  connect(url: string, name: string): Promise<CounterConnection>;
}

const HIBERNATING_FLOOR = 'by hand, hibernating';

/**
 * This RPC's sockets hibernate, so it is compared with the floor whose sockets do; the other shows
 * what hibernation itself costs.
 */
export const contenders: readonly Contender[] = [
  {
    name: 'this RPC, hibernating',
    floor: HIBERNATING_FLOOR,
    async connect(baseUrl, name) {
      return createRpcClient<Counter>('COUNTER', name, { baseUrl });
    },
  },
  {
    name: HIBERNATING_FLOOR,
    connect: (url, name) => connectByHand(`${url}/hibernating/${name}`),
  },
  {
    name: 'by hand, always awake',
    floor: HIBERNATING_FLOOR,
    connect: (url, name) => connectByHand(`${url}/plain/${name}`),
  },
];

/** The floor's client: what one would write without a library, errors left out but for a lost socket. */
async function connectByHand(url: string): Promise<CounterConnection> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  const lost = new Promise<never>((_, reject) => {
    socket.addEventListener('close', ({ code }) => reject(new Error(`${url} closed: ${code}`)));
  });
  const opened = new Promise((resolve) => socket.addEventListener('open', resolve));
  await Promise.race([opened, lost]);
  const waiting = new Map<number, PromiseWithResolvers<number>>();
  lost.catch((error) => waiting.forEach(({ reject }) => reject(error)));
  socket.addEventListener('message', ({ data }) => {
    const [id, value] = JSON.parse(data as string) as FloorAnswer;
    waiting.get(id)?.resolve(value);
    waiting.delete(id);
  });
  let lastId = 0;
  const call = (method: FloorCall[1], ...args: number[]): Promise<number> => {
    const answer = Promise.withResolvers<number>();
    waiting.set(++lastId, answer);
    socket.send(JSON.stringify([lastId, method, ...args]));
    return answer.promise;
  };
  return {
    increment: (by) => (by === undefined ? call('increment') : call('increment', by)),
    getValue: () => call('getValue'),
    close: () => socket.close(),
  };
}

/**
 * The WebSocket extensions that this machine's client and the runtime agree on, such as
 * `permessage-deflate`; empty when there are none. Asked of a real connection, because what a flag
 * says is not what two ends settle on.
 */
export async function negotiatedExtensions(url: string): Promise<string> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/plain/extensions`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', reject);
  });
  socket.close();
  return socket.extensions ?? '';
}
