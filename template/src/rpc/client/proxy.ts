/** Turns property access into calls: `client.increment(5)` becomes a call of `increment`. */
import type { HasContract } from '../wire/contract-brand.ts';
import { CALL_SEGMENT, CLIENT_ID, PROBE } from '../wire/messages.ts';
import { httpTransport, poster } from './http.ts';
import type { RpcPromise } from './call.ts';
import { type CallOptions, Session, type SessionOptions } from './session.ts';
import type { Transport } from './transport.ts';
import { type WebSocketClass, webSocketTransport } from './websocket.ts';

/** The names that can be called: the contract's, or every method of a class that has none. */
type MethodsOf<Target> =
  Target extends HasContract<infer Listed>
    ? PropertyKey extends Listed
      ? MethodNames<Target>
      : Extract<Listed, keyof Target>
    : MethodNames<Target>;

type MethodNames<Target> = {
  [Name in keyof Target]: Target[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Target];

/** An argument: the value itself, or a call's result that is not there yet, at any depth. */
type Argument<Value> =
  | Value
  | RpcPromise<Value>
  | (Value extends Atom ? never : { [Key in keyof Value]: Argument<Value[Key]> });

/** What is passed whole, so that inference does not look inside. */
type Atom =
  | Primitive
  | ((...args: never[]) => unknown)
  | Date
  | RegExp
  | Error
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>;

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

type ArgumentsOf<Args extends unknown[]> = { [Index in keyof Args]: Argument<Args[Index]> };

/** The remote methods of `Target`, and the means to close the client. */
export type RpcClient<Target> = {
  readonly [Name in MethodsOf<Target>]: Target[Name] extends (...args: infer Args) => infer Result
    ? (...args: ArgumentsOf<Args>) => RpcPromise<Awaited<Result>>
    : never;
} & Disposable &
  AsyncDisposable & {
    /** Rejects every unanswered call with `CLOSED` and ends the connection. */
    close(): void;
  };

export interface RpcClientOptions extends SessionOptions {
  /** Where the Worker is. Default: the page's origin in a browser, else `http://localhost:8787`. */
  baseUrl?: string;
  /** Path before the binding, as given to `routeDORequest`. Default `/__rpc`. */
  prefix?: string;
  /** How frames travel. Default `'websocket'`. */
  transport?: 'websocket' | 'http' | Transport;
  /** How long connecting may take, in milliseconds. Default 10 000. */
  connectTimeout?: number;
  /** How often to see whether the other end is still there, in milliseconds. Default 15 000. */
  heartbeat?: number;
  /** Added to every HTTP request; a WebSocket in a browser cannot carry any: see `protocols`. */
  headers?: Record<string, string>;
  /**
   * WebSocket subprotocols to offer beside the runtime's own. The place for a token: browsers send
   * it, and unlike the URL it is not logged.
   */
  protocols?: string[];
  /**
   * Shows calls, timings and frames on the console: `debug` of `client/debug.ts`, or any function
   * that wraps a transport. Default: nothing is shown.
   */
  debug?: (transport: Transport, binding: string, instance: string) => Transport;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Used instead of the global `WebSocket`. */
  WebSocket?: WebSocketClass;
}

/**
 * Makes a client for one Durable Object. It connects at the first call.
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
  return new Remote(session).proxy() as RpcClient<Target>;
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
  const derive = (client as { [DERIVE]?: (options: CallOptions) => object })[DERIVE];
  if (!derive) throw new TypeError('Not a client');
  return derive(options) as Client;
}

/** Reads, of a client, what makes another one of it; nobody outside can name it. */
const DERIVE = Symbol('derive');

type Method = (...args: unknown[]) => unknown;

/** What the proxy that is a client stands for: a session, and options for its calls. */
class Remote {
  readonly #session: Session;
  readonly #options: CallOptions;
  readonly #methods = new Map<string | symbol, Method>();

  constructor(session: Session, options: CallOptions = {}) {
    this.#session = session;
    this.#options = options;
  }

  proxy(): object {
    return new Proxy(this, { get: (remote, name) => remote.get(name) });
  }

  get(name: string | symbol): unknown {
    const known = this.#methods.get(name);
    if (known) return known;
    if (CLOSING.has(name)) return () => this.#session.close();
    if (name === DERIVE) return (options: CallOptions) => this.#derive(options);
    if (isLocal(name)) return Reflect.get(Object.prototype, name);
    const method: Method = (...args) => this.#session.call(name, args, this.#options);
    this.#methods.set(name, method);
    return method;
  }

  #derive(options: CallOptions): object {
    return new Remote(this.#session, { ...this.#options, ...options }).proxy();
  }
}

const CLOSING = new Set<string | symbol>(['close', Symbol.dispose, Symbol.asyncDispose]);

/**
 * Whether the language, consoles or `JSON.stringify` look a name up by themselves, so that no call
 * may come of it. Without a `then`, awaiting a client gives the client.
 */
function isLocal(name: string | symbol): name is symbol {
  return typeof name === 'symbol' || ['then', 'toJSON'].includes(name) || name in Object.prototype;
}

function transportFor(binding: string, instance: string, options: RpcClientOptions): Transport {
  const {
    transport = 'websocket',
    protocols = [],
    headers,
    connectTimeout = 10_000,
    heartbeat = 15_000,
    fetch: send = fetch,
    WebSocket: Socket = globalThis.WebSocket as WebSocketClass,
  } = options;
  if (typeof transport === 'object') return transport;
  const url = callUrl(binding, instance, options);
  const client = crypto.randomUUID();
  if (transport === 'http') {
    return httpTransport(poster(url, { ...headers, [CLIENT_ID]: client }, send));
  }
  const post = poster(url, { ...headers, [PROBE]: protocols.join(', ') }, send);
  const offered = [`${CLIENT_ID}.${client}`, ...protocols];
  return webSocketTransport({ url, protocols: offered, Socket, connectTimeout, heartbeat, post });
}

function callUrl(binding: string, instance: string, options: RpcClientOptions): string {
  const { baseUrl = defaultBaseUrl(), prefix = '/__rpc' } = options;
  const object = [binding, instance].map(encodeURIComponent);
  const path = [...prefix.split('/').filter(Boolean), ...object, CALL_SEGMENT];
  return [baseUrl.replace(/\/+$/, ''), ...path].join('/');
}

function defaultBaseUrl(): string {
  const page = globalThis as { location?: { origin: string } };
  return page.location?.origin ?? 'http://localhost:8787';
}
