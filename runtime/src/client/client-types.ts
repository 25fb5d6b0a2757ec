/**
 * The types of a client: the methods of a class, as its callers see them.
 */
import type {
  ClientOf,
  IsCapability,
  IsFeed,
  IsOneSignature,
  IsSubscribed,
  KindIn,
  MethodKindsOf,
  MethodName,
  Mismatch,
  PassedArgs,
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

/** The reason why a client cannot call a method; `never` if it can. */
type CallProblem<Target, Name extends keyof Target, Args extends unknown[], Result> =
  MethodKindsOf<Target> extends infer Kinds
    ? Kinds extends undefined
      ? IsSubscribed<Result> extends true
        ? CallProblems<Name>[IsFeed<Result> extends true ? 'events' : 'stream']
        : SignatureProblem<Target[Name], Args, Result>
      : Name extends keyof Kinds
        ? CallProblems<Name>[KindIn<Kinds[Name]>]
        : NotListed
    : never;

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
export type NotListed = 'the contract does not list the method: add it to the contract';

/** The problem with a method that the contract lists by `internal`. */
export type NotForClients =
  'the contract lists the method as internal: only objects and Workers can call it';

/**
 * The problem with a generic or an overloaded method. A contract refuses such a method. For a class without a contract,
 * the client refuses it.
 */
type SignatureProblem<Method, Args extends unknown[], Result> =
  IsOneSignature<Method, Args, Result> extends true
    ? never
    : 'the method is generic or overloaded: write one signature without type parameters';

/**
 * An argument: the value itself, or the promise of a call's result, at any depth. In place of a function the client
 * passes `callback(fn)`, and in place of a stream `stream(iterable)`, an array or a set.
 */
type Argument<Value> = unknown extends Value
  ? Value
  : Given<Value> | Promised<Exclude<Value, Marked>>;

/** An argument that is not a promise. */
type Given<Value> = Value extends IsCapability
  ? RpcCapability<Value>
  : Value extends AsyncIterable<infer Item>
    ? Stream<Item> | readonly Item[] | ReadonlySet<Item>
    : Value extends (...args: infer Args) => infer Result
      ? Callback<(...args: Args) => Answer<Awaited<Result>>>
      : Value extends Atom
        ? Value
        : Value extends readonly (infer Item)[]
          ? Item[] extends Value
            ? ItemsOf<Value, Item>
            : { [Index in keyof Value]: Argument<Value[Index]> }
          : { [Key in keyof Value]: Argument<Value[Key]> };

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

type ArgumentsOf<Args extends unknown[]> = { [Index in keyof Args]: Argument<Args[Index]> };

/**
 * The methods of a client. A method that cannot be called is a property whose type says why, so that the compiler's
 * error shows the reason.
 */
export type Methods<Target> = {
  readonly [Name in keyof Target as MethodName<Target, Name>]: Target[Name] extends (
    ...args: infer Args
  ) => infer Result
    ? [CallProblem<Target, Name, Args, Result>] extends [never]
      ? (
          ...args: ArgumentsOf<PassedArgs<Target, Name, Args>>
        ) => RpcPromise<Received<Resolved<Result>>>
      : Mismatch<CallProblem<Target, Name, Args, Result>>
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

/**
 * The value that a method returns, or that its promise resolves to. For a promise, `Awaited` would forget the name of
 * the type.
 */
export type Resolved<Result> = Result extends Promise<infer Value> ? Value : Awaited<Result>;

/** A result as it arrives: each capability in it has remote methods. */
export type Received<Result> = Result extends IsCapability
  ? RpcCapability<Result>
  : HoldsCapability<Result> extends true
    ? { [Key in keyof Result]: Received<Result[Key]> }
    : Result;

/** Is `true` if any property or item is a capability. Deeper levels are not searched. */
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
