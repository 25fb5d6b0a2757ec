/** The kinds of clients whose memory is counted, with as little code around the client as possible. */
import { newWebSocketRpcSession } from 'capnweb';
import { CAPNWEB } from '../../../runtime/src/perf/contenders.ts';
import type { CapnwebMethods } from '../../../runtime/src/perf/contenders/capnweb.ts';
import type { FloorAnswer, FloorCall } from '../../../runtime/src/perf/contenders/floors.ts';
import type { AddedMethods } from '../../../runtime/src/perf/contenders/measured-class.ts';
import {
  createRpcClient,
  type RpcClientOptions,
  type Transport,
  type TransportEvents,
} from '../../../runtime/src/client.ts';
import { subscribe } from '../../../runtime/src/features/subscriptions/client/subscribe.ts';
import type { CounterImpl } from '../../../template/src/counter.ts';

type Counter = Pick<CounterImpl, 'getValue'> & AddedMethods;
type CapnwebTarget = Pick<CounterImpl, 'getValue'> & CapnwebMethods;

export interface Client {
  getValue(): PromiseLike<unknown>;
  close(): void;
}

export interface Kind {
  readonly name: string;
  /** The transport of the clients. With `nothing`, the clients make no calls. */
  readonly by: 'WebSocket' | 'memory' | 'nothing';
  open(url: string): Client;
}

export const kinds: readonly Kind[] = [
  {
    name: 'this RPC, before its first call',
    by: 'nothing',
    open: () => thisRpc('COUNTER', {}),
  },
  {
    name: 'this RPC, a transport in memory',
    by: 'memory',
    open: () => thisRpc('COUNTER', { transport: new MemoryTransport() }),
  },
  { name: 'this RPC', by: 'WebSocket', open: (baseUrl) => thisRpc('COUNTER', { baseUrl }) },
  { name: 'this RPC, a subscription', by: 'WebSocket', open: listener },
  {
    name: 'this RPC, always awake',
    by: 'WebSocket',
    open: (baseUrl) => thisRpc('AWAKE', { baseUrl }),
  },
  { name: CAPNWEB, by: 'WebSocket', open: capnweb },
  {
    name: 'by hand, hibernating',
    by: 'WebSocket',
    open: (url) => byHand(url, 'HIBERNATING_FLOOR'),
  },
  { name: 'by hand, always awake', by: 'WebSocket', open: (url) => byHand(url, 'PLAIN_FLOOR') },
];

const NAME = 'crowd';

function thisRpc(binding: string, options: RpcClientOptions) {
  return createRpcClient<Counter>(binding, NAME, options);
}

function listener(baseUrl: string): Client {
  const client = thisRpc('COUNTER', { baseUrl });
  const listen = async (): Promise<void> => {
    for await (const _ of subscribe(client).perfEvents());
  };
  // The loop ends with its client.
  listen().catch(() => {});
  return client;
}

/** A transport that answers the first call of its client with 0. */
class MemoryTransport implements Transport {
  readonly address = 'this process';
  #events: TransportEvents | undefined;

  connect(events: TransportEvents): void {
    this.#events = events;
    events.opened();
  }

  send(): void {
    this.#events?.received('[[1,0]]');
  }

  close(): void {}
}

function capnweb(url: string): Client {
  const api = newWebSocketRpcSession<CapnwebTarget>(`${webSocket(url)}/CAPNWEB/${NAME}`);
  return { getValue: () => api.getValue(), close: () => api[Symbol.dispose]() };
}

/** Opens a client like the clients of the floors in the performance test. */
function byHand(url: string, binding: string): Client {
  const socket = new WebSocket(`${webSocket(url)}/${binding}/${NAME}`);
  const opened = new Promise((resolve) => socket.addEventListener('open', resolve));
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const [id, value] = JSON.parse(String(data)) as FloorAnswer;
    waiting.get(id)?.resolve(value);
    waiting.delete(id);
  });
  let lastId = 0;
  return {
    async getValue() {
      await opened;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(++lastId, answer);
      socket.send(JSON.stringify([lastId, 'getValue'] satisfies FloorCall));
      return answer.promise;
    },
    close: () => socket.close(),
  };
}

function webSocket(url: string): string {
  return url.replace(/^http/, 'ws');
}
