/**
 * What a client looks like: the methods of a class, as they are called from elsewhere. Imports call and
 * wire/, types only.
 */
import type { ClientOf, HasContract, IsCapability, IsSubscribed } from '../wire/contract-brand.ts';
import type { RpcPromise } from './call.ts';

// What TypeScript has in `lib.esnext.disposable`, for projects whose `lib` ends before it.
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

/** The names that can be called: the contract's, or every method of a class that has none. */
export type MethodsOf<Target> =
  Target extends HasContract<infer Listed, PropertyKey, PropertyKey>
    ? PropertyKey extends Listed
      ? MethodNames<Target>
      : Extract<Listed, keyof Target>
    : MethodNames<Target>;

/** Those of them that can only be subscribed to. */
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
 * An argument: the value itself, or a call's result that is not there yet, at any depth. A function need not
 * return a promise, although whoever calls it gets one. A stream is whatever gives its items.
 */
type Argument<Value> = Value extends IsCapability
  ? RpcCapability<Value> | RpcPromise<RpcCapability<Value>>
  : Value extends AsyncIterable<infer Item>
    ? Streamed<Item>
    :
        | Value
        | RpcPromise<Value>
        | (Value extends Atom ? Callback<Value> : { [Key in keyof Value]: Argument<Value[Key]> });

/** What gives the items of a stream; of a text, which is iterable too, those would be its characters. */
type Streamed<Item> = AsyncIterable<Item> | (Iterable<Item> & object) | Readable<Item>;

/** A `ReadableStream`: not all of the libraries that declare one say that it is iterable. */
interface Readable<Item> {
  getReader(): { read(): Promise<{ done: boolean; value?: Item | undefined }> };
}

type Callback<Value> = Value extends (...args: infer Args) => infer Result
  ? (...args: Args) => Awaited<Result> | Promise<Awaited<Result>>
  : never;

/** What is passed whole, so that inference does not look inside. */
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
 * The remote methods of a capability, which a method has returned. Nothing is held of it: `using` may
 * stand before it, and does nothing.
 */
export type RpcCapability<Target> = Methods<Target> &
  ClientOf<Target> &
  Disposable &
  AsyncDisposable;

/** A result as it arrives: with capabilities in the place of those that the method has made. */
type Received<Result> = Result extends IsCapability
  ? RpcCapability<Result>
  : HoldsCapability<Result> extends true
    ? { [Key in keyof Result]: Received<Result[Key]> }
    : Result;

/** Whether any property, or item, is a capability; deeper ones are not looked for. */
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

/** The remote methods of `Target`, and the means to close the client. */
export type RpcClient<Target> = Methods<Target> &
  ClientOf<Target> &
  Disposable &
  AsyncDisposable & {
    /** Rejects every unanswered call with `CLOSED` and ends the connection. */
    close(): void;
    /**
     * Connects anew, at once: after a refusal, which has ended the client, or to drop a connection
     * that is not to be trusted. Unanswered calls are sent again, and run once. It does nothing after
     * `close()`.
     *
     * @example
     * if (error.code === 'UNAUTHORIZED') signIn().then(() => client.reconnect());
     */
    reconnect(): void;
  };
