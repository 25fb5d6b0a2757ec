/**
 * The types of a client: the methods of a class, as its callers see them. Imports call and wire/, types only.
 */
import type { ClientOf, HasContract, IsCapability, IsSubscribed } from '../wire/contract-brand.ts';
import type { RpcPromise } from './call.ts';

// The declarations of `lib.esnext.disposable`, for projects whose `lib` does not include it.
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
export type MethodsOf<Target> =
  Target extends HasContract<infer Listed, PropertyKey, PropertyKey>
    ? PropertyKey extends Listed
      ? MethodNames<Target>
      : Extract<Listed, keyof Target>
    : MethodNames<Target>;

/** The names of the methods that can only be subscribed to. */
export type SubscribedMethodsOf<Target> = Target extends unknown
  ? {
      [Name in MethodsOf<Target>]: Target[Name] extends (...args: never[]) => infer Result
        ? IsSubscribed<Result> extends true
          ? Name
          : never
        : never;
    }[MethodsOf<Target>]
  : never;

type MethodNames<Target> = {
  [Name in keyof Target]: Target[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Target];

/**
 * An argument: the value itself, or the promise of a call's result, at any depth. A function need not return a
 * promise, although its caller gets one. A stream can be any source of its items.
 */
type Argument<Value> = Value extends IsCapability
  ? RpcCapability<Value> | RpcPromise<RpcCapability<Value>>
  : Value extends AsyncIterable<infer Item>
    ? Streamed<Item>
    :
        | Value
        | RpcPromise<Value>
        | (Value extends Atom ? Callback<Value> : { [Key in keyof Value]: Argument<Value[Key]> });

/** A source of the items of a stream. A string is excluded: its items would be its characters. */
type Streamed<Item> = AsyncIterable<Item> | (Iterable<Item> & object) | Readable<Item>;

/** A `ReadableStream`. Some type libraries declare it without async iteration. */
interface Readable<Item> {
  getReader(): { read(): Promise<{ done: boolean; value?: Item | undefined }> };
}

type Callback<Value> = Value extends (...args: infer Args) => infer Result
  ? (...args: Args) => Awaited<Result> | Promise<Awaited<Result>>
  : never;

/** Types that are passed as a whole, so that inference does not look inside. */
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

type Methods<Target> = {
  readonly [Name in Exclude<MethodsOf<Target>, SubscribedMethodsOf<Target>>]: Target[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: ArgumentsOf<Args>) => RpcPromise<Received<Awaited<Result>>>
    : never;
};

/**
 * The remote methods of a capability that a method has returned. You can declare it with `using`, which does
 * nothing: there is nothing to release.
 */
export type RpcCapability<Target> = Methods<Target> &
  ClientOf<Target> &
  Disposable &
  AsyncDisposable;

/** A result as it arrives: each capability in it has remote methods. */
export type Received<Result> = Result extends IsCapability
  ? RpcCapability<Result>
  : HoldsCapability<Result> extends true
    ? { [Key in keyof Result]: Received<Result[Key]> }
    : Result;

/** Whether any property or item is a capability. Deeper levels are not searched. */
type HoldsCapability<Result> = Result extends Atom
  ? false
  : Result extends readonly (infer Item)[]
    ? Extract<Item, IsCapability> extends never
      ? false
      : true
    : Result extends object
      ? Extract<Result[keyof Result], IsCapability> extends never
        ? false
        : true
      : false;

/** The remote methods of `Target`, and methods to close and to reconnect the client. */
export type RpcClient<Target> = Methods<Target> &
  ClientOf<Target> &
  Disposable &
  AsyncDisposable & {
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
