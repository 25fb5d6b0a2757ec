/** Turns property access into calls: `client.increment(5)` becomes a call of `increment`. */
import { CALL_SEGMENT, type Callee } from '../wire/messages.ts';
import { httpTransport, poster } from './http.ts';
import { INSIDE } from './call.ts';
import type { RpcClient } from './client-types.ts';
import type { CallOptions, ConnectionOptions } from './options.ts';
import { Session } from './session.ts';
import type { Transport } from './transport.ts';
import { webSocketTransport } from './websocket.ts';

/** What can be chosen for a client. */
export interface RpcClientOptions extends ConnectionOptions {
  /** Lets methods return capabilities. Import `capabilities` from `client/capabilities.ts`. */
  capabilities?: (session: Session) => void;
  /** Sends large values as bytes instead of Base64. Import `bytes` from `client/bytes.ts`. */
  bytes?: (session: Session) => void;
  /** Lets functions be arguments. Import `callbacks` from `client/callbacks.ts`. */
  callbacks?: (session: Session) => void;
  /** Lets streams be arguments. Import `streams` from `client/streams.ts`. */
  streams?: (session: Session) => void;
}

/**
 * Makes a client for one Durable Object. It connects at the first call, so it can be made anywhere:
 * at module scope of a Worker too, where `transport` has to be `'http'` if requests share it at the
 * same time, since a socket works for no request but the one that opened it.
 *
 * @param binding - the Durable Object binding, such as `COUNTER`
 * @param instance - the object's name, or its id as 64 hex characters
 * @returns an object with the contract's methods. A call rejects with what the method threw, or
 *   with an `RpcError`.
 * @example
 * using counter = createRpcClient<Counter>('COUNTER', 'my-counter');
 * await counter.increment();
 */
export function createRpcClient<Target>(
  binding: string,
  instance: string,
  options: RpcClientOptions = {},
): RpcClient<Target> {
  const transport = transportFor(binding, instance, options);
  const watched = options.debug?.(transport, binding, instance);
  const session = new Session(watched ?? transport, options);
  // The others send by it.
  options.bytes?.(session);
  options.capabilities?.(session);
  options.callbacks?.(session);
  options.streams?.(session);
  return clientOf(session, {}) as RpcClient<Target>;
}

/**
 * The same client, over the same connection, with other options for its calls.
 *
 * @param client - from `createRpcClient`
 * @param options - `timeout` in milliseconds, and an `AbortSignal`; an aborted call rejects with
 *   `ABORTED`, and the object drops its answer
 * @example
 * await withOptions(counter, { timeout: 500, signal }).increment();
 */
export function withOptions<Client extends object>(client: Client, options: CallOptions): Client {
  const [session, chosen, make = clientOf] = insideOf(client);
  return make(session, { ...chosen, ...options }) as Client;
}

/** What a client, or a capability of one, is made of. */
export type Inside = [
  session: Session,
  options: CallOptions,
  make?: (session: Session, options: CallOptions) => object,
  methods?: CalleeOf,
];

/**
 * The methods of a capability, as they are subscribed to.
 *
 * @param retry - called when there is something to subscribe to, if there is nothing yet
 */
export type CalleeOf = (method: string, retry?: () => void) => Callee | undefined;

/** @throws TypeError for what is no client */
export function insideOf(client: object): Inside {
  const inside = (client as { [INSIDE]?: Inside })[INSIDE];
  if (!inside) throw new TypeError('Not a client');
  return inside;
}

function clientOf(session: Session, options: CallOptions): object {
  const close = (): void => session.close();
  const methods: Record<string | symbol, unknown> = {
    close,
    [Symbol.dispose]: close,
    [Symbol.asyncDispose]: close,
    reconnect: () => session.reconnect(),
    [INSIDE]: [session, options],
  };
  // Consoles show the session, which shows nothing. What they, the language or `JSON.stringify` look up
  // by themselves is no call; without a `then`, awaiting a client gives the client.
  return new Proxy(session, {
    get: (_, name) =>
      name in methods || typeof name === 'symbol' || /^(then|toJSON)$/.test(name)
        ? methods[name]
        : (methods[name] = (...args: unknown[]): unknown => session.call(name, args, options)),
  });
}

function transportFor(binding: string, instance: string, options: ConnectionOptions): Transport {
  const { transport } = options;
  if (typeof transport === 'object') return transport;
  const url = callUrl(binding, instance, options);
  const post = poster(url, options);
  let id: string | undefined;
  // Not before the first connection: at module scope the Workers runtime has no random numbers. And
  // not `randomUUID`, which a page has only in a secure context.
  const clientId = (): string => (id ??= crypto.getRandomValues(new Uint32Array(4)).join('-'));
  if (transport === 'http') return httpTransport(url, post, clientId);
  return webSocketTransport({ ...options, url, clientId, post, patience: 1 });
}

function callUrl(binding: string, instance: string, options: ConnectionOptions): string {
  const page = globalThis as { location?: { origin: string } };
  const { baseUrl = page.location?.origin ?? 'http://localhost:8787', prefix = '/__rpc' } = options;
  const object = [binding, instance].map(encodeURIComponent);
  const url = [baseUrl, prefix, ...object, CALL_SEGMENT].join('/');
  // With or without slashes at the ends of the first two.
  return url.replace(/([^:]\/)\/+/g, '$1');
}
