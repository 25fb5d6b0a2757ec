import { ClientOf, HasContract, HasEvents, IsCapability, IsSubscribed, LiveMethodsOf, PagedMethodsOf, StreamItem } from "./contract-brand.js";
import { Callee, Reference, ReferenceOf, Said, Write } from "./bytes.js";
/** The promise of a result, or of a part of one. It has the result's properties, as further promises. */
export type RpcPromise<Result> = Promise<Result> & PartsOf<Result>;
type PartsOf<Result> = Result extends object ? { readonly [Key in Exclude<keyof Result, keyof Promise<unknown> | symbol>]: PartOf<Result[Key]>; } & (Result extends ClientOf<infer Target> ? ClientOf<Target> : unknown) : unknown;
/** The methods of a capability can be called before it arrives. */
type PartOf<Value> = Value extends ((...args: never[]) => RpcPromise<unknown>) ? Value : RpcPromise<Value>;
/** The session of calls, with hooks for modules that are not in every bundle. */
export interface Owner {
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
export type Method = string | ((referenceOf: ReferenceOf) => Callee);
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
/** The names of the methods that clients can use: those of the contract, or all methods of a class without one. */
type MethodsOf<Target> = Target extends HasContract<infer Listed, PropertyKey, PropertyKey> ? PropertyKey extends Listed ? MethodNames<Target> : Extract<Listed, keyof Target> : MethodNames<Target>;
/** The names of the methods that can only be subscribed to. */
type SubscribedMethodsOf<Target> = Target extends unknown ? { [Name in MethodsOf<Target>]: Target[Name] extends ((...args: never[]) => infer Result) ? IsSubscribed<Result> extends true ? Name : never : never; }[MethodsOf<Target>] : never;
type MethodNames<Target> = { [Name in keyof Target]: Target[Name] extends ((...args: never[]) => unknown) ? Name : never; }[keyof Target];
/**
 * An argument: the value itself, or the promise of a call's result, at any depth. A function need not return a
 * promise, although its caller gets one. A stream can be any source of its items.
 */
type Argument<Value> = Value extends IsCapability ? RpcCapability<Value> | RpcPromise<RpcCapability<Value>> : Value extends AsyncIterable<infer Item> ? Streamed<Item> : Value | RpcPromise<Value> | (Value extends Atom ? Callback<Value> : { [Key in keyof Value]: Argument<Value[Key]>; });
/** A source of the items of a stream. A string is excluded: its items would be its characters. */
type Streamed<Item> = AsyncIterable<Item> | (Iterable<Item> & object) | Readable<Item>;
/** A `ReadableStream`. Some type libraries declare it without async iteration. */
interface Readable<Item> {
  getReader(): {
    read(): Promise<{
      done: boolean;
      value?: Item | undefined;
    }>;
  };
}
type Callback<Value> = Value extends ((...args: infer Args) => infer Result) ? (...args: Args) => Awaited<Result> | Promise<Awaited<Result>> : never;
/** Types that are passed as a whole, so that inference does not look inside. */
type Atom = Primitive | ((...args: never[]) => unknown) | Date | RegExp | Error | ArrayBuffer | ArrayBufferView | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>;
type Primitive = string | number | bigint | boolean | symbol | null | undefined;
type ArgumentsOf<Args extends unknown[]> = { [Index in keyof Args]: Argument<Args[Index]>; };
type Methods<Target> = { readonly [Name in Exclude<MethodsOf<Target>, SubscribedMethodsOf<Target>>]: Target[Name] extends ((...args: infer Args) => infer Result) ? (...args: ArgumentsOf<Args>) => RpcPromise<Received<Awaited<Result>>> : never; };
/**
 * The remote methods of a capability that a method has returned. You can declare it with `using`, which does
 * nothing: there is nothing to release.
 */
export type RpcCapability<Target> = Methods<Target> & ClientOf<Target> & Disposable & AsyncDisposable;
/** A result as it arrives: each capability in it has remote methods. */
type Received<Result> = Result extends IsCapability ? RpcCapability<Result> : HoldsCapability<Result> extends true ? { [Key in keyof Result]: Received<Result[Key]>; } : Result;
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
export interface SubscribeOptions {
  /** The cursor of a feed or of rows after which to begin. Default: the next event, or the first row. */
  after?: string | undefined;
  /** Ends the subscriptions when it is aborted: their loops reject with `ABORTED`. */
  signal?: AbortSignal;
}
/** The values or items of a method. Each loop over it is a separate subscription. */
export interface Subscription<Value> extends AsyncIterable<Value, undefined>, AsyncDisposable {
  /**
   * For a feed or for rows: the position of the loop that started last. Pass it as the option `after` to
   * continue later. It is after the last item that the loop received. Before the first item, it is where the
   * loop started, as soon as that is known. The cursor of another stream is valid only for this client.
   */
  readonly cursor: string | undefined;
}
/** The methods that can be subscribed to: `live` methods, and methods that return a feed or a stream. */
type SubscribableOf<Target> = Extract<LiveMethodsOf<Target>, MethodsOf<Target>> | SubscribedMethodsOf<Target>;
type ItemOf<Result> = Result extends HasEvents<infer Event> ? Event : [StreamItem<Result>] extends [never] ? Result : StreamItem<Result>;
/** The arguments of a method. The runtime adds the last argument of a method with `cursor`. */
type ArgsOf<Target, Name, Args extends unknown[]> = Name extends PagedMethodsOf<Target> ? WithoutLast<Args> : Args;
type WithoutLast<Args extends unknown[]> = number extends Args['length'] ? Args : Args extends [unknown?] ? [] : Args extends [infer First, ...infer Rest] ? [First, ...WithoutLast<Rest>] : Args extends [(infer First)?, ...infer Rest] ? [First?, ...WithoutLast<Rest>] : Args;
/**
 * The methods of a client that can be subscribed to. The second parameter is only read by people: the compiler prints
 * it when a method is missing.
 */
export type Subscriptions<Target, _Listed = 'methods with live: true in the contract, feeds and streams'> = { readonly [Name in SubscribableOf<Target>]: Target[Name] extends ((...args: infer Args) => infer Result) ? (...args: ArgsOf<Target, Name, Args>) => Subscription<Received<ItemOf<Result>>> : never; };
/**
 * Returns the methods of a client as subscriptions: a method returns an async iterable.
 *
 * A live value arrives at once, then whenever it has changed. A slow loop misses values, but not the newest.
 * The events of a feed each arrive once and in order while the loop runs, even after lost connections,
 * hibernation and restarts of the object. So do the rows of a method with `cursor`. The items of another stream
 * each arrive once and in order, even after lost connections. When you leave the loop, the subscription ends,
 * and so does the source of the items: the `finally` of a generator runs.
 *
 * A loop rejects with what the method threw, or with an `RpcError`: `CURSOR_EXPIRED` if the feed no longer has
 * the next event, `DISCONNECTED` if the object was stopped with a stream in its memory, `CLOSED` if the client
 * was closed, `ABORTED` if the signal was aborted, or the error that has ended its connection for good.
 *
 * @param client - from `createRpcClient`, or a capability
 * @param options - `after`, a cursor, and `signal`, an `AbortSignal` that ends the loops
 * @throws TypeError for a client whose `transport` is `'http'`
 * @example
 * for await (const message of subscribe(room).messages()) print(message);
 */
export declare function subscribe<Target>(client: ClientOf<Target>, options?: SubscribeOptions): Subscriptions<Target>;
export {};