/** Turns property access into calls: `client.increment(5)` becomes a call of `increment`. */
import type { HasContract } from '../wire/contract-brand.ts';
import { CALL_SEGMENT } from '../wire/messages.ts';
import { httpTransport } from './http.ts';
import { Session } from './session.ts';
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

/** The remote methods of `Target`, each returning a promise, and the means to close the client. */
export type RpcClient<Target> = {
  readonly [Name in MethodsOf<Target>]: Target[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
} & Disposable & {
    /** Rejects every unanswered call with `CLOSED` and ends the connection. */
    close(): void;
  };

export interface RpcClientOptions {
  /** Where the Worker is. Default: the page's origin in a browser, else `http://localhost:8787`. */
  baseUrl?: string;
  /** Path before the binding, as given to `routeDORequest`. Default `/__rpc`. */
  prefix?: string;
  /** How frames travel. Default `'websocket'`. */
  transport?: 'websocket' | 'http' | Transport;
  /** For each call, in milliseconds. Default 30 000. */
  timeout?: number;
  /** Added to every HTTP request. */
  headers?: Record<string, string>;
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
  const session = new Session(transportFor(binding, instance, options), options.timeout ?? 30_000);
  const close = (): void => session.close();
  const own: Record<PropertyKey, unknown> = { close, [Symbol.dispose]: close };
  return new Proxy(own, {
    get(known, name) {
      // Without a `then`, awaiting the client itself does not call anything.
      if (name in known || typeof name === 'symbol' || name === 'then') return known[name];
      known[name] = (...args: unknown[]) => session.call(name, args);
      return known[name];
    },
  }) as RpcClient<Target>;
}

function transportFor(binding: string, instance: string, options: RpcClientOptions): Transport {
  const { transport = 'websocket', headers = {} } = options;
  if (typeof transport === 'object') return transport;
  const url = callUrl(binding, instance, options);
  if (transport === 'http') {
    return httpTransport(url, headers, options.fetch ?? globalThis.fetch.bind(globalThis));
  }
  return webSocketTransport(url, options.WebSocket ?? (globalThis.WebSocket as WebSocketClass));
}

function callUrl(binding: string, instance: string, options: RpcClientOptions): string {
  const { baseUrl = defaultBaseUrl(), prefix = '/__rpc' } = options;
  const segments = [binding, instance].map(encodeURIComponent);
  const path = [...prefix.split('/').filter(Boolean), ...segments, CALL_SEGMENT].join('/');
  return `${baseUrl.replace(/\/+$/, '')}/${path}`;
}

function defaultBaseUrl(): string {
  const { location } = globalThis as { location?: { origin: string } };
  return location?.origin ?? 'http://localhost:8787';
}
