import { Method, Owner, RpcCapability, RpcClient, RpcPromise } from "./subscribe.js";
import { Arrived, Frame, RpcError, Said } from "./bytes.js";
import { Transport, TransportEvents } from "./transport.js";
import { ClientOf } from "./contract-brand.js";
import { PortLike } from "./port.js";
export type ConnectionState = 'connecting' | 'open' | 'reconnecting' | 'closed';
/** Details of a change of the connection's state. */
export interface StateDetail {
  /** With `reconnecting`: how many attempts have failed since the connection was last open. */
  attempt?: number;
  /** With `reconnecting`: the time until the next attempt, in milliseconds. */
  delay?: number;
  /** With `reconnecting` and `closed`: the message of `error`. */
  reason?: string;
  /**
   * With `reconnecting` and `closed`: what ended the connection. Its `cause` is the error of the network or
   * of a function among the options.
   */
  error?: RpcError;
}
export interface ReconnectOptions {
  /**
   * The longest delay before the first attempt, in milliseconds. It doubles with each attempt. The delay
   * itself is random. Default 100.
   */
  minDelay?: number;
  /** The longest delay before any attempt, in milliseconds. Default 10 000. */
  maxDelay?: number;
}
/** The options of a call. */
export interface CallOptions {
  /**
   * How long to wait for the answer, in milliseconds. Then the call rejects with `TIMEOUT`. Default: the
   * client's.
   */
  timeout?: number;
  /** Aborts the call: it rejects with `ABORTED`. */
  signal?: AbortSignal;
}
interface SessionOptions {
  /**
   * How long each call waits for its answer, in milliseconds. Then it rejects with `TIMEOUT`. Default 30 000.
   */
  timeout?: number;
  /**
   * How to reconnect after a lost connection. The client sends unanswered calls again, and each runs once.
   * With `false`, they reject with `DISCONNECTED`. Default: the defaults of `ReconnectOptions`.
   */
  reconnect?: ReconnectOptions | false;
  /**
   * How many calls may wait while the client reconnects. Further calls reject with `LIMIT_EXCEEDED`; with 0,
   * all do. Default 100 000.
   */
  maxQueue?: number;
  /**
   * Called at every change of the connection's state. An error that it throws is passed to `reportError`, or
   * else to the console.
   */
  onStateChange?: (state: ConnectionState, detail: StateDetail) => void;
}
/** The constructor that a WebSocket class must have. The `WebSocket` of every runtime has it. */
export interface WebSocketClass {
  new (url: string, protocols: string[]): WebSocketLike;
}
interface WebSocketLike {
  readonly bufferedAmount?: number;
  binaryType?: string;
  send(frame: Frame): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
}
/** A value, or a function that returns the current value, for example a token that expires. */
export type Renewable<Value> = Value | (() => Value | Promise<Value>);
/** The options of a client, except for modules. */
interface ConnectionOptions extends SessionOptions {
  /** The origin of the Worker. Default: the page's origin in a browser, else `http://localhost:8787`. */
  baseUrl?: string;
  /** The path before the binding, as given to `routeDORequest`. Default `/__rpc`. */
  prefix?: string;
  /**
   * How calls are sent. With `'http'`, the calls of one tick are one request and start in order; requests of
   * different ticks can overtake each other. Default `'websocket'`.
   */
  transport?: 'websocket' | 'http' | Transport;
  /** How long one attempt to connect may take, in milliseconds; `Infinity` for no limit. Default 10 000. */
  connectTimeout?: number;
  /**
   * The time between two checks of the connection, in milliseconds, while a call waits for its answer or a
   * subscription is open. Otherwise it is three times as long. A connection without a reply is closed and opened
   * again. The client then waits twice as long for the next reply, up to two minutes. `Infinity` for no checks.
   * Default 5 000.
   */
  heartbeat?: number;
  /**
   * Headers of every HTTP request. A browser cannot add headers to a WebSocket: see `protocols`. A function
   * is called before each request, and again after a 401. If it throws, the connection is lost, and the error
   * is the cause.
   */
  headers?: Renewable<Record<string, string>>;
  /**
   * WebSocket subprotocols to offer beside the runtime's own. Use them for a token: browsers send them, and
   * unlike a URL they are not logged. A function is called for each connection, and again after a 401. If it
   * throws, the connection is lost, and the error is the cause.
   *
   * @example
   * protocols: async () => [`token.${await currentToken()}`]
   */
  protocols?: Renewable<string[]>;
  /**
   * Shows calls, times and frames on the console. Use `debug` of `debug/client.ts`, or a function that wraps
   * a transport. Default: no output.
   */
  debug?: (transport: Transport, binding: string, instance: string) => Transport;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** Replaces the global `WebSocket`. */
  WebSocket?: WebSocketClass;
}
interface ConnectionEvents {
  opened(): void;
  /** @param messages - of one frame. A module that replaces this listener passes on all other messages. */
  received(messages: unknown[][]): void;
  /**
   * @param error - left out when another attempt follows
   * @param isFinal - whether later calls fail too, until `reconnect()`
   */
  lost(error?: RpcError, isFinal?: boolean): void;
  /** Whether the client waits for messages. */
  isAwaiting(): boolean;
  /** Called at every change of the state. May throw. */
  changed: ((state: ConnectionState, detail: StateDetail) => void) | undefined;
}
declare class Connection implements TransportEvents {
  #private;
  /** `undefined` until there is something to send. Set only here. */
  state: ConnectionState | undefined;
  /** The error of the last attempt, until a frame arrives or `reopen` is called. */
  failure: RpcError | undefined;
  /** Returns the messages of a frame, or `undefined` for a malformed frame. */
  read: (frame: Arrived) => unknown[][] | undefined;
  constructor(transport: Transport, reconnect: ReconnectOptions | false | undefined, events: ConnectionEvents);
  /** Whether frames that need no answer can be sent now. */
  get isDuplex(): boolean;
  /** For error messages: the address that has not answered, and how the last attempt failed. */
  get trouble(): string;
  /** Connects if the connection is idle. */
  open(): void;
  /** Opens a new connection at once. */
  reopen(): void;
  close(error: RpcError): void;
  opened: () => void;
  received: (frame: Arrived) => boolean;
  isAwaiting: () => boolean;
  lost: (error: RpcError, isRefusal?: boolean) => void;
}
declare class Session implements Owner, ConnectionEvents {
  #private;
  take: Owner['take'];
  make: Owner['make'];
  callable: Owner['callable'];
  changed: ConnectionEvents['changed'];
  write: Owner['write'];
  readonly connection: Connection;
  readonly transport: Transport;
  constructor(transport: Transport, options: SessionOptions);
  /** Makes a call. It is sent at the end of this tick, or when the connection is open. */
  call(method: Method, args: unknown[], options: CallOptions): RpcPromise<unknown>;
  /** Sends messages in one frame. */
  send(messages: readonly Said[]): void;
  /** Rejects unanswered calls with `CLOSED`, and ends the connection. */
  close(): void;
  /** Opens a new connection, even if the server has rejected the client. Does nothing after `close()`. */
  reconnect(): void;
  /** @throws RpcError when no call can be made */
  admit(): void;
  opened: () => void;
  isAwaiting: () => boolean;
  lost: (error?: RpcError, isFinal?: boolean) => void;
  received: (messages: unknown[][]) => void;
}
/** The options of a client. */
export interface RpcClientOptions extends ConnectionOptions {
  /** Lets methods return capabilities. Import `capabilities` from `client/capabilities.ts`. */
  capabilities?: (session: Session) => void;
  /** Sends large buffers as bytes instead of Base64. Import `bytes` from `client/bytes.ts`. */
  bytes?: (session: Session) => void;
  /** Allows functions as arguments. Import `callbacks` from `client/callbacks.ts`. */
  callbacks?: (session: Session) => void;
  /** Allows streams as arguments. Import `streams` from `client/streams.ts`. */
  streams?: (session: Session) => void;
}
/**
 * Creates a client for one Durable Object. The client connects at its first call, so you can create it
 * anywhere, even at module scope of a Worker. If requests of a Worker share it at the same time, set
 * `transport` to `'http'`: a WebSocket works only in the request that opened it.
 *
 * @param binding - the Durable Object binding, such as `COUNTER`
 * @param instance - the object's name, or its id as 64 hex characters
 * @returns an object with the contract's methods. A call rejects with what the method threw, or
 *   with an `RpcError`.
 * @throws TypeError for a `baseUrl` that does not begin with `http://` or `https://`
 * @example
 * using counter = createRpcClient<Counter>('COUNTER', 'my-counter');
 * await counter.increment();
 */
export declare function createRpcClient<Target>(binding: string, instance: string, options?: RpcClientOptions): RpcClient<Target>;
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
export declare function withOptions<Client extends object>(client: Client, options: CallOptions): Client;
/** The members that a stub must have. `env.COUNTER.getByName('my-counter')` returns such a stub. */
interface Stub {
  readonly name?: string | undefined;
  readonly id?: {
    toString(): string;
  };
  fetch(url: string, init?: RequestInit): Promise<Response>;
}
/** What a caller stores about calls that must run once, even if the caller is stopped meanwhile. */
interface Delivery {
  /**
   * The client's id in the object's journal. Use at most 100 characters of those that `crypto.randomUUID()`
   * has. Store it together with the intent to call, and use it for nothing else.
   */
  id: string;
  /**
   * When the first attempt was made, in milliseconds, from `Date.now()`. Store it before that attempt. The
   * object runs a call that is older than half an hour only if its journal has the id.
   */
  since: number;
}
interface BindingOptions {
  /**
   * Opens a WebSocket, which subscriptions and callbacks need. It belongs to the request that opened it. If
   * an object opens it, the object stays awake, and is billed, as long as the socket is open. Default: false,
   * each frame is a POST.
   */
  socket?: boolean;
  /**
   * What `currentCaller()` returns in the object: JSON data of at most 2 000 characters. A Worker that has
   * the binding can name any caller. Default `undefined`.
   */
  caller?: unknown;
  /**
   * Repeats calls that the caller may have made before it was stopped. Of the calls with one `id`, each runs
   * once. They must be the same calls in the same order, all made in one tick.
   */
  delivery?: Delivery;
}
/**
 * Creates a transport to a Durable Object through its binding. Pass it to `createRpcClient` as `transport`. The
 * binding and the instance are then only names for messages. The calls of one tick are one request. After a
 * failure the request is sent again, and each call runs once.
 *
 * @param stub - the object's stub, or a function that returns a new one for each request. A stub stays broken
 *   after its object was stopped, so pass a function for calls that must survive that.
 * @throws RangeError for a caller that is too large
 * @example
 * const counter = createRpcClient<Counter>('COUNTER', 'x', {
 *   transport: bindingTransport(() => env.COUNTER.getByName('x')),
 * });
 */
export declare function bindingTransport(stub: Stub | (() => Stub), { socket, caller, delivery }?: BindingOptions): Transport;
/**
 * Sends buffers of more than 1 024 bytes as bytes, in arguments and results. Without this option they are sent
 * as Base64 text, which is a third larger and takes both ends longer to write and to read. The values are the
 * same.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const files = createRpcClient<Files>('FILES', 'main', { bytes });
 * await files.store('photo', await file.arrayBuffer());
 */
export declare function bytes(session: Session): void;
/**
 * Allows functions as arguments of a client's calls, where the contract has `Type.Function`. The object can
 * call a function until the call that passed it ends, or for as long as the object keeps its address. The
 * object gets what the function returns, after it awaits a promise, or what it throws.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const table = createRpcClient<Table>('TABLE', 'main', { callbacks });
 * await table.load(csv, (percent) => show(percent));
 */
export declare function callbacks(session: Session): void;
/**
 * Allows capabilities as results and arguments of a client's calls.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const bank = createRpcClient<Bank>('BANK', 'main', { capabilities });
 * const session = bank.login(token); // Not awaited: both calls share a frame.
 * await session.transfer('bob', 5);
 */
export declare function capabilities(session: Session): void;
/**
 * Returns the address of a capability, as text. Anyone who has the address can use the capability, from
 * anywhere, until it is revoked. Keep it like a password.
 *
 * @param capability - from an awaited call
 * @throws TypeError for a value that is not a capability
 * @example
 * localStorage.session = addressOf(await bank.login(token));
 */
export declare function addressOf(capability: object): string;
/**
 * Returns the capability at an address. Whether the address is still valid is only checked when you call a
 * method.
 *
 * @param client - of the object that returned the capability, created with the option `capabilities`
 * @param address - from `addressOf`
 * @throws TypeError for text that is not an address
 * @example
 * const session = capabilityAt<Session>(bank, localStorage.session);
 */
export declare function capabilityAt<Target>(client: ClientOf<unknown>, address: string): RpcCapability<Target>;
/**
 * Creates a transport to what `servePort` serves at the other end of a port. Pass it to `createRpcClient` as
 * `transport`. The binding and the instance are then only names for messages. Frames that are sent before the
 * other end listens wait in the port.
 *
 * A port cannot be opened again. When the other end closes it, unanswered calls reject with `DISCONNECTED`, and
 * so does every later call. `close()` and `reconnect()` of the client end the port. Only Node reports that the
 * program at the other end has ended. In a browser, calls to a terminated worker or a removed iframe wait for
 * their timeouts. Close the client yourself when you end one of them.
 *
 * @param port - a port that only this client uses
 * @example
 * const { port1, port2 } = new MessageChannel();
 * worker.postMessage('serve', [port2]);
 * const counter = createRpcClient<Counter>('COUNTER', 'x', { transport: messagePortTransport(port1) });
 */
export declare function messagePortTransport(port: PortLike): Transport;
/**
 * Allows streams as arguments of a client's calls, where the contract has `items(…)`: async iterables,
 * generators and `ReadableStream`s. Items are sent as the method takes them, at most 64 items or 1 MiB ahead.
 * When the call ends or the method takes no more items, the stream ends: the runtime calls the `return` of an
 * iterator, or cancels a `ReadableStream`. If the stream throws, the method's loop throws the same error. The
 * call's `timeout` starts again with each item that the stream yields or the method takes.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const files = createRpcClient<Files>('FILES', 'main', { streams });
 * await files.upload('a.txt', lines());
 */
export declare function streams(session: Session): void;
export {};