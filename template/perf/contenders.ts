/**
 * Who is measured: one entry each, all with the same few methods, so that the measuring code knows
 * nothing of how a call travels. A new contender is a new entry.
 */
import { newWebSocketRpcSession } from 'capnweb';
import { createRpcClient, type RpcClientOptions } from '../src/rpc/client.ts';
import { connectByHand, postByHand } from './contenders/by-hand.ts';
import type { CapnwebCounter, Counter } from './contenders/worker.ts';
import type { CounterConnection } from './workloads.ts';

export interface Contender {
  readonly name: string;
  /** What it is, in half a line. */
  readonly about: string;
  /** Name of the contender that this one's time is divided by, round by round. */
  readonly floor?: string;
  /** What it is if not this project's own: a measure for others, or someone else's RPC. */
  readonly role?: 'floor' | 'rival';
  /** Whether `npm run perf` measures it only with `--all`. */
  readonly isExtra?: boolean;
  /** Whether each call is a request, so that there is no connection to open. */
  readonly isConnectionless?: boolean;
  /**
   * @param url - of the runtime, without a slash at its end
   * @param name - of the counter, which is this contender's own
   */
  connect(url: string, name: string): Promise<CounterConnection>;
}

/** The rival that this RPC is compared with, beside its floors. */
export const CAPNWEB = "Cap'n Web";
const HIBERNATING_FLOOR = 'by hand, hibernating';
const AWAKE_FLOOR = 'by hand, always awake';
const POST_FLOOR = 'by hand, POST';

/** Like is compared with like: who hibernates with the floor that does, a POST with a POST. */
export const contenders: readonly Contender[] = [
  thisRpc('this RPC', 'a socket that hibernates', HIBERNATING_FLOOR, 'COUNTER'),
  // Without a prefix the worker's own `fetch` routes, and so does the class's.
  thisRpc('this RPC, own fetch', 'in a class with its own fetch', HIBERNATING_FLOOR, 'MANUAL', {
    prefix: '',
  }),
  {
    ...thisRpc('this RPC, no journal', 'may run a call twice', HIBERNATING_FLOOR, 'UNJOURNALED'),
    isExtra: true,
  },
  {
    ...thisRpc('this RPC, always awake', 'its object never hibernates', AWAKE_FLOOR, 'AWAKE'),
    isExtra: true,
  },
  {
    ...thisRpc('this RPC, POST', 'a request for each call', POST_FLOOR, 'COUNTER', {
      transport: 'http',
    }),
    isConnectionless: true,
  },
  {
    name: CAPNWEB,
    about: 'another library; its object never hibernates',
    role: 'rival',
    floor: AWAKE_FLOOR,
    connect: connectCapnweb,
  },
  byHand(HIBERNATING_FLOOR, 'JSON on a socket that hibernates', 'HIBERNATING_FLOOR'),
  byHand(AWAKE_FLOOR, 'JSON on a socket; its object never hibernates', 'PLAIN_FLOOR'),
  {
    ...byHand(POST_FLOOR, 'JSON in a request for each call', 'POST_FLOOR', postByHand),
    isConnectionless: true,
  },
];

function thisRpc(
  name: string,
  about: string,
  floor: string,
  binding: string,
  options?: RpcClientOptions,
): Contender {
  return {
    name,
    about,
    floor,
    connect: async (baseUrl, instance) =>
      createRpcClient<Counter>(binding, instance, { baseUrl, ...options }),
  };
}

function byHand(
  name: string,
  about: string,
  binding: string,
  connect: (url: string) => CounterConnection | Promise<CounterConnection> = connectByHand,
): Contender {
  return {
    name,
    about,
    role: 'floor',
    connect: async (url, instance) => connect(`${url}/${binding}/${instance}`),
  };
}

async function connectCapnweb(url: string, name: string): Promise<CounterConnection> {
  const target = `${url.replace(/^http/, 'ws')}/CAPNWEB/${name}`;
  const api = newWebSocketRpcSession<CapnwebCounter>(target);
  return {
    increment: (...args) => api.increment(...args),
    getValue: () => api.getValue(),
    echo: (value) => api.echo(value),
    book: () => api.book(),
    close: () => api[Symbol.dispose](),
  };
}

/**
 * The WebSocket extensions that this machine's client and the runtime agree on, such as
 * `permessage-deflate`; empty when there are none. Asked of a real connection, because what a flag
 * says is not what two ends settle on.
 *
 * @throws Error when there is nobody to ask
 */
export async function negotiatedExtensions(url: string): Promise<string> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/PLAIN_FLOOR/extensions`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', () => {
      reject(new Error(`At ${url} is no copy of the performance test's worker`));
    });
  });
  socket.close();
  return socket.extensions ?? '';
}
