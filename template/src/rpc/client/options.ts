/**
 * What can be chosen for a client and for its calls, and what it tells of its connection. Imports
 * transport, errors and messages.
 */
import type { RpcError } from '../wire/errors.ts';
import type { Frame } from '../wire/messages.ts';
import type { Transport } from './transport.ts';

export type ConnectionState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** What is known of a change of state. */
export interface StateDetail {
  /** With `reconnecting`: how many attempts have failed since the connection was last open. */
  attempt?: number;
  /** With `reconnecting`: until the next attempt, in milliseconds. */
  delay?: number;
  /** With `reconnecting` and `closed`: why, in words. */
  reason?: string;
  /** With `reconnecting` and `closed`: why. Its `cause` is what the network or a function said. */
  error?: RpcError;
}

export interface ReconnectOptions {
  /** The longest first delay, in milliseconds; it doubles with each attempt. Default 100. */
  minDelay?: number;
  /** The longest delay, in milliseconds. Default 10 000. */
  maxDelay?: number;
}

/** What can be chosen for each call. */
export interface CallOptions {
  /** How long to wait for the answer, in milliseconds. Default: the client's. */
  timeout?: number;
  /** Gives the call up when it is aborted. */
  signal?: AbortSignal;
}

export interface SessionOptions {
  /** For each call, in milliseconds. Default 30 000. */
  timeout?: number;
  /**
   * How to come back after a lost connection: what was not answered is sent again, and runs once.
   * `false` rejects it with `DISCONNECTED`.
   */
  reconnect?: ReconnectOptions | false;
  /**
   * How many calls may wait while the connection is lost; further ones reject with `LIMIT_EXCEEDED`.
   * 0 lets them fail fast. Default 100 000.
   */
  maxQueue?: number;
  /**
   * Told of every change of the connection's state. What it throws is reported, by `reportError`
   * where there is one or else on the console, and changes nothing.
   */
  onStateChange?: (state: ConnectionState, detail: StateDetail) => void;
}

/** What the transport needs of a WebSocket class; every runtime's own one has it. */
export interface WebSocketClass {
  new (url: string, protocols: string[]): WebSocketLike;
}

export interface WebSocketLike {
  readonly bufferedAmount?: number;
  binaryType?: string;
  send(frame: Frame): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

/** A value, or what gives it anew each time: a token can be renewed by it. */
export type Renewable<Value> = Value | (() => Value | Promise<Value>);

/** What can be chosen for a client, apart from modules. */
export interface ConnectionOptions extends SessionOptions {
  /** Where the Worker is. Default: the page's origin in a browser, else `http://localhost:8787`. */
  baseUrl?: string;
  /** Path before the binding, as given to `routeDORequest`. Default `/__rpc`. */
  prefix?: string;
  /**
   * How frames travel. Default `'websocket'`. With `'http'` calls of different ticks are requests of
   * their own, which may overtake each other; those of one tick start in their order.
   */
  transport?: 'websocket' | 'http' | Transport;
  /** How long connecting may take, in milliseconds. Default 10 000. */
  connectTimeout?: number;
  /**
   * How often to see whether the other end is still there while a call is awaited, in milliseconds;
   * otherwise every third time. Default 5 000. A connection on which nothing is heard in between is
   * given up. Then the wait doubles, up to two minutes, for an answer that takes long to arrive.
   */
  heartbeat?: number;
  /**
   * Added to every HTTP request; a WebSocket in a browser cannot carry any: see `protocols`. A
   * function is asked before each request, and once more when the answer is 401. What it throws is
   * the cause of a lost connection.
   */
  headers?: Renewable<Record<string, string>>;
  /**
   * WebSocket subprotocols to offer beside the runtime's own. The place for a token: browsers send
   * it, and unlike the URL it is not logged. A function is asked for each connection, and once more
   * when the server has refused with 401. What it throws is the cause of a lost connection.
   *
   * @example
   * protocols: async () => [`token.${await currentToken()}`]
   */
  protocols?: Renewable<string[]>;
  /**
   * Shows calls, timings and frames on the console: `debug` of `debug/client.ts`, or any function
   * that wraps a transport. Default: nothing is shown.
   */
  debug?: (transport: Transport, binding: string, instance: string) => Transport;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Used instead of the global `WebSocket`. */
  WebSocket?: WebSocketClass;
}

/** What stands for a value at this moment. */
export function current<Value>(value: Renewable<Value>): Value | Promise<Value> {
  return typeof value === 'function' ? (value as () => Value | Promise<Value>)() : value;
}
