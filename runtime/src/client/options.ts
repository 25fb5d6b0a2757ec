/** The options of a client and of its calls, and the states of its connection. */
import type { RpcError } from '../wire/errors.ts';
import type { Frame } from '../wire/messages.ts';
import type { Transport } from './transport.ts';

/**
 * The state of a connection. It is `reconnecting` from the loss of a connection until the next connection opens. A
 * client that is `closed` does not connect by itself.
 */
export type ConnectionState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** Details of a change of the connection's state. */
export interface ConnectionDetails {
  /** With `reconnecting`: how many attempts have failed since the connection was last open. */
  attempt?: number;
  /** With `reconnecting`: the time until the next attempt, in milliseconds. */
  delay?: number;
  /** With `reconnecting` and `closed`: the message of `error`. */
  reason?: string;
  /**
   * With `reconnecting` and `closed`: the error that ended the connection. Its `cause` is the error of the network, or
   * the error that a function among the options threw.
   */
  error?: RpcError;
}

/** The delays between attempts to reconnect. */
export interface ReconnectOptions {
  /**
   * The longest delay before the first attempt, in milliseconds. It doubles with each attempt. The actual delay is
   * random and at most this long. Default 100.
   */
  minDelay?: number | undefined;
  /** The longest delay before any attempt, in milliseconds. Default 10 000. */
  maxDelay?: number | undefined;
}

/** The options of a call. */
export interface CallOptions {
  /**
   * The time to wait for the answer, in milliseconds, before the call rejects with `TIMEOUT`. Default: the client's
   * `timeout`.
   */
  timeout?: number | undefined;
  /** Aborts the call, which then rejects with `ABORTED`. */
  signal?: AbortSignal | undefined;
}

export interface SessionOptions {
  /**
   * The time that each call waits for its answer, in milliseconds, before it rejects with `TIMEOUT`; 0 for no limit.
   * Before the client's first connection, a call rejects after at most eight seconds of attempts, with the error of the
   * last attempt. Default 30 000.
   */
  timeout?: number | undefined;
  /**
   * The delays between attempts to reconnect after a lost connection. The client sends unanswered calls again, and each
   * call runs once. With `false` the client does not reconnect, and unanswered calls reject with `DISCONNECTED`.
   */
  reconnect?: ReconnectOptions | false | undefined;
  /**
   * The number of calls that may wait while the client reconnects. Further calls reject with `LIMIT_EXCEEDED`. With 0,
   * every call that is made while the client reconnects rejects. Default 100 000.
   */
  maxQueue?: number | undefined;
  /**
   * A function that is called at every change of the connection's state, with the new state (`connecting`, `open`,
   * `reconnecting` or `closed`) and the details of the change. An error that it throws is passed to `reportError`, or
   * else to the console.
   */
  onStateChange?: ((state: ConnectionState, detail: ConnectionDetails) => void) | undefined;
}

/** The constructor that a WebSocket class must have. The `WebSocket` of every runtime has it. */
export interface WebSocketClass {
  new (
    url: string,
    protocols: string[],
    options?: { headers?: Record<string, string> | undefined },
  ): WebSocketLike;
}

/** The common members of events of the platform's `WebSocket` and of packages such as `ws`. */
export interface SocketEvent {
  readonly type: string;
  /** With `message`: the data that has arrived. */
  readonly data?: unknown;
  /** With `close`: the close code. */
  readonly code?: number | undefined;
  /** With `close`: the reason. */
  readonly reason?: string | undefined;
}

/** The members of a WebSocket that a client uses. */
export interface WebSocketLike {
  readonly bufferedAmount?: number | undefined;
  binaryType?: string | undefined;
  send(frame: Frame): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: 'open' | 'message' | 'error' | 'close',
    listener: (event: SocketEvent) => void,
  ): void;
}

/** A value, or a function that returns the current value, for example a token that expires. */
export type ValueOrGetter<Value> = Value | (() => Value | Promise<Value>);

/** The options of a client, without the options that add modules. */
export interface ConnectionOptions extends SessionOptions {
  /** The origin of the Worker. Default: the page's origin in a browser, else `http://localhost:8787`. */
  baseUrl?: string | undefined;
  /** The path before the binding, as given to `routeDORequest`. Default `/__rpc`. */
  prefix?: string | undefined;
  /**
   * `'websocket'`, `'http'` or a `Transport`. With `'http'`, the calls of one tick are one request and start in
   * order; requests of different ticks can overtake each other. Default: `'websocket'`.
   */
  transport?: 'websocket' | 'http' | Transport | undefined;
  /** The time that one attempt to connect may take, in milliseconds; 0 or `Infinity` for no limit. Default 8 000. */
  connectTimeout?: number | undefined;
  /**
   * The time between two checks of the connection, in milliseconds, while a call awaits its answer or a subscription is
   * open. Otherwise the time is three times as long. If no reply arrives, the client closes the connection and opens a
   * new one. It then waits twice as long for the next reply, up to two minutes. 0 or `Infinity` for no checks. Default
   * 5 000.
   */
  heartbeat?: number | undefined;
  /**
   * Headers of every HTTP request, or a function that returns them. The function is called for each request, and again
   * after a 401. If it throws, the connection is lost, and the `cause` is the function's error. The global `WebSocket`
   * sends no headers: use `protocols`, or pass a `WebSocket` that takes `{ headers }` as its third argument, such as
   * the class of the package `ws`.
   */
  headers?: ValueOrGetter<Record<string, string>> | undefined;
  /**
   * WebSocket subprotocols to offer, such as a token, or a function that returns them. The function is called for each
   * connection, and again after a 401. The subprotocols are offered beside the runtime's own. Browsers send them, and
   * servers rarely log them, unlike URLs.
   *
   * @example
   * protocols: async () => [`token.${await currentToken()}`]
   */
  protocols?: ValueOrGetter<string[]> | undefined;
  /**
   * Shows calls, times and frames on the console: pass `debug` of `lumenize-rpc/debug`, or your own function that wraps
   * a transport.
   */
  debug?: ((transport: Transport, binding: string, instance: string) => Transport) | undefined;
  /**
   * Replaces the global `fetch`. With a WebSocket, it sends only the request that asks why an upgrade failed. So it
   * should add what the class `WebSocket` adds to an upgrade, such as headers, and nothing else.
   */
  fetch?: typeof fetch | undefined;
  /** Replaces the global `WebSocket`, for engines that have none. */
  WebSocket?: WebSocketClass | undefined;
}

/** Returns the current value of a `ValueOrGetter`. */
export function currentValue<Value>(value: ValueOrGetter<Value>): Value | Promise<Value> {
  return typeof value === 'function' ? (value as () => Value | Promise<Value>)() : value;
}
