/**
 * The types of a client: the methods of a class, as its callers see them.
 */
import type {
  ClientOf,
  IsCapability,
  IsSubscribed,
  MethodKind,
  MethodKindsOf,
  NamesOf,
  RichObject,
} from '../wire/brands.ts';
import type { Callback, Stream } from '../wire/argument-handles.ts';
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

/**
 * The names of the methods that can be called: those that the contract lists as a call or as a live value. Of a class
 * without a contract, all methods except those that return a feed or a stream.
 */
type CalledOf<Target> = Target extends unknown
  ? MethodKindsOf<Target> extends infer Kinds
    ? Kinds extends undefined
      ? Exclude<MethodNames<Target>, SubscribedOnly<Target>>
      : Extract<NamesOf<Kinds, 'call' | 'live'>, keyof Target>
    : never
  : never;

/**
 * The names of the methods that can be subscribed to: those that the contract lists as another kind than a call. Of a
 * class without a contract, all methods.
 */
export type SubscribableOf<Target> = Target extends unknown
  ? MethodKindsOf<Target> extends infer Kinds
    ? Kinds extends undefined
      ? MethodNames<Target>
      : Extract<NamesOf<Kinds, Exclude<MethodKind, 'call'>>, keyof Target>
    : never
  : never;

/** The methods that return a feed or a stream. */
type SubscribedOnly<Target> = {
  [Name in MethodNames<Target>]: Target[Name] extends (...args: never[]) => infer Result
    ? IsSubscribed<Result> extends true
      ? Name
      : never
    : never;
}[MethodNames<Target>];

type MethodNames<Target> = {
  [Name in keyof Target]: Target[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Target];

/**
 * An argument: the value itself, or the promise of a call's result, at any depth. In place of a function the client
 * passes `callback(fn)`, and in place of a stream `stream(iterable)`, an array or a set.
 */
type Argument<Value> = unknown extends Value
  ? Value
  : Value extends IsCapability
    ? RpcCapability<Value> | RpcPromise<RpcCapability<Value>>
    : Value extends AsyncIterable<infer Item>
      ? Stream<Item> | readonly Item[] | ReadonlySet<Item>
      : Value extends (...args: infer Args) => infer Result
        ? Callback<(...args: Args) => Answer<Awaited<Result>>>
        :
            | RpcPromise<Value>
            | (Value extends Atom ? Value : { [Key in keyof Value]: Argument<Value[Key]> });

/** What a function may return. The return value is ignored if it can be `void`. */
type Answer<Result> = void extends Result ? void : Result | Promise<Result>;

/** Types that are passed as a whole, so that inference does not look inside. */
type Atom = Primitive | ((...args: never[]) => unknown) | RichObject;

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

type ArgumentsOf<Args extends unknown[]> = { [Index in keyof Args]: Argument<Args[Index]> };

type Methods<Target> = {
  readonly [Name in CalledOf<Target>]: Target[Name] extends (...args: infer Args) => infer Result
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
