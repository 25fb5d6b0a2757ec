import { Arrived, Callback, Callee, ClientOf, Frame, IsCapability, IsSubscribed, Kind, KindsOf, NamesOf, Reference, ReferenceOf, RpcError, Said, Stream, Write } from "./wire.js";
/** The promise of a result, or of a part of one. It has the result's properties, as further promises. */
export type RpcPromise<Result> = Promise<Result> & PartsOf<Result>;
type PartsOf<Result> = Result extends object ? { readonly [Key in Exclude<keyof Result, keyof Promise<unknown> | symbol | `~${string}`>]: PartOf<Result[Key]>; } & (Result extends ClientOf<infer Target> ? ClientOf<Target> : unknown) : unknown;
/** The methods of a capability can be called before it arrives. */
type PartOf<Value> = Value extends ((...args: never[]) => RpcPromise<unknown>) ? Value : RpcPromise<Value>;
/** The session of calls, with hooks for modules that are not in every bundle. */
interface Owner {
  readonly transport: {
    readonly since?: number | undefined;
  };
  /** Returns the reference to send for an argument of a call, or `undefined` to send the argument. */
  take?: ((value: unknown, call?: Call) => Reference | undefined) | undefined;
  /** Returns the value of a reference. With `call`, the reference is in the text of that call. */
  make?: ((reference: Reference, call?: Call) => unknown) | undefined;
  /** Writes a message. By default it only calls `encode`. */
  write: Write;
  /** Returns the target of the proxy of a result, or of a part of one. The default target is the promise. */
  callable?: ((part: Part) => object) | undefined;
}
/** The name of a method of the object. For another target: a function with that name that returns the callee. */
type Method = string | ((referenceOf: ReferenceOf) => Callee);
/** How a call ended. */
type Outcome = {
  result: unknown;
} | {
  thrown: unknown;
};
declare class Call {
  #private;
  readonly id: number;
  readonly method: Method;
  readonly promise: Promise<unknown>;
  /** In milliseconds. */
  readonly timeout: number;
  /** When the call times out, in the time of `performance.now()`. */
  readonly deadline: number;
  readonly owner: Owner;
  /** The calls whose results this call takes, by the number in the reference. */
  inputs: ReadonlyMap<number, Call> | undefined;
  /** The call as it is sent. */
  message: Said;
  /** Identity of the frame that carried the call on the current connection. */
  frame: object | undefined;
  /** When the call was first sent, or may have been, in the time of `Date.now()`. */
  sentAt: number | undefined;
  outcome: Outcome | undefined;
  /** Removes listeners and other state that waits for the outcome. */
  onSettled: (() => void) | undefined;
  constructor(owner: Owner, id: number, method: Method, timeout: number);
  reject(thrown: unknown): void;
  settle(outcome: Outcome): void;
}
/** What a caller's proxy represents: the result of a call, or the part of it at a path. */
interface Part {
  call: Call;
  path: readonly string[];
}
/** What a transport reports to the session, and can ask it. */
export interface TransportEvents {
  /** Frames can be sent from now on. */
  opened(): void;
  /**
   * A frame has arrived: whole, or as the parts of a binary frame.
   *
   * @returns false if it is none, and was ignored
   */
  received(frame: Arrived): boolean | void;
  /**
   * The connection was lost, or could not be opened. Calls that were sent and not answered may have run.
   *
   * @param isRefusal - whether the server has rejected the client, so that another attempt is likely to fail
   */
  lost(error: RpcError, isRefusal?: boolean): void;
  /** Whether the session waits for messages, so that a lost connection has to be detected soon. */
  isAwaiting(): boolean;
}
export interface Transport {
  /**
   * Starts to connect. `opened` or `lost` follows, at once or later. Called again after `lost` or `close`.
   */
  connect(events: TransportEvents): void;
  /** Sends a frame. Called only between `opened` and `lost`. */
  send(frame: Frame): void;
  /** Ends the connection. No event follows. */
  close(): void;
  /**
   * The destination, for errors and the console: a URL, or a description. A capability is sent only to an object with
   * the address of the one that returned it, so clients of different objects need different addresses.
   */
  readonly address: string;
  /**
   * When an earlier client with the same id may first have sent these calls, in the time of `Date.now()`.
   * Default: there was no earlier client.
   */
  readonly since?: number | undefined;
  /** Whether both ends can send frames at any time, and frames arrive in order. */
  readonly isDuplex?: boolean;
  /** Whether too much data waits to be sent. Called before each frame. */
  isCongested?(): boolean;
}
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
   * Shows calls, times and frames on the console. Use `debug` of `lumenize-rpc/debug`, or a function that wraps
   * a transport. Default: no output.
   */
  debug?: (transport: Transport, binding: string, instance: string) => Transport;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** Replaces the global `WebSocket`. */
  WebSocket?: WebSocketClass;
}
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}
/**
 * The names of the methods that can be called: those that the contract lists as a call or as a live value. Of a class
 * without a contract, all methods except those that return a feed or a stream.
 */
type CalledOf<Target> = Target extends unknown ? KindsOf<Target> extends (infer Kinds) ? Kinds extends undefined ? Exclude<MethodNames<Target>, SubscribedOnly<Target>> : Extract<NamesOf<Kinds, 'call' | 'live'>, keyof Target> : never : never;
/**
 * The names of the methods that can be subscribed to: those that the contract lists as another kind than a call. Of a
 * class without a contract, all methods.
 */
export type SubscribableOf<Target> = Target extends unknown ? KindsOf<Target> extends (infer Kinds) ? Kinds extends undefined ? MethodNames<Target> : Extract<NamesOf<Kinds, Exclude<Kind, 'call'>>, keyof Target> : never : never;
/** The methods that return a feed or a stream. */
type SubscribedOnly<Target> = { [Name in MethodNames<Target>]: Target[Name] extends ((...args: never[]) => infer Result) ? IsSubscribed<Result> extends true ? Name : never : never; }[MethodNames<Target>];
type MethodNames<Target> = { [Name in keyof Target]: Target[Name] extends ((...args: never[]) => unknown) ? Name : never; }[keyof Target];
/**
 * An argument: the value itself, or the promise of a call's result, at any depth. In place of a function the client
 * passes `callback(fn)`, and in place of a stream `stream(iterable)`, an array or a set.
 */
type Argument<Value> = unknown extends Value ? Value : Value extends IsCapability ? RpcCapability<Value> | RpcPromise<RpcCapability<Value>> : Value extends AsyncIterable<infer Item> ? Stream<Item> | readonly Item[] | ReadonlySet<Item> : Value extends ((...args: infer Args) => infer Result) ? Callback<(...args: Args) => Answer<Awaited<Result>>> : RpcPromise<Value> | (Value extends Atom ? Value : { [Key in keyof Value]: Argument<Value[Key]>; });
/** What a function may return. The return value is ignored if it can be `void`. */
type Answer<Result> = void extends Result ? void : Result | Promise<Result>;
/** Types that are passed as a whole, so that inference does not look inside. */
type Atom = Primitive | ((...args: never[]) => unknown) | Date | RegExp | Error | URL | URLSearchParams | Headers | ArrayBuffer | ArrayBufferView | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>;
type Primitive = string | number | bigint | boolean | symbol | null | undefined;
type ArgumentsOf<Args extends unknown[]> = { [Index in keyof Args]: Argument<Args[Index]>; };
type Methods<Target> = { readonly [Name in CalledOf<Target>]: Target[Name] extends ((...args: infer Args) => infer Result) ? (...args: ArgumentsOf<Args>) => RpcPromise<Received<Awaited<Result>>> : never; };
/**
 * The remote methods of a capability that a method has returned. You can declare it with `using`, which does
 * nothing: there is nothing to release.
 */
export type RpcCapability<Target> = Methods<Target> & ClientOf<Target> & Disposable & AsyncDisposable;
/** A result as it arrives: each capability in it has remote methods. */
export type Received<Result> = Result extends IsCapability ? RpcCapability<Result> : HoldsCapability<Result> extends true ? { [Key in keyof Result]: Received<Result[Key]>; } : Result;
/** Whether any property or item is a capability. Deeper levels are not searched. */
type HoldsCapability<Result> = Result extends Atom ? false : Result extends readonly (infer Item)[] ? Extract<Item, IsCapability> extends never ? false : true : Result extends object ? Extract<Result[keyof Result], IsCapability> extends never ? false : true : false;
/** The remote methods of `Target`, and methods to close and to reconnect the client. */
export type RpcClient<Target> = Methods<Target> & ClientOf<Target> & Disposable & AsyncDisposable & {
  /** Rejects every unanswered call with `CLOSED`, and ends the connection. */
  close(): void;
  /**
   * Opens a new connection at once. Use it after the server has rejected the client, or to replace a
   * connection that may be broken. Unanswered calls are sent again, and run once. It does nothing after
   * `close()`.
   *
   * @example
   * if (error.code === 'UNAUTHORIZED') signIn().then(() => client.reconnect());
   */
  reconnect(): void;
};
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
export declare class Session implements Owner, ConnectionEvents {
  #private;
  take: Owner['take'];
  make: Owner['make'];
  callable: Owner['callable'];
  changed: ConnectionEvents['changed'];
  functions: unknown;
  streams: unknown;
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
  /** Lets methods return capabilities: `import { capabilities } from 'lumenize-rpc/client'`. */
  capabilities?: (session: Session) => void;
  /** Sends large buffers as bytes instead of Base64: `import { bytes } from 'lumenize-rpc/client'`. */
  bytes?: (session: Session) => void;
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
/** A value that changes, in the shape that frameworks take. */
/** Has the contract of Svelte's stores. React's `useSyncExternalStore` takes its two functions. */
export interface Store<Value> {
  /** Returns the current value. It is the same object until it changes. */
  readonly get: () => Value;
  /**
   * Watches the value.
   *
   * @param run - called at once with the current value, and with each later one
   * @returns a function that ends it
   */
  readonly subscribe: (run: (value: Value) => void) => () => void;
}
/** The state of a connection, and the details of its last change. */
export interface ConnectionStatus extends StateDetail {
  /** `undefined` before the client connects for the first time: it does so at its first call or subscription. */
  state: ConnectionState | undefined;
}
/**
 * Returns a store of the state of a client's connection, the same at each call. The details of a change that was
 * before the first call are not all known.
 *
 * @param client - from `createRpcClient`, or a capability
 * @throws TypeError for a value that is not a client
 * @example
 * connectionState(counter).subscribe(({ state, reason }) => show(`${state} ${reason ?? ''}`));
 */
export declare function connectionState(client: ClientOf<unknown>): Store<ConnectionStatus>;
export {};