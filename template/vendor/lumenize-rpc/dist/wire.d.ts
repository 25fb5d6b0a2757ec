/** Names that no method of a contract can have. */
/** Names that the runtime calls. */
declare const RUNTIME_NAMES = "fetch alarm webSocketMessage webSocketClose webSocketError connect dup ctx env __rpcFrame";
/** Names that have another meaning at the end of a path. */
declare const PATH_NAMES = "call mcp";
/** Names that have another meaning on a client or a promise. */
declare const CLIENT_NAMES = "then catch finally close reconnect toJSON";
/** The names that the compiler rejects. It does not reject the names that every object has, such as `toString`. */
export type ReservedName = WordsOf<typeof RUNTIME_NAMES | typeof CLIENT_NAMES | typeof PATH_NAMES>;
type WordsOf<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | WordsOf<Rest> : Text;
/**
 * The way in which clients use a method: by a call, by a call and as a live value, or only as a subscription to a feed,
 * to a stream, to rows or to a presence.
 */
export type MethodKind = 'call' | 'live' | 'events' | 'stream' | 'rows' | 'presence';
/** The kind of a method in a contract; `internal` if clients cannot call the method. */
type StatedKind = MethodKind | 'internal';
/**
 * Part of the instance type of every class that `lumenizeRpcDO` returns: the kind of each method. It has no value at
 * run time.
 */
export interface HasContract<Kinds> {
  readonly '~contract'?: Kinds;
}
/** The kinds of the methods of a class with a contract; `undefined` for a class without a contract, and for `any`. */
export type MethodKindsOf<Target> = unknown extends Target ? undefined : '~contract' extends keyof Target ? NonNullable<Target['~contract']> : undefined;
/**
 * The kind in the type of a contract's entry. The entry is the kind alone, or also has the types of arguments that
 * clients pass in place of the method's own types, by index: `{ kind: 'call'; input: { 0: string } }`.
 */
export type KindIn<Stated> = Stated extends {
  readonly kind: infer Of;
} ? Of & StatedKind : Stated & StatedKind;
/** The names of the methods of these kinds. */
export type NamesOf<Kinds, Of extends StatedKind> = { [Name in keyof Kinds]: KindIn<Kinds[Name]> extends Of ? Name : never; }[keyof Kinds];
/**
 * The types of the arguments that clients pass to a method of a class.
 *
 * @template Args - the parameters of the method
 */
export type PassedArgs<Target, Name, Args extends unknown[]> = MethodKindsOf<Target> extends (infer Kinds) ? Name extends keyof Kinds ? Kinds[Name] extends {
  readonly input: infer Input;
} ? WithOptional<Replaced<Args, Input>> : Args : Args : Args;
/** Replaces types of arguments, by index. */
type Replaced<Args extends unknown[], Input> = { [Index in keyof Args]: Input extends { readonly [At in Index & string]: infer Passed; } ? Passed : Args[Index]; };
/** Makes the last arguments optional that accept `undefined`. The names of the arguments stay. */
type WithOptional<Args extends unknown[]> = Args extends [] ? [] : AcceptUndefined<Args> extends true ? Partial<Args> : Args extends [unknown, ...infer Rest] ? [...(Args extends [...infer First, ...Rest] ? First : [Args[0]]), ...WithOptional<Rest>] : Args;
/** Is `true` if all arguments accept `undefined`. */
type AcceptUndefined<Args extends unknown[]> = [{ [Index in keyof Args]-?: undefined extends Args[Index] ? never : Index; }[number]] extends [never] ? true : false;
/** The type that the compiler shows for a mistake: in a contract, or in a call of a client. It has no value. */
export interface Mismatch<Details> {
  readonly mismatch: Details;
}
/**
 * The name of a property of a class that is a method. A mapped type with this filter keeps the declarations of the
 * methods, so that an editor leads from a call to the method of the class.
 */
export type MethodName<Target, Name extends keyof Target> = Name extends ReservedName | symbol ? never : [Target[Name]] extends [never] ? never : Target[Name] extends ((...args: never[]) => unknown) ? Name : never;
/**
 * Is `true` if a method has one signature without type parameters: the signature that `infer` has found. For an
 * overloaded method, `infer` finds the last signature. For a generic method, it finds a signature with the constraints
 * of the type parameters.
 */
export type IsOneSignature<Method, Args extends unknown[], Result> = unknown extends Method ? true : Required<Args> extends [...unknown[], void] ? true : (<Type>() => Type extends Method ? 1 : 2) extends (<Type>() => (Type extends ((...args: Args) => Result) ? 1 : 2)) ? true : false;
/** Part of the instance type of every class that `capability` returns. It has no value at run time. */
export interface IsCapability {
  readonly '~capability': true;
}
/** Part of the type of a client. It has no value at run time. */
export interface ClientOf<Target> {
  readonly '~target'?: Target;
}
/** Part of the type of a feed. It has no value at run time. */
export interface HasEvents<Event> {
  readonly '~event': Event;
}
/** Is `true` if the result of a method is a feed. */
export type IsFeed<Result> = [Result] extends [never] ? false : unknown extends Result ? false : Result extends HasEvents<unknown> ? true : false;
/** Iterable types that are sent as one value, not as a stream. */
type Whole = string | readonly unknown[] | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ArrayBufferView | URLSearchParams | Headers;
/** The items of a stream, or of a promise of a stream; `never` for any other result. */
export type StreamItem<Result> = unknown extends Result ? never : Awaited<Result> extends (infer Stream) ? Stream extends Whole ? never : Stream extends ReadableStream<infer Item> | AsyncIterable<infer Item> | Iterable<infer Item> ? Item : never : never;
/** Is `true` if the result of a method is a feed or a stream, to which clients can only subscribe. */
export type IsSubscribed<Result> = IsFeed<Result> extends true ? true : [StreamItem<Result>] extends [never] ? false : true;
/** Built-in objects that are passed as a whole, and that JSON cannot represent. */
export type RichObject = Date | Error | RegExp | URL | URLSearchParams | Headers | ArrayBuffer | ArrayBufferView | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>;
/** The one error class of the runtime. */
/**
 * The codes of an `RpcError`: when each occurs, whether to try again, and whether the method may have run.
 * `maybeExecuted` means the property with that name. "If not run" means: if `maybeExecuted` is false, or the method is
 * a `read`.
 */
export type RpcErrorCode =
/**
 * The contract does not list the method, or lists it as a call and the client has subscribed to it. Retry: no:
 * correct the contract, or deploy it. Executed: no, unless `maybeExecuted`.
 */
'METHOD_NOT_FOUND' |
/**
 * An argument does not match its schema; `path` leads to the part that does not match. Retry: no: correct the
 * argument. Executed: no.
 */
'INVALID_ARGUMENTS' |
/** A value cannot be sent; `path` leads to the value. Retry: no: send another type. Executed: only for a result. */
'UNSERIALIZABLE' |
/**
 * No answer arrived within `timeout`; `cause` is the last failure to connect. The message contains the address.
 * Retry: yes, if not run. Executed: `maybeExecuted`.
 */
'TIMEOUT' |
/**
 * The signal of the call was aborted; `cause` is the signal's reason. Retry: yes, if not run. Executed:
 * `maybeExecuted`.
 */
'ABORTED' |
/**
 * The connection was lost, and the call could not be sent again, or its answer is not stored. Or a client that was
 * never connected has tried to connect for some seconds. Retry: yes, if not run. Executed: `maybeExecuted`.
 */
'DISCONNECTED' |
/**
 * The client was closed, or a callback ended with its call.
 * Retry: with a new client, if not run.
 * Executed: `maybeExecuted`.
 */
'CLOSED' |
/**
 * A call exceeds a limit, which the message names. Retry: with less data, or later if the limit is a number of calls.
 * Executed: no, unless `maybeExecuted`, or a result or an item was too large.
 */
'LIMIT_EXCEEDED' |
/**
 * A feed no longer has the events after the cursor.
 * Retry: without a cursor, after loading the state.
 * Executed: no.
 */
'CURSOR_EXPIRED' |
/**
 * The other end has another version, or a proxy changed a message.
 * Retry: no.
 * Executed: `maybeExecuted`.
 */
'BAD_MESSAGE' |
/**
 * The object lacks a feature that the call or the subscription needs; the message says what to write. Retry: no:
 * correct the contract, or deploy it. Executed: no.
 */
'UNSUPPORTED' |
/**
 * The server answered 401.
 * Retry: after a login, with `client.reconnect()`.
 * Executed: `maybeExecuted`.
 */
'UNAUTHORIZED' |
/**
 * A hook, `cors` or `closeClients` rejected the client, a capability was revoked, or the client id belongs to another
 * user. Retry: no. Executed: `maybeExecuted`.
 */
'FORBIDDEN' |
/**
 * The server answered 404: the path names no binding, or the prefix differs.
 * Retry: no: correct the binding or the prefix.
 * Executed: `maybeExecuted`.
 */
'NOT_FOUND' |
/**
 * The server answered 408, 426, 429 or 5xx, WebSockets are blocked, or the object could not use its storage.
 * Retry: later, if not run.
 * Executed: `maybeExecuted`.
 */
'UNAVAILABLE' |
/**
 * The server answered with another status, or with text that is not of this protocol.
 * Retry: no: correct `baseUrl`.
 * Executed: `maybeExecuted`.
 */
'BAD_RESPONSE';
/** The properties that an `RpcError` can have besides its code and message. */
export interface RpcErrorDetails {
  /** The path to the value in the arguments or the result, such as `[0].items[2].sku`. */
  path?: string | undefined;
  /** True if the method may have run although there is no answer. */
  maybeExecuted?: boolean | undefined;
  /** The HTTP status, if there was one. */
  status?: number | undefined;
  /** The error that caused this error. */
  cause?: unknown;
}
/**
 * An error that the runtime itself reports. An error that a method throws is not an `RpcError`: it arrives with its own
 * class and message.
 *
 * @example
 * try { await counter.increment(-1) }
 * catch (error) {
 *   if (error instanceof RpcError && error.code === 'INVALID_ARGUMENTS') show(error.path);
 * }
 */
export interface RpcError extends Error {
  /** What happened. The package's page `docs/errors.md` has a section for each code, with what to do. */
  readonly code: RpcErrorCode;
  readonly path?: string;
  readonly maybeExecuted?: boolean;
  readonly status?: number;
}
export interface RpcErrorClass {
  new (code: RpcErrorCode, message: string, details?: RpcErrorDetails): RpcError;
  readonly prototype: RpcError;
}
/** All copies of the package in a program share one class, so that `instanceof` works for the errors of each copy. */
export declare const RpcError: RpcErrorClass;
/**
 * An item that the codec itself cannot resolve: a name, then plain data. The client and the object
 * resolve it.
 *
 * - `["Call", id, ...path]`: the result of a call, or the part of the result at that path
 * - `["Capability", className, number, ...address]`: an object that is created for each call of its methods
 * - `["Function", number]`: a function of the client that the object can call
 * - `["Stream", number]`: a stream whose items the client sends in separate messages
 */
export type Reference = readonly [name: string, ...parts: unknown[]];
/** Returns the reference to send instead of a value, or `undefined` to send the value. */
export type ReferenceOf = (value: unknown) => Reference | undefined;
/**
 * Records which codec the last value of a method needed. The encoder tries that codec first for the next value. The
 * text of a value does not depend on it.
 */
export interface CodecFeedback {
  /** The name of the method, for messages. */
  readonly name?: string;
  isRich?: boolean;
}
/** Returns the value of a reference. Only the name of the reference is validated: it is a text. */
export type Resolve = (reference: Reference) => unknown;
/** A frame: text; or text, a zero byte, and the bytes that the text refers to. */
export type Frame = string | ArrayBuffer;
/** A mark in a message: the next element is a value of the general codec. Plain data has no mark. */
declare const RICH = "rich";
/**
 * The target of a call: a method of the object, or of a capability. A capability is given by its class, number and
 * address. The target can also be the result of another call, or the part of that result at a path.
 */
export type Callee = string | [method: string, className: string, number: string, ...address: unknown[]] | [method: string, id: number, ...path: string[]];
/**
 * Client to object: calls a method. Ids count up from 1 in the order of the calls. A call without
 * arguments ends after the callee.
 */
export type CallMessage = [id: number, callee: Callee] | [id: number, callee: Callee, args: unknown[]] | [id: number, callee: Callee, form: typeof RICH, args: unknown];
/** One message, or several, separated by commas. */
export type EncodedMessage = string | Packet;
/** Messages with bytes after their text. */
interface Packet {
  readonly text: string;
  /** The bytes, in the order of their lengths in the text. */
  readonly buffers: readonly Uint8Array[];
  /** A frame with only these messages. */
  readonly frame: ArrayBuffer;
  /** The size in a frame: the characters of text plus the bytes. */
  readonly length: number;
  toString(): string;
  /** Joins several messages. */
  join(messages: readonly EncodedMessage[]): Packet;
  /** Returns the messages, with copies of their bytes in them. */
  read(): unknown[][];
  /** Returns the messages as text, with their bytes as Base64. */
  withBase64(): string;
}
/** Returns the text of a message, and asks `referenceOf` for the references in it. */
export type Encode = (referenceOf?: ReferenceOf) => string;
export type Write = (encode: Encode, referenceOf?: ReferenceOf) => EncodedMessage;
/** The text of a message, or of its end, without the large buffers; and these buffers. */
interface TextAndBuffers {
  text: string;
  buffers: readonly Uint8Array[];
}
/** A frame that has arrived. It is a list of pieces if the last piece was binary. */
export type ReceivedFrame = Frame | readonly Frame[];
/** A function that the object can call, from `callback(fn)`. */
export interface Callback<Function> {
  readonly '~function': Function;
}
/** A stream whose items the object reads, from `stream(iterable)`. */
export interface Stream<Item> {
  readonly '~item': Item;
}
/** The types of a page of a feed, which `read` returns and `useFeed` takes. */
/** An event of a feed, with its cursor. */
export interface FeedEvent<Event> {
  /** The position after the event. It is different for each event of a feed, so it also serves as the `key` of a list. */
  readonly cursor: string;
  readonly event: Event;
}
/** Consecutive events of a feed, the oldest first. */
export interface FeedPage<Event> {
  readonly events: readonly FeedEvent<Event>[];
  /** The position before the first event. Pass it as `before` to read older events. It is left out if there are none. */
  readonly before?: string | undefined;
  /** The position after the last event. Pass it as `after` to `subscribe`, or to read newer events. */
  readonly after: string;
}
/**
 * The methods that a port must have. `MessagePort` of browsers, Workers and Node has them. So do a `Worker`
 * in a page, and `parentPort` in a worker thread.
 */
export interface PortLike {
  postMessage(message: unknown): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Starts delivery, also of messages that arrived before there was a listener. */
  start?(): void;
  close?(): void;
}
/** The fields of a call that has begun, which both ends report. */
export interface StartedCall {
  /** The name of the object, or its id for an object without a name. */
  object: string;
  /** The method of the object or of a capability. In the object's report, it is empty for an unlisted method. */
  method: string;
  /** The number of the call, or of the subscription, which is equal at both ends. It counts from 1 for each client. */
  id?: number;
  /**
   * The first eight characters of the client's id, which are equal at both ends. They distinguish clients, but nobody can
   * act as the client with them.
   */
  client?: string;
}
/** The fields of a call that has ended. */
export interface EndedCall {
  /**
   * The duration in milliseconds, which on Cloudflare does not contain the time of synchronous code in the Worker. The
   * clock advances only while code waits for something outside of the Worker, so the duration of a method without `await`
   * is 0 there.
   */
  duration: number;
  /** `ok`, or the `code` of an `RpcError` such as `INVALID_ARGUMENTS`, or the name of any other error. */
  outcome: string;
  /** The value that was thrown; left out if the outcome is `ok`. */
  error?: unknown;
  /**
   * The bytes that this end has received: the size of the frame, divided by the number of calls or answers in it. It is
   * left out if nothing arrived, and for a subscription.
   */
  bytesIn?: number;
  /** The bytes that this end has sent: the size of the call, or of the answer. */
  bytesOut?: number;
}
/** Called when a call begins. Returns a function that is called when the call has ended, or nothing. */
export type OnCall<Start, Report> = (call: Start) => ((report: Report) => void) | void;
/** A span of another program. */
export interface TraceContext {
  /**
   * The version, the id of the trace, the id of the span, and the flags:
   * `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
   */
  readonly traceparent: string;
  /** The additions of tracers, at most 512 characters. */
  readonly tracestate?: string | undefined;
}
/** The values of a span's attributes. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;
/** A call for which a span can be made. */
export interface TracedCall {
  /** The name of the span: the class or, at a client, the binding, a point and the method, such as `Room.post`. */
  readonly name: string;
  /**
   * - `client`: this end waits for the answer of the other end
   * - `server`: this end answers
   * - `internal`: an alarm
   */
  readonly kind: 'client' | 'server' | 'internal';
  /** The attributes by the semantic conventions of OpenTelemetry for RPC, and attributes of this package. */
  readonly attributes: SpanAttributes;
  /** The span of the other end in which the call was made. Default: the active span of this end. */
  readonly parent?: TraceContext | undefined;
}
/** The span of a call. */
export interface CallSpan {
  /**
   * The trace that is sent with the call, so that spans of the other end become children of this span. Default: nothing
   * is sent.
   */
  readonly context?: TraceContext | undefined;
  /** Called once, when the call has ended. */
  end(ended: EndedSpan): void;
}
/** The end of a call. */
export interface EndedSpan {
  /** `ok`; or the `code` of an `RpcError`; or the name of any other error. */
  readonly outcome: string;
  /** The value that was thrown; left out if the outcome is `ok`. */
  readonly error?: unknown;
}
/**
 * Starts a span, and runs a function in it.
 *
 * @param run - the function, which the tracer must call once, before it returns. The tracer passes it the span, or
 *   `undefined` if there is no span. The code that the function calls is in the span.
 * @returns the value that `run` has returned
 */
export type Tracer = <Result>(call: TracedCall, run: (span: CallSpan | undefined) => Result) => Result;
/** The part of `@opentelemetry/api` that is used. `Context` and `State` are its own types. */
export interface OpenTelemetryApi<Context = never, State = never> {
  readonly context: {
    active(): Context;
  };
  createTraceState(text?: string): State;
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: {
        kind: number;
      }, parent: Context): OpenTelemetrySpan<State>;
      startActiveSpan(name: string, options: {
        kind: number;
      }, parent: Context, run: (span: OpenTelemetrySpan<State>) => unknown): unknown;
    };
    setSpanContext(parent: Context, span: OpenTelemetrySpanContext<State>): Context;
  };
}
/** Identifies a span. */
export interface OpenTelemetrySpanContext<State> {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote?: boolean | undefined;
  traceState?: State | undefined;
}
/** The part of a span that is used. */
export interface OpenTelemetrySpan<State> {
  spanContext(): OpenTelemetrySpanContext<State>;
  isRecording(): boolean;
  setAttributes(attributes: Record<string, string | number | boolean>): unknown;
  setStatus(status: {
    code: number;
    message?: string;
  }): unknown;
  recordException(exception: Error | string): void;
  end(): void;
}
/**
 * Makes the spans of `traceCalls` with an OpenTelemetry SDK, in a client or in an object. The SDK needs a context
 * manager, so that code which a method awaits is in the span of the method. In Workers, use
 * `AsyncLocalStorageContextManager` and the compatibility flag `nodejs_compat`.
 *
 * @param api - the module `@opentelemetry/api`
 * @example
 * import * as api from '@opentelemetry/api';
 * const counter = createRpcClient<Counter>('COUNTER', 'main', { tracing: traceCalls(openTelemetry(api)) });
 */
export declare function openTelemetry<Context, State extends {
  serialize(): string;
}>({ trace, context, createTraceState }: OpenTelemetryApi<Context, State>): Tracer;
export interface FrameCodec {
  /**
   * @param check - called with the size of the frame, which is the characters of text plus the bytes; may throw
   * @param parse - parses the text of the frame
   * @returns the messages, with their bytes in them; `undefined` for a malformed frame
   */
  read?(frame: ArrayBuffer, check: (size: number) => void, parse: (text: Frame) => unknown[][] | undefined): unknown[][] | undefined;
  /** Writes a message, or the end of a message, without its large buffers. */
  split(encode: Encode, referenceOf?: ReferenceOf): TextAndBuffers;
  /** Joins a message and its buffers. */
  pack(taken: TextAndBuffers): EncodedMessage;
  /** Returns the same message, with its large buffers after the text instead of Base64 in it. */
  withBytes(text: string): EncodedMessage;
  /**
   * @param all - the stored bytes of several messages
   * @param start - the index at which the bytes of this message begin
   * @returns a message that was stored with its bytes; `undefined` for a message that can no longer be sent
   */
  restore(text: string, all: ArrayBuffer, start: number): Packet | undefined;
}
/** The settings of a contract for writing messages. */
export interface EncodingOptions {
  readonly frames: FrameCodec;
  readonly referenceOf: ReferenceOf | undefined;
}
export interface IdentifiedCaller {
  caller: unknown;
  /** The identity, as text. */
  owner: string;
}
/** Describes a value that is about to be printed. */
export interface DebugValue {
  /** `frame` is the text of a frame. */
  kind: 'arguments' | 'result' | 'error' | 'event' | 'frame';
  /** The method, as far as it is known; empty for a frame. */
  method: string;
}
/** The options of a log. */
export interface LogOptions {
  /** Prints a line. Default `console.log`. */
  print?: ((line: string) => void) | undefined;
  /** Returns the value to print in place of a value. Default: the value itself. */
  redact?: ((value: unknown, what: DebugValue) => unknown) | undefined;
}
export {};