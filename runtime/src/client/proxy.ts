/** Turns property access into calls: `client.increment(5)` becomes a call of `increment`. */
import { CALL_SEGMENT, type Callee } from '../wire/messages.ts';
import type { CodecFeedback } from '../wire/values/rich-encoder.ts';
import { httpTransport, createPost } from './transports/http.ts';
import { DISPOSAL, INTERNALS, type Method } from './call.ts';
import type { RpcClient } from './client-types.ts';
import type { CallOptions, ConnectionOptions } from './options.ts';
import { Session } from './session.ts';
import type { Transport } from './transport.ts';
import { webSocketTransport } from './transports/websocket.ts';

/** The options of a client. */
export interface RpcClientOptions extends ConnectionOptions {
  /** Lets methods return capabilities: pass `capabilities` of `lumenize-rpc/client`. */
  capabilities?: ((session: Session) => void) | undefined;
  /**
   * Sends large buffers as bytes instead of Base64, if the object also does so: pass `bytes` of `lumenize-rpc/client`.
   */
  bytes?: ((session: Session) => void) | undefined;
  /**
   * Lets calls wait for a method that the object does not have yet, after a deployment: pass `awaitMethods` of
   * `lumenize-rpc/client`.
   */
  awaitMethods?: ((session: Session) => void) | undefined;
  /** Reports each call when it begins and when it has ended: pass `reportCalls(…)` of `lumenize-rpc/client`. */
  onCall?: ((session: Session, binding: string, instance: string) => void) | undefined;
  /** Makes a span of each call, and sends its trace to the object: `traceCalls(…)` of `lumenize-rpc/client`. */
  tracing?: ((session: Session, binding: string, instance: string) => void) | undefined;
}

/**
 * Creates a client for one Durable Object. The client connects at its first call, so you can create it
 * anywhere, even at module scope of a Worker. If requests of a Worker share it at the same time, set
 * `transport` to `'http'`: a WebSocket works only in the request that opened it.
 *
 * @param binding - the Durable Object binding, such as `COUNTER`
 * @param instance - the object's name, or its id as 64 hex characters
 * @param options - the address of the Worker, the transport, timeouts in milliseconds and features: see
 *   `RpcClientOptions`. Default: none.
 * @returns an object with the contract's methods. A call rejects with the error that the method threw, or with an
 *   `RpcError`.
 * @throws TypeError for a `baseUrl` that does not begin with `http://` or `https://`, and for `headers` with the global
 *   `WebSocket`, which sends no headers: use `protocols`, or the transport `'http'`
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
  session.object = [binding, instance];
  // This module is added first, since the other modules send through it.
  options.bytes?.(session);
  options.capabilities?.(session);
  options.awaitMethods?.(session);
  // This module is added last, so that it sees each call as its caller does.
  options.onCall?.(session, binding, instance);
  options.tracing?.(session, binding, instance);
  return clientOf(session, {}) as RpcClient<Target>;
}

/**
 * Returns a client with other options for its calls. It shares the connection of the client that you pass.
 *
 * @param client - from `createRpcClient`, or a capability
 * @param options - `timeout` in milliseconds, and `signal`, an `AbortSignal`. An aborted call rejects with
 *   `ABORTED`, and the object drops its answer.
 * @throws TypeError for a value that is not a client
 * @example
 * await withOptions(counter, { timeout: 500, signal }).increment();
 */
export function withOptions<Client extends object>(client: Client, options: CallOptions): Client {
  const [session, chosen, make = clientOf] = internalsOf(client);
  return make(session, { ...chosen, ...options }) as Client;
}

/** The internals of a client, or of a capability. */
export type ClientInternals = [
  session: Session,
  options: CallOptions,
  make?: (session: Session, options: CallOptions) => object,
  methods?: CalleeOf,
];

/**
 * Returns the callee for a subscription to a method of a capability. Returns `undefined` if the call that
 * returns the capability has not been sent.
 *
 * @param retry - called when that call has settled
 */
export type CalleeOf = (method: string, retry?: () => void) => Callee | undefined;

/** @throws TypeError for a value that is not a client */
export function internalsOf(client: object): ClientInternals {
  const inside = (client as { [INTERNALS]?: ClientInternals })[INTERNALS];
  if (!inside) throw new TypeError('Not a client of createRpcClient');
  return inside;
}

function clientOf(session: Session, options: CallOptions): object {
  const close = (): void => session.close();
  const methods: Record<string | symbol, unknown> = {
    close,
    reconnect: () => session.reconnect(),
    [INTERNALS]: [session, options],
  };
  // Consoles show the session. A property that consoles, the language or `JSON.stringify` look up is not a call.
  // Without a `then`, `await client` returns the client.
  return new Proxy(session, {
    get: (_, name) =>
      (methods[name] ??= DISPOSAL.test(String(name))
        ? close
        : typeof name === 'symbol' || /^(then|toJSON)$/.test(name)
          ? undefined
          : remoteMethod(session, name, options)),
  });
}

/** Returns a function that calls a method. */
export function remoteMethod(session: Session, method: Method, options: CallOptions) {
  const feedback = { name: (method as { name?: string }).name ?? method } as CodecFeedback;
  return (...args: unknown[]): unknown => session.call(method, args, options, feedback);
}

function transportFor(binding: string, instance: string, options: ConnectionOptions): Transport {
  const { transport } = options;
  if (typeof transport === 'object') return transport;
  const isHttp = transport === 'http';
  if (options.headers && !isHttp && !options.WebSocket) {
    throw new TypeError('A WebSocket has no headers: use protocols');
  }
  const url = callUrl(binding, instance, options);
  let id: string | undefined;
  // The id is created at the first connection, because at module scope the Workers runtime has no random numbers. A
  // page has `randomUUID` only in a secure context.
  const clientId = (): string => (id ??= crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const post = createPost(url, options);
  if (isHttp) return httpTransport(url, post, clientId);
  return webSocketTransport({ ...options, url, clientId, post, patience: 1 });
}

function callUrl(binding: string, instance: string, options: ConnectionOptions): string {
  const page = globalThis as { location?: { origin: string } };
  const { baseUrl = page.location?.origin ?? 'http://localhost:8787', prefix = '/__rpc' } = options;
  if (!/^https?:\/\//.test(baseUrl)) {
    throw new TypeError(`baseUrl '${baseUrl}' must begin with http:// or https://`);
  }
  const object = [binding, instance].map(encodeURIComponent);
  const url = [baseUrl, prefix, ...object, CALL_SEGMENT].join('/');
  // `baseUrl` and `prefix` can begin or end with a slash.
  return url.replace(/([^:]\/)\/+/g, '$1');
}
