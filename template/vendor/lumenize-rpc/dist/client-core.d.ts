import { Callback, Callee, ClientOf, CodecFeedback, EncodedMessage, EndedCall, FeedEvent, FeedPage, Frame, HasEvents, IsCapability, IsFeed, IsOneSignature, IsSubscribed, KindIn, MethodKindsOf, MethodName, Mismatch, OnCall, PassedArgs, PortLike, ReceivedFrame, Reference, ReferenceOf, RichObject, RpcError, StartedCall, Stream, StreamItem, Tracer, Write } from "./wire.js";
/**
 * The promise of a result, or of a part of a result. It has the result's properties, as further promises, except for
 * names that every promise has or that libraries look up on any value.
 */
export type RpcPromise<Result> = Promise<Result> & PartsOf<Result>;
type PartsOf<Result> = Result extends object ? { readonly [Key in keyof Result as PartName<Key>]-?: PartOf<Result[Key]>; } & (Result extends ClientOf<infer Target> ? ClientOf<Target> : unknown) : unknown;
/** The names of the members that every object has. */
type ObjectMember = keyof typeof Object.prototype;
/** The names that `PROBED` matches, and the names of types in `brands.ts`. */
type Probed = `${'_' | '$' | '@' | '~'}${string}` | 'nodeType' | 'toJSON';
type PartName<Key> = Key extends keyof Promise<unknown> | ObjectMember | Probed | symbol ? never : Key;
/** The methods of a capability can be called before it arrives. */
type PartOf<Value> = [Value] extends [((...args: never[]) => RpcPromise<unknown>) | Mismatch<unknown>] ? Value : RpcPromise<Value>;
/** The session of calls, with hooks for modules that are not in every bundle. */
interface CallSession {
  readonly transport: {
    readonly since?: number | undefined;
  };
  /** Returns the reference to send for an argument of a call, or `undefined` to send the argument. */
  referenceOf?: ((value: unknown, call?: Call) => Reference | undefined) | undefined;
  /** Returns the value of a reference. With `call`, the reference is in the text of that call. */
  resolve?: ((reference: Reference, call?: Call) => unknown) | undefined;
  /** Writes a message. By default it only calls `encode`. */
  write: Write;
  /** Returns the object for a part whose methods can be called. By default it is the promise of the part. */
  callable?: ((promise: object, part: ResultPart) => object) | undefined;
  /** Returns the value of a symbol that the promise of a result does not have. */
  symbolOf?: ((symbol: symbol, part: ResultPart) => unknown) | undefined;
}
/**
 * The method to call: its name for a method of the object. For any other target, a function that has the method's name
 * and returns the callee.
 */
type Method = string | ((referenceOf: ReferenceOf) => Callee);
/** The outcome of a call. */
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
  /** The timeout of the call, in milliseconds. */
  readonly timeout: number;
  /** The time of `performance.now()` when the call times out. */
  readonly deadline: number;
  readonly session: CallSession;
  /** The calls whose results this call takes, by the number in the reference. */
  inputs: ReadonlyMap<number, Call> | undefined;
  /** The call as it is sent. */
  message: EncodedMessage;
  /**
   * The identity of the frame that carried the call on the current connection: a list with the id of its first call.
   */
  frame: number[] | undefined;
  /** The time of `Date.now()` when the call was first sent, or may have been. */
  sentAt: number | undefined;
  outcome: Outcome | undefined;
  /** Removes listeners and other state that waits for the outcome. */
  onSettled: (() => void) | undefined;
  constructor(session: CallSession, id: number, method: Method, timeout: number);
  reject(thrown: unknown): void;
  settle(outcome: Outcome): void;
}
/** The result of a call, or the part of the result at a path. */
type ResultPart = readonly [call: Call, ...path: string[]];
/** The functions by which a transport reports to the session, and asks it. */
export interface TransportEvents {
  /** Frames can be sent from now on. */
  opened(): void;
  /**
   * A frame has arrived: whole, or as the parts of a binary frame.
   *
   * @returns false if it is not a frame of this protocol, and was ignored
   */
  received(frame: ReceivedFrame): boolean | void;
  /**
   * The connection was lost, or could not be opened. Calls that were sent and not answered may have run.
   *
   * @param isRefusal - whether the server has rejected the client, so that another attempt is likely to fail
   * @param unread - a frame that the server has rejected before any of its calls ran. None of its calls was sent before
   *   if the frame begins with a call.
   */
  lost(error: RpcError, isRefusal?: boolean, unread?: Frame | false): void;
  /** Returns whether the session waits for messages, so that a lost connection has to be detected soon. */
  isAwaiting(): boolean;
}
/** A way to send frames to one object and to receive its frames. */
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
   * The destination, for errors and the console: a URL, or a description. A capability is sent only to the address of
   * the object that returned it, so clients of different objects need different addresses.
   */
  readonly address: string;
  /**
   * The time of `Date.now()` when an earlier client with this id may first have sent these calls.
   * Default: there was no earlier client.
   */
  readonly since?: number | undefined;
  /** Returns the client's id, for reports of calls. Default: the id is unknown. */
  readonly clientId?: (() => string) | undefined;
  /** True if both ends can send frames at any time, and frames arrive in order. */
  readonly isDuplex?: boolean | undefined;
  /** Returns whether too much data waits to be sent. Called before each frame. */
  isCongested?(): boolean;
}
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
  new (url: string, protocols: string[], options?: {
    headers?: Record<string, string> | undefined;
  }): WebSocketLike;
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
  addEventListener(type: 'open' | 'message' | 'error' | 'close', listener: (event: SocketEvent) => void): void;
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
/** The reason why a client cannot call a method; `never` if it can. */
type CallProblem<Target, Name extends keyof Target, Args extends unknown[], Result> = MethodKindsOf<Target> extends (infer Kinds) ? Kinds extends undefined ? IsSubscribed<Result> extends true ? CallProblems<Name>[IsFeed<Result> extends true ? 'events' : 'stream'] : SignatureProblem<Target[Name], Args, Result> : Name extends keyof Kinds ? CallProblems<Name>[KindIn<Kinds[Name]>] : NotListed : never;
/** The messages by kind: each says why a method cannot be called, and most say what to write instead. */
interface CallProblems<Name> {
  call: never;
  live: never;
  events: `the method returns a feed: write subscribe(client).${Name & string}()`;
  stream: `the method returns a stream: write subscribe(client).${Name & string}()`;
  rows: `the method returns rows: write subscribe(client).${Name & string}()`;
  internal: NotForClients;
  presence: `the method is a presence: write presence(client, (methods) => methods.${Name & string}())`;
}
/** The problem with a method that the contract does not list. */
type NotListed = 'the contract does not list the method: add it to the contract';
/** The problem with a method that the contract lists by `internal`. */
type NotForClients = 'the contract lists the method as internal: only objects and Workers can call it';
/**
 * The problem with a generic or an overloaded method. A contract refuses such a method. For a class without a contract,
 * the client refuses it.
 */
type SignatureProblem<Method, Args extends unknown[], Result> = IsOneSignature<Method, Args, Result> extends true ? never : 'the method is generic or overloaded: write one signature without type parameters';
/**
 * An argument: the value itself, or the promise of a call's result, at any depth. In place of a function the client
 * passes `callback(fn)`, and in place of a stream `stream(iterable)`, an array or a set.
 */
type Argument<Value> = unknown extends Value ? Value : Given<Value> | Promised<Exclude<Value, Marked>>;
/** An argument that is not a promise. */
type Given<Value> = Value extends IsCapability ? RpcCapability<Value> : Value extends AsyncIterable<infer Item> ? Stream<Item> | readonly Item[] | ReadonlySet<Item> : Value extends ((...args: infer Args) => infer Result) ? Callback<(...args: Args) => Answer<Awaited<Result>>> : Value extends Atom ? Value : Value extends readonly (infer Item)[] ? Item[] extends Value ? ItemsOf<Value, Item> : { [Index in keyof Value]: Argument<Value[Index]>; } : { [Key in keyof Value]: Argument<Value[Key]>; };
/**
 * The items of an array that is not a tuple. The array is not mapped, since the compiler would follow a recursive type
 * forever.
 */
type ItemsOf<Value, Item> = Value extends Item[] ? Argument<Item>[] : readonly Argument<Item>[];
/** The promise of an argument. It is one promise of the whole union, because a call returns such a promise. */
type Promised<Value> = [Value] extends [undefined] ? never : RpcPromise<Received<Value>>;
/** The arguments that a caller has to pass through `callback` or `stream`. */
type Marked = AsyncIterable<unknown> | ((...args: never[]) => unknown);
/** The values that a function may return. The return value is ignored if it can be `void`. */
type Answer<Result> = void extends Result ? void : Result | Promise<Result>;
/** Types that are passed as a whole, so that inference does not look inside. */
type Atom = Primitive | ((...args: never[]) => unknown) | RichObject;
type Primitive = string | number | bigint | boolean | symbol | null | undefined;
type ArgumentsOf<Args extends unknown[]> = { [Index in keyof Args]: Argument<Args[Index]>; };
/**
 * The methods of a client. A method that cannot be called is a property whose type says why, so that the compiler's
 * error shows the reason.
 */
export type Methods<Target> = { readonly [Name in keyof Target as MethodName<Target, Name>]: Target[Name] extends ((...args: infer Args) => infer Result) ? [CallProblem<Target, Name, Args, Result>] extends [never] ? (...args: ArgumentsOf<PassedArgs<Target, Name, Args>>) => RpcPromise<Received<Resolved<Result>>> : Mismatch<CallProblem<Target, Name, Args, Result>> : never; };
/**
 * The remote methods of a capability that a method has returned. You can declare it with `using`, which does
 * nothing: there is nothing to release.
 */
export type RpcCapability<Target> = Methods<Target> & ClientOf<Target> & Disposable & AsyncDisposable;
/**
 * The value that a method returns, or that its promise resolves to. For a promise, `Awaited` would forget the name of
 * the type.
 */
export type Resolved<Result> = Result extends Promise<infer Value> ? Value : Awaited<Result>;
/** A result as it arrives: each capability in it has remote methods. */
export type Received<Result> = Result extends IsCapability ? RpcCapability<Result> : HoldsCapability<Result> extends true ? { [Key in keyof Result]: Received<Result[Key]>; } : Result;
/** Is `true` if any property or item is a capability. Deeper levels are not searched. */
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
  /**
   * @param messages - the messages of one frame. A module that replaces this listener passes on the messages that it
   * does not handle.
   */
  received(messages: unknown[][]): void;
  /**
   * @param error - the reason why the client is closed; left out when another attempt follows
   * @param isFinal - whether later calls fail too, until `reconnect()`
   * @param unread - the frame that the server has rejected: see `TransportEvents`
   * @param fruitless - the error of the last attempt to connect, if calls are rejected and do not wait for another attempt
   */
  lost(error?: RpcError, isFinal?: boolean, unread?: Frame | false, fruitless?: RpcError): void;
  /** Returns whether the client waits for messages. */
  isAwaiting(): boolean;
  /** This function is called at every change of the state. It may throw. */
  changed: ((state: ConnectionState, detail: ConnectionDetails) => void) | undefined;
}
declare class Connection implements TransportEvents {
  #private;
  /** The state is `undefined` until there is something to send. Only this class sets it. */
  state: ConnectionState | undefined;
  /** The error of the last attempt, until a frame arrives or `reopen` is called. */
  failure: RpcError | undefined;
  /** Returns the messages of a frame, or `undefined` for a malformed frame. */
  read: (frame: ReceivedFrame) => unknown[][] | undefined;
  constructor(transport: Transport, reconnect: ReconnectOptions | false | undefined, events: ConnectionEvents);
  /** Returns whether frames that need no answer can be sent now. */
  get isDuplex(): boolean;
  /** Connects if the connection is idle. */
  open(): void;
  /** Opens a new connection at once. */
  reopen(): void;
  close(error: RpcError): void;
  opened: () => void;
  received: (frame: ReceivedFrame) => boolean;
  isAwaiting: () => boolean;
  lost: (error: RpcError, isRefusal?: boolean, unread?: Frame | false) => void;
}
export declare class Session implements CallSession, ConnectionEvents {
  #private;
  referenceOf: CallSession['referenceOf'];
  resolve: CallSession['resolve'];
  callable: CallSession['callable'];
  symbolOf: CallSession['symbolOf'];
  changed: ConnectionEvents['changed'];
  /** Surrounds a call of a function by the object. */
  aroundCallback: ((callId: number, run: () => unknown) => unknown) | undefined;
  functions: unknown;
  streams: unknown;
  subscriptions: unknown;
  optimistic: unknown;
  write: CallSession['write'];
  readonly connection: Connection;
  /** The binding and the name of the object. */
  object: readonly [binding: string, instance: string];
  readonly transport: Transport;
  constructor(transport: Transport, options: SessionOptions);
  /** Makes a call. It is sent at the end of this tick, or when the connection is open. */
  call(method: Method, args: unknown[], options: CallOptions, feedback?: CodecFeedback): RpcPromise<unknown>;
  /** Sends messages in one frame. */
  send(messages: readonly EncodedMessage[]): void;
  /** Rejects unanswered calls with `CLOSED`, and ends the connection. */
  close(): void;
  /** Opens a new connection, even if the server has rejected the client. Does nothing after `close()`. */
  reconnect(): void;
  /** @throws RpcError `LIMIT_EXCEEDED` if too many calls wait, or the error with which the client was closed */
  admit(): void;
  opened: () => void;
  isAwaiting: () => boolean;
  lost: ConnectionEvents['lost'];
  /** Rejects all calls. Modules replace this function to reject their subscriptions, too. */
  rejectAll: (error: RpcError, onlySent?: boolean, first?: unknown) => void;
  received: (messages: unknown[][]) => void;
  /** Ends a call that a newer one replaces. */
  drop(call: Call): void;
}
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
/**
 * Lets calls and subscriptions wait for a method that the object does not have yet, because it still runs the code of
 * before a deployment. The client asks again on each new connection, and after delays that grow from half a second to
 * 30 seconds.
 *
 * A call is sent again with the same id, so it runs at most once. Later calls do not wait for it, unless they take its
 * result. A second before its `timeout` ends, it rejects with the object's error: `METHOD_NOT_FOUND` or `UNSUPPORTED`.
 * A subscription rejects with that error after ten minutes.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const counter = createRpcClient<Counter>('COUNTER', 'main', { awaitMethods });
 * // By default, an object has the new code five minutes after a deployment at the latest.
 * await withOptions(counter, { timeout: 330_000 }).newMethod();
 */
export declare function awaitMethods(session: Session): void;
/** The members that a stub must have. `env.COUNTER.getByName('my-counter')` returns such a stub. */
export interface Stub {
  readonly name?: string | undefined;
  readonly id?: {
    toString(): string;
  } | undefined;
  fetch(url: string, init?: RequestInit): Promise<Response>;
}
/** The data that a program stores about calls that must run once, even if the program is stopped meanwhile. */
export interface DeliveryOptions {
  /**
   * The client's id in the object's journal: up to 100 hex digits and hyphens, as `crypto.randomUUID()` returns them.
   * Store it together with the intent to call, and use it for nothing else.
   */
  id: string;
  /**
   * The time of the first attempt, from `Date.now()`. Store it before the attempt. The object runs a call that is older
   * than half an hour only if its journal has the id.
   */
  since: number;
}
/** The options of `bindingTransport`. */
export interface BindingOptions {
  /**
   * Opens a WebSocket, which subscriptions and callbacks need. The socket belongs to the request that opened it. An
   * object that opens such a socket stays awake, and is billed, as long as the socket is open. With `false`, each frame
   * is a POST. Default false.
   */
  socket?: boolean | undefined;
  /**
   * The value that `currentCaller()` returns in the object: JSON data of at most 2 000 characters. A Worker that has
   * the binding can name any user. Default: `undefined`.
   */
  caller?: unknown;
  /**
   * Repeats calls that may have been made before the program was stopped. Make the same calls in the same order, in one
   * tick. Each call runs once among all clients with this `id`.
   */
  delivery?: DeliveryOptions | undefined;
}
/**
 * Creates a transport to a Durable Object through its binding. Pass it to `createRpcClient` as `transport`. The binding
 * and the instance are then only names for messages. The calls of one tick are one request. After a failure, the
 * request is sent again, and each call runs once.
 *
 * @param stub - the object's stub, or a function that returns a new one for each request. A stub stays broken
 *   after its object was stopped, so pass a function for calls that must survive that.
 * @param options - `socket`, true for a WebSocket; `caller`; `delivery`, which repeats the calls of an earlier run: see
 *   `BindingOptions`. Default: none.
 * @throws RangeError for a caller that is too large
 * @example
 * const counter = createRpcClient<Counter>('COUNTER', 'x', {
 *   transport: bindingTransport(() => env.COUNTER.getByName('x')),
 * });
 */
export declare function bindingTransport(stub: Stub | (() => Stub), { socket, caller, delivery }?: BindingOptions): Transport;
/**
 * Sends buffers of more than 1 024 bytes as bytes, in arguments and results, if the object has `use: [bytes]`. Otherwise
 * they are sent as Base64 text, which is 33 % larger and slower to write and to read. The received values are equal.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const files = createRpcClient<Files>('FILES', 'main', { bytes });
 * await files.store('photo', await file.arrayBuffer());
 */
export declare function bytes(session: Session): void;
/**
 * Marks a function as an argument of a call, where the contract has `callback(…)`. The object can call the function until
 * the call that passed it ends, or for as long as the object keeps its token. The object receives the value that the
 * function returns or throws. If the function returns a promise, the promise is awaited. If you mark one function twice,
 * the object receives one function.
 *
 * @param fn - the function
 * @returns an argument, or a part of an argument, for a call over a WebSocket or a port. Over HTTP, the call rejects with
 *   `UNSERIALIZABLE`.
 * @example
 * await table.load(csv, callback((percent) => show(percent)));
 */
export declare function callback<Function extends (...args: never[]) => unknown>(fn: Function): Callback<Function>;
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
 * Returns the token of a capability, which is text. Anyone who has the token can use the capability from anywhere, until
 * the capability is revoked. Protect the token like a password.
 *
 * @param capability - the result of an awaited call, or a part of it
 * @returns the token
 * @throws TypeError for a value that is not a capability
 * @example
 * localStorage.session = tokenOf(await bank.login(token));
 */
export declare function tokenOf(capability: object): string;
/**
 * Returns the capability of a token. Only a call of a method checks whether the token is still valid.
 *
 * @param client - the client of the object that returned the capability, created with the option `capabilities`
 * @param token - from `tokenOf`
 * @returns the capability, which has remote methods
 * @throws TypeError for text that is not a token
 * @example
 * const session = capabilityAt<Session>(bank, localStorage.session);
 */
export declare function capabilityAt<Target>(client: ClientOf<unknown>, token: string): RpcCapability<Target>;
/** A client whose calls can be replaced: a call resolves with `undefined` if a newer call replaces it. */
export type Latest<Client> = { readonly [Name in keyof Client]: Client[Name] extends ((...args: infer Args) => Promise<infer Result>) ? (...args: Args) => RpcPromise<Result | undefined> : Client[Name]; };
/**
 * Returns a client that keeps only the newest call of each method: a call replaces an earlier call of the same method
 * that waits to be sent or answered. So calls do not pile up while the client is not connected.
 *
 * - A call that is replaced resolves with `undefined`, at once. It may have run, if it was sent.
 * - A call of a `volatile` method that was on its way when the connection was lost also resolves with `undefined`,
 *   because the object stores no answer for it.
 * - Over HTTP, where a later request can arrive first, a call waits for the answer of the call before.
 * - Any other error rejects the call.
 *
 * The client shares the connection of the client that you pass.
 *
 * @param client - from `createRpcClient` or `withOptions`, or a capability
 * @throws TypeError for a value that is not a client
 * @example
 * const cursor = latest(room);
 * addEventListener('pointermove', ({ x, y }) => void cursor.moveCursor(x, y));
 */
export declare function latest<Client extends object>(client: Client): Latest<Client>;
/** A value that changes, in a shape that Svelte, React and other frameworks accept. */
/**
 * A value that can be watched. It follows the contract of Svelte's stores. React's `useSyncExternalStore` takes its two
 * functions.
 */
export interface Store<Value> {
  /** Returns the current value. It is the same object until it changes. */
  readonly get: () => Value;
  /**
   * Watches the value.
   *
   * @param run - called at once with the current value, and with each later one
   * @returns a function that stops watching
   */
  readonly subscribe: (run: (value: Value) => void) => () => void;
}
/** The state of a connection, and the details of its last change. */
export interface ConnectionStatus extends ConnectionDetails {
  /** `undefined` before the client connects for the first time: it does so at its first call or subscription. */
  state: ConnectionState | undefined;
}
/**
 * Returns a store of the state of a client's connection. Each call for one client returns the same store. For a change
 * before the first call, the store may lack some of the details.
 *
 * @param client - from `createRpcClient`, or a capability
 * @throws TypeError for a value that is not a client
 * @example
 * connectionState(counter).subscribe(({ state, reason }) => show(`${state} ${reason ?? ''}`));
 */
export declare function connectionState(client: ClientOf<unknown>): Store<ConnectionStatus>;
/**
 * Returns a store of a client, which all stores with the same arguments share. The client is created when the store is
 * first used. It is closed 1 s after its last watcher has left, or 1 s after `get()` if nothing watches it by then, but
 * not before its calls are answered. In React, use `useRpcClient`.
 *
 * Options are compared by their values. Stores with different options have different clients, each with a connection of
 * its own. Functions of `headers`, `protocols`, `fetch` and `onStateChange` can differ: the client calls the functions
 * that were passed last. All other functions, and instances of classes, are compared by identity: create them once,
 * outside of the component.
 *
 * @param binding - the Durable Object binding, such as `ROOM`
 * @param instance - the object's name, or its id as 64 hex characters
 * @param options - the options of `createRpcClient`. Default: none.
 * @returns a store. Do not close its client: other components may use it.
 * @throws TypeError, when the store is used, for a `baseUrl` that does not begin with `http://` or `https://`
 * @example
 * const stop = clientStore<Room>('ROOM', 'lobby').subscribe((room) => show(room));
 */
export declare function clientStore<Target>(binding: string, instance: string, options?: RpcClientOptions): Store<RpcClient<Target>>;
/** The options of `subscribe`. */
export interface SubscribeOptions {
  /** The cursor of a feed or of rows after which to begin. Default: the next event, or the first row. */
  after?: string | undefined;
  /** Ends the subscriptions when it is aborted, so that their loops reject with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /**
   * Called when events of a volatile feed may be missing, because the client was away or read too slowly. It is called
   * once for each gap, before the loop receives an event after it. Default: nothing is called.
   */
  onGap?: (() => void) | undefined;
}
/**
 * The values of a live method. Each loop over them is a separate subscription. After a lost connection, the loop
 * continues by itself with the newest value.
 */
export interface Subscription<Value> extends AsyncIterable<Value, undefined>, AsyncDisposable {}
/**
 * The events of a feed, or rows. After a lost connection, a loop continues by itself where it was. With the cursor you
 * can continue later, in another program.
 */
export interface ResumableSubscription<Value> extends Subscription<Value> {
  /**
   * The position of the loop that started last, which is after the last item that the loop received. Pass it as the
   * option `after` to continue later. Before the first item, it is the position where the loop started, as soon as that
   * is known.
   */
  readonly cursor: string | undefined;
}
/**
 * The items of a stream. After a lost connection, a loop continues if the object still has the stream in its memory. If
 * the object was stopped, the loop rejects with `DISCONNECTED`, because the method cannot continue in the middle of a
 * stream. So there is no cursor.
 */
export interface StreamSubscription<Item> extends Subscription<Item> {}
/** A client that takes part in a presence, and the value that it shows to the others. */
export interface Present<Shown> {
  /** Identifies the client, also among several tabs of one user. It stays the same when the client reconnects. */
  readonly key: string;
  /** The value that the client shows. It stays the same object until the client shows another value. */
  readonly value: Shown;
}
/**
 * The list of present clients, whenever it has changed. A loop over it only watches. Pass it to `presence` or
 * `usePresence` to take part.
 *
 * @template Said - the arguments with the data of a client
 */
export interface PresenceSubscription<Said extends unknown[], Shown> extends Subscription<readonly Present<Shown>[]> {
  /** Carries a type for the compiler. It has no value at run time. */
  readonly '~said'?: Said;
}
/** The subscription to a method, by its kind. If the class has no contract, the result of a method determines its kind. */
type SubscriptionOf<Target, Name, Args extends unknown[], Result> = MethodKindsOf<Target> extends (infer Kinds) ? Kinds extends undefined ? (...args: Args) => IsFeed<Result> extends true ? ResumableSubscription<ItemOf<Result>> : [StreamItem<Result>] extends [never] ? Subscription<Received<Result>> : StreamSubscription<ItemOf<Result>> : Name extends keyof Kinds ? ByKind<PassedArgs<Target, Name, Args>, Result>[KindIn<Kinds[Name]>] : Mismatch<NotListed> : never;
/** For each kind, the method that returns a subscription, or the reason why there is none. */
interface ByKind<Args extends unknown[], Result> {
  call: Mismatch<'the method is not live: list it by live([…]) to subscribe to it'>;
  live: (...args: Args) => Subscription<Received<Result>>;
  events: (...args: Args) => ResumableSubscription<ItemOf<Result>>;
  stream: (...args: Args) => StreamSubscription<ItemOf<Result>>;
  /** The runtime adds the last argument, the place of a row. */
  rows: (...args: WithoutLast<Args>) => ResumableSubscription<ItemOf<Result>>;
  internal: Mismatch<NotForClients>;
  presence: () => PresenceSubscription<Args, Exclude<Received<Result>, undefined>>;
}
/** The type of the items that a loop over a feed, a stream or rows receives. */
type ItemOf<Result> = Received<Result extends HasEvents<infer Event> ? Event : [StreamItem<Result>] extends [never] ? Result : StreamItem<Result>>;
type WithoutLast<Args extends unknown[]> = number extends Args['length'] ? Args : Args extends [unknown?] ? [] : Args extends [infer First, ...infer Rest] ? [First, ...WithoutLast<Rest>] : Args extends [(infer First)?, ...infer Rest] ? [First?, ...WithoutLast<Rest>] : Args;
/**
 * The methods of a client that can be subscribed to. Any other method has a type that says why clients cannot subscribe
 * to it, so that the compiler's error for a call shows the reason.
 */
export type Subscriptions<Target> = { readonly [Name in keyof Target as MethodName<Target, Name>]: Target[Name] extends ((...args: infer Args) => infer Result) ? SubscriptionOf<Target, Name, Args, Result> : never; };
/**
 * Returns the methods that the contract lists by `live`, `events`, `stream` or `rows`, as subscriptions. Each method
 * returns an async iterable.
 *
 * - A live value arrives at once, then whenever it has changed. A slow loop misses values, but not the newest value.
 * - Each event of a feed, and each row of `rows`, arrives once and in order while the loop runs, even after lost
 *   connections, hibernation and restarts of the object.
 * - Each item of a stream arrives once and in order, even after lost connections, as long as the object keeps the stream
 *   in its memory.
 *
 * When you leave the loop, the subscription ends, and so does the source of the items: the `finally` of a generator runs.
 *
 * A loop rejects with the error that the method threw, with the error that has ended its connection for good, or with one
 * of these `RpcError`s:
 *
 * - `CURSOR_EXPIRED` if the feed no longer has the next event
 * - `DISCONNECTED` if the object was stopped with a stream in its memory
 * - `CLOSED` if the client was closed
 * - `ABORTED` if the signal was aborted
 *
 * @param client - from `createRpcClient`, or a capability
 * @param options - `after`, a cursor; `signal`, an `AbortSignal` that ends the loops; `onGap`, which is called once if
 *   events of a volatile feed are missing
 * @returns the methods
 * @throws TypeError for a client whose `transport` is `'http'`
 * @example
 * for await (const message of subscribe(room).messages()) print(message);
 */
export declare function subscribe<Target>(client: ClientOf<Target>, options?: SubscribeOptions): Subscriptions<Target>;
/** A value in place of a client or of a subscription while there is nothing to read yet. */
export type Nothing = null | undefined | false | '' | 0;
/**
 * Chooses a subscription.
 *
 * @param methods - `subscribe(client)`
 * @returns a subscription that one of the methods has returned, or nothing: `null`, `undefined` or `false`
 */
export type Selector<Target, Value> = (methods: Subscriptions<Target>) => Subscription<Value> | Nothing;
/** The events of a feed that have arrived. */
export interface FeedState<Event> {
  /** The events, oldest first, without a gap. Each has a cursor, which also serves as the `key` of a list. */
  readonly events: readonly FeedEvent<Event>[];
  /** True if `loadOlder` has something to load. */
  readonly hasOlder: boolean;
  /** True while a page is loaded: the newest page, or an older page. */
  readonly isLoading: boolean;
  /** The error that says why a page was not loaded, or why no further events arrive. */
  readonly error?: unknown;
  /**
   * Loads the page before the oldest event. It does nothing while a page is loaded, or if there are no older events.
   * After an error, it tries again. The function stays the same in all states of a store.
   *
   * @returns a promise that resolves when the page has arrived, or could not be loaded. `error` then says why.
   */
  readonly loadOlder: () => Promise<void>;
}
/**
 * Calls the method of the object that returns a page of the feed, from `read`.
 *
 * @param client - the client of the store or the hook
 * @param before - the cursor before which to read; `undefined` for the newest page
 */
export type LoadPage<Client, Event> = (client: Client, before: string | undefined) => PromiseLike<FeedPage<Event>>;
/**
 * Returns a store of the events of a feed. When somebody begins to watch the store, it loads the newest page, and
 * subscribes to the events after it. When nobody watches the store any more, it unsubscribes and keeps its events. When
 * it is watched again, it continues after them.
 *
 * If the feed no longer has the next event, because the client was away for long, or because the object has lost events,
 * the store begins anew with the newest page.
 *
 * @param client - from `createRpcClient`, or a capability. Pass `null`, `undefined` or `false` as long as there is
 *   nothing to read; the store then has no events.
 * @param read - chooses the method that returns the feed and its arguments, or returns nothing
 * @param page - calls the method that returns a page of this feed
 * @returns the store
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * const messages = feedStore(room, (room) => room.messages(), (room, before) => room.history(before));
 * const stop = messages.subscribe(({ events, error }) => show(events, error));
 */
export declare function feedStore<Target, Event, Client>(client: (Client & ClientOf<Target>) | Nothing, read: Selector<Target, Event> | Nothing, page: LoadPage<Client, Event>): Store<FeedState<Event>>;
/** The values that have arrived for a subscription. */
export interface LiveState<Value> {
  /** The newest value; `undefined` before the first value. It stays when the subscription ends. */
  value?: Value;
  /** The error that has ended the subscription. */
  error?: unknown;
}
/** The options of a live store. */
export interface LiveOptions {
  /**
   * The cursor of a feed or of rows after which to begin. If the cursor changes, the store begins anew. Default: the
   * next event, or the first row.
   */
  after?: string | undefined;
  /**
   * Called when events of a volatile feed may be missing, as for `subscribe`: for example to load the state again. A store
   * with this option has a subscription of its own. A hook calls the newest function. Default: nothing is called.
   */
  onGap?: SubscribeOptions['onGap'];
}
/** Returns the next value from an event and the previous value, which is `undefined` at first. */
export type Reducer<Value, Event> = (value: Value | undefined, event: Event) => Value;
/**
 * Returns a store of the newest value of a subscription. The store subscribes when somebody begins to watch it, and
 * unsubscribes when nobody watches it any more. Stores of one client with equal methods and arguments share a
 * subscription. After an error, the store subscribes again when it is watched again.
 *
 * @param client - from `createRpcClient`, or a capability. Pass `null`, `undefined` or `false` as long as there is
 *   nothing to read; the store then has no value.
 * @param read - chooses the method and its arguments, or returns nothing
 * @returns the store
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * const count = liveStore(counter, (counter) => counter.getValue());
 * const stop = count.subscribe(({ value, error }) => show(error ?? value));
 */
export declare function liveStore<Target, Value>(client: ClientOf<Target> | Nothing, read: Selector<Target, Value> | Nothing, add?: undefined, options?: LiveOptions): Store<LiveState<Value>>;
/**
 * Returns a store that combines the events of a feed into one value. The store has its own subscription. It begins anew
 * whenever somebody begins to watch it again.
 *
 * @param add - returns the next value from the previous value and an event
 * @param options - `after`, the cursor after which to begin
 * @returns the store
 * @example
 * const messages = liveStore(room, (room) => room.messages(), (all: string[] = [], text) => [...all, text]);
 */
export declare function liveStore<Target, Event, Value>(client: ClientOf<Target> | Nothing, read: Selector<Target, Event> | Nothing, add: Reducer<Value, Event>, options?: LiveOptions): Store<LiveState<Value>>;
/**
 * Shows a live value as it will be after a call, until the call is answered. If the call rejects, the change is taken
 * back. Several changes of one value are applied in the order in which they were made, and they are applied again to
 * each new value that arrives before the answer. A call that is sent again after a lost connection keeps its change.
 *
 * Every store of the client with this method and these arguments shows the change, and so does `useLive`. A loop over
 * `subscribe(client)` only receives the values of the object.
 *
 * @param call - the promise that a method of a client has returned, and not the promise of a `then`. A call can change
 *   several values: `optimistic(optimistic(call, board, move), activity, add)`.
 * @param live - a store from `liveStore`, even if nobody watches it
 * @param update - returns the changed value, as a new object. It must not change the value that it receives. It is called
 *   when there is a value, and again with each new value. If it throws, the error is reported and the change is left out.
 *   The call continues.
 * @returns the promise that was passed as `call`
 * @throws TypeError for a promise that is not of a call, and for a store that is not from `liveStore`
 * @example
 * const count = liveStore(counter, (counter) => counter.getValue());
 * await optimistic(counter.increment(2), count, (value) => value + 2);
 */
export declare function optimistic<Value, Result extends Promise<unknown>>(call: Result, live: Store<LiveState<Value>>, update: (value: Value) => NoInfer<Value>): Result;
/** Chooses a presence of a client. */
export type PresenceSelector<Target, Said extends unknown[], Value> = (methods: Subscriptions<Target>) => PresenceSubscription<Said, Value> | Nothing;
/** A store of a presence. Its `value` is the list of the other clients that are present. */
export interface PresenceStore<Said extends unknown[], Value> extends Store<LiveState<readonly Present<Value>[]>> {
  /**
   * Sets the data of this client, which replaces its earlier data. The data is sent again after a lost connection, and
   * ends when nobody watches the store any more. Only the newest data is sent, at most once in 16 ms, which is a frame of
   * a display. Without arguments, the client has no data.
   *
   * @throws RpcError `UNSERIALIZABLE` for a value that cannot be sent
   */
  readonly update: (...said: Said) => void;
}
/**
 * Takes part in a presence while the returned store is watched. Other clients see the data that this client passes to
 * `update`, and `value` is the list of the other clients. All stores of one client for one method take part together, so
 * the other clients see this client once. After a lost connection, the store continues by itself. Its list stays unchanged
 * until the client has connected again.
 *
 * @param client - from `createRpcClient`, or a capability. Pass `null`, `undefined` or `false` as long as there is none.
 * @param read - chooses the method that the contract lists by `presence`, or returns nothing
 * @returns the store
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * const cursors = presence(room, (room) => room.cursors());
 * const leave = cursors.subscribe(({ value = [] }) => draw(value));
 * onpointermove = ({ x, y }) => cursors.update({ x, y });
 */
export declare function presence<Target, Said extends unknown[], Value>(client: ClientOf<Target> | Nothing, read: PresenceSelector<Target, Said, Value> | Nothing): PresenceStore<Said, Value>;
/**
 * Creates a transport to the object that `servePort` serves at the other end of a port. Pass it to `createRpcClient` as
 * `transport`. The binding and the instance are then only names for messages. Frames that are sent before the other end
 * listens wait in the port.
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
/** A call that a client has begun. */
export interface ClientCallStart extends StartedCall {
  /** The binding that was passed to `createRpcClient`. */
  binding: string;
  /** `subscription` is the start of a subscription on a connection, until it has begun or was rejected. */
  kind: 'call' | 'subscription';
}
/** A call of a client that has ended. */
export interface ClientCallReport extends ClientCallStart, EndedCall {}
/**
 * Reports each call of a client when it is made and when it has settled. A call that is sent again after a lost
 * connection is one call. The report of a subscription ends when the subscription has begun.
 *
 * @param onCall - called when a call is made. The function that it returns is called with the report when the call has
 *   settled, before the code that awaits it continues. If one of them throws or rejects, the console shows the error, and
 *   nothing else changes.
 * @returns the value of the option `onCall` of `createRpcClient`
 * @example
 * const counter = createRpcClient<Counter>('COUNTER', 'main', {
 *   onCall: reportCalls(() => ({ method, outcome, duration }) => console.log(method, outcome, duration)),
 * });
 */
export declare function reportCalls(onCall: OnCall<ClientCallStart, ClientCallReport>): (session: Session, binding: string, instance: string) => void;
/**
 * Makes a span of each call of a client, and of the start of each subscription, and sends it to the object with the
 * call: spans of an object with `use: [traceCalls(…)]` become its children. A call that is sent again after a lost
 * connection has one span. A call of a callback is a span, too. An object without the feature does not use the trace.
 *
 * @param tracer - starts spans: `openTelemetry(api)`, or a function of your own. If it throws, the console shows the
 *   error, and the call is made without a span.
 * @returns the value of the option `tracing` of `createRpcClient`
 * @example
 * import * as api from '@opentelemetry/api';
 * const counter = createRpcClient<Counter>('COUNTER', 'main', { tracing: traceCalls(openTelemetry(api)) });
 */
export declare function traceCalls(tracer: Tracer): (session: Session, binding: string, instance: string) => void;
/** The values that can be passed as a stream. A string is excluded, because its items would be its characters. */
type Iterables<Item> = AsyncIterable<Item> | (Iterable<Item> & object);
/** A `ReadableStream`. Some type libraries declare it without async iteration. */
export interface Readable<Item> {
  getReader(): {
    read(): Promise<{
      done: boolean;
      value?: Item | undefined;
    }>;
  };
}
/**
 * Marks a stream as an argument of a call, where the contract has `streamOf(…)`. The stream is an async iterable, a
 * generator or another iterable, or a `ReadableStream`. Items are sent as the method takes them, at most 64 items or
 * 1 MiB ahead. When the call ends or the method takes no more items, the stream ends: the runtime calls the `return` of
 * an iterator, or cancels a `ReadableStream`. If the stream throws, the method's loop throws the same error. The
 * call's `timeout` starts again with each item that the stream yields or the method takes.
 *
 * @param iterable - the source of the items. A generator or a `ReadableStream` can be passed only once.
 * @returns an argument for a call over a WebSocket or a port. Over HTTP, the call rejects with `UNSERIALIZABLE`.
 * @example
 * await files.upload('a.txt', stream(lines()));
 */
export declare function stream<Item>(iterable: Iterables<Item>): Stream<Item>;
export declare function stream<Item>(iterable: Readable<Item>): Stream<Item>;
/** A frame that a socket has sent or received. */
export interface SocketFrame {
  /** `up` is from the client to the object. */
  direction: 'up' | 'down';
  /** The text of the frame. For a binary frame, it does not have the bytes after the text. */
  text: string;
  /** The size of the whole frame in bytes, before compression. */
  bytes: number;
}
/** The result of `observeSockets`. */
export interface ObservedSockets {
  /** The class to pass as the option `WebSocket` of a client. */
  WebSocket: WebSocketClass;
  /**
   * Closes the connections. Answers on their way are lost, and the client connects again. Resolves when the client
   * has learned that its connection is closed.
   */
  cut(): Promise<void>;
}
/**
 * Shows a page or a test the frames that a client sends and receives, and lets it cut the client's connection. Call it
 * once for each client. Heartbeats are not shown. A frame of more than 256 KiB is sent in pieces, and each piece is shown.
 *
 * @param onFrame - called with each frame, before it is sent or read
 * @param Base - the class that opens the connections. Default: the global `WebSocket`.
 * @returns the class for the option `WebSocket`, and `cut`, which closes the connections
 * @example
 * const sockets = observeSockets(({ direction, text }) => console.log(direction, text));
 * const counter = createRpcClient<Counter>('COUNTER', 'my-counter', { WebSocket: sockets.WebSocket });
 * const answer = counter.increment();
 * await sockets.cut();
 * await answer;
 */
export declare function observeSockets(onFrame: (frame: SocketFrame) => void, Base?: WebSocketClass): ObservedSockets;
export {};