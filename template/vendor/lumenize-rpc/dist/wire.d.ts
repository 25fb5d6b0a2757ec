/**
 * Types that carry the contract of a wrapped class to its clients, and types that carry the class of a
 * client. They exist only at compile time. Their names are strings, not symbols, so that the types of two copies of
 * the package fit together.
 */
/**
 * How clients use a method: by a call, by a call and as a live value, or only as a subscription to a feed, to a stream
 * or to rows.
 */
export type Kind = 'call' | 'live' | 'events' | 'stream' | 'rows';
/**
 * Part of the instance type of every class that `lumenizeRpcDO` returns: by method, its kind. It has no value at run
 * time.
 */
export interface HasContract<Kinds> {
  readonly '~contract'?: Kinds;
}
/** By method, the kinds of a class with a contract; `undefined` for a class without one. */
export type KindsOf<Target> = '~contract' extends keyof Target ? NonNullable<Target['~contract']> : undefined;
/** The names of the methods of these kinds. */
export type NamesOf<Kinds, Of extends Kind> = { [Name in keyof Kinds]: Kinds[Name] extends Of ? Name : never; }[keyof Kinds];
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
/** Whether the result of a method is a feed. */
export type IsFeed<Result> = [Result] extends [never] ? false : unknown extends Result ? false : Result extends HasEvents<unknown> ? true : false;
/** Iterable types that are sent as one value, not as a stream. */
type Whole = string | readonly unknown[] | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ArrayBufferView | URLSearchParams | Headers;
/** The items of a stream, or of a promise of a stream; `never` for any other result. */
export type StreamItem<Result> = unknown extends Result ? never : Awaited<Result> extends (infer Stream) ? Stream extends Whole ? never : Stream extends ReadableStream<infer Item> | AsyncIterable<infer Item> | Iterable<infer Item> ? Item : never : never;
/** Whether the result of a method is a feed or a stream, which can only be subscribed to. */
export type IsSubscribed<Result> = IsFeed<Result> extends true ? true : [StreamItem<Result>] extends [never] ? false : true;
/** The one error class of the runtime. */
/**
 * The codes of an `RpcError`: when each occurs, whether to try again, and whether the method may have run.
 * `maybeExecuted` means the property with that name.
 */
export type RpcErrorCode =
/**
 * The contract does not list the method. Or it was subscribed to, but is not live and returns neither a
 * feed nor a stream.
 * Retry: no: correct the contract, or deploy it.
 * Executed: no, except for such a subscription: it has `maybeExecuted`.
 */
'METHOD_NOT_FOUND' |
/**
 * An argument does not match its schema. `path` is the part that does not.
 * Retry: no: correct the argument.
 * Executed: no.
 */
'INVALID_ARGUMENTS' |
/**
 * A value cannot be sent. `path` is its place.
 * Retry: no: send another type.
 * Executed: an argument: no; a result: yes.
 */
'UNSERIALIZABLE' |
/**
 * No answer arrived within `timeout`. The message has the address and the last failure to connect, which
 * is also the `cause`.
 * Retry: yes, if the method is `readonly` or `maybeExecuted` is false.
 * Executed: `maybeExecuted`.
 */
'TIMEOUT' |
/**
 * The signal of the call was aborted. `cause` is its reason.
 * Retry: yes, as for `TIMEOUT`.
 * Executed: `maybeExecuted`.
 */
'ABORTED' |
/**
 * The connection was lost, and the call could not be sent again, or its answer is no longer stored.
 * Retry: yes, as for `TIMEOUT`.
 * Executed: `maybeExecuted`.
 */
'DISCONNECTED' |
/**
 * The client was closed. Or a callback ended with its call.
 * Retry: with a new client, as for `TIMEOUT`.
 * Executed: `maybeExecuted`.
 */
'CLOSED' |
/**
 * Something is larger, deeper or more than a limit allows. The message names the limit.
 * Retry: smaller, or later for a limit on a number of calls.
 * Executed: no, unless a result, a row or an item was too large.
 */
'LIMIT_EXCEEDED' |
/**
 * A feed no longer has the events after the cursor.
 * Retry: yes: load the state, then subscribe without a cursor.
 * Executed: no.
 */
'CURSOR_EXPIRED' |
/**
 * A message does not follow the protocol: the other end has another version, or a proxy changed it.
 * Retry: no.
 * Executed: `maybeExecuted`.
 */
'BAD_MESSAGE' |
/**
 * The call or the subscription needs a feature that the contract does not bring. The message has what to write.
 * Retry: no: correct the contract, or deploy it.
 * Executed: no.
 */
'UNSUPPORTED' |
/**
 * The server answered 401.
 * Retry: after a login, with `client.reconnect()`.
 * Executed: `maybeExecuted`.
 */
'UNAUTHORIZED' |
/**
 * The server answered 403: a hook, `cors` or `closeClients` rejected the client. Or a capability was
 * revoked, or a client id belongs to another caller.
 * Retry: no.
 * Executed: `maybeExecuted`.
 */
'FORBIDDEN' |
/**
 * The server answered 404: the path names no binding, or the prefix differs.
 * Retry: no: correct the binding or the prefix.
 * Executed: `maybeExecuted`.
 */
'NOT_FOUND' |
/**
 * The server answered 408, 429 or 5xx, or the object could not use its storage.
 * Retry: yes, later, as for `TIMEOUT`.
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
interface RpcErrorDetails {
  /** The place of the value in the arguments or the result, such as `[0].items[2].sku`. */
  path?: string | undefined;
  /** Whether the method may have run although there is no answer. */
  maybeExecuted?: boolean | undefined;
  /** The HTTP status, if there was one. */
  status?: number | undefined;
  /** The error that caused this one. */
  cause?: unknown;
}
/**
 * An error that the runtime itself reports. Errors that a method throws arrive as themselves.
 *
 * @example
 * try { await counter.increment(-1) }
 * catch (error) {
 *   if (error instanceof RpcError && error.code === 'INVALID_ARGUMENTS') show(error.path);
 * }
 */
export interface RpcError extends Error {
  readonly code: RpcErrorCode;
  readonly path?: string;
  readonly maybeExecuted?: boolean;
  readonly status?: number;
}
interface RpcErrorClass {
  new (code: RpcErrorCode, message: string, details?: RpcErrorDetails): RpcError;
  readonly prototype: RpcError;
}
/** All copies of the package in a program have one class, so that `instanceof` knows the errors of each. */
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
 * Returns the value of a reference. The reference is not validated yet: even its name can be any JSON
 * value.
 */
export type Resolve = (reference: Reference) => unknown;
/** A frame: text; or text, a zero byte, and the bytes that the text refers to. */
export type Frame = string | ArrayBuffer;
/** In a message, means that the next element is a value of the general codec. Plain data has no mark. */
declare const RICH = "rich";
/**
 * The target of a call: a method of the object, or of a capability. A capability is given by its class,
 * number and address. Or it is the result of another call, or the part of that result at a path.
 */
export type Callee = string | [method: string, className: string, number: string, ...address: unknown[]] | [method: string, id: number, ...path: string[]];
/**
 * Client to object: calls a method. Ids count up from 1 in the order of the calls. A call without
 * arguments ends after the callee.
 */
export type CallMessage = [id: number, callee: Callee] | [id: number, callee: Callee, args: unknown[]] | [id: number, callee: Callee, form: typeof RICH, args: unknown];
/** A frame that has arrived: in parts, if it was binary and came in pieces. */
export type Arrived = Frame | readonly ArrayBuffer[];
/** One message, or several, separated by commas. */
export type Said = string | Packet;
/** Messages with bytes after their text. The bytes are copied into a frame, which can be sent as it is. */
declare class Packet {
  readonly text: string;
  /** A frame with only these messages. */
  readonly frame: ArrayBuffer;
  /** The bytes, as parts of the frame, in the order of their lengths in the text. */
  readonly buffers: readonly Uint8Array<ArrayBuffer>[];
  constructor(text: string, buffers: readonly Uint8Array[]);
  /** The size in a frame: characters of text plus bytes. */
  get length(): number;
  toString(): string;
}
/** Returns the text of a message, and asks `referenceOf` for the references in it. */
export type Encode = (referenceOf?: ReferenceOf) => string;
/** Writes a message. */
export type Write = (encode: Encode, referenceOf?: ReferenceOf) => Said;
/** A function that the object can call, from `callback(fn)`. */
export interface Callback<Function> {
  readonly '~function': Function;
}
/** A stream whose items the object reads, from `stream(iterable)`. */
export interface Stream<Item> {
  readonly '~item': Item;
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
export {};