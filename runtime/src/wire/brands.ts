/**
 * Types that carry the contract of a wrapped class to its clients, and types that carry the class of a
 * client. They exist only at compile time. Their names are strings, not symbols, so that the types of two copies of
 * the package fit together.
 */
import type { ReservedName } from './reserved-names.ts';

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
export type MethodKindsOf<Target> = unknown extends Target
  ? undefined
  : '~contract' extends keyof Target
    ? NonNullable<Target['~contract']>
    : undefined;

/**
 * The kind in the type of a contract's entry. The entry is the kind alone, or also has the types of arguments that
 * clients pass in place of the method's own types, by index: `{ kind: 'call'; input: { 0: string } }`.
 */
export type KindIn<Stated> = Stated extends { readonly kind: infer Of }
  ? Of & StatedKind
  : Stated & StatedKind;

/** The names of the methods of these kinds. */
export type NamesOf<Kinds, Of extends StatedKind> = {
  [Name in keyof Kinds]: KindIn<Kinds[Name]> extends Of ? Name : never;
}[keyof Kinds];

/**
 * The types of the arguments that clients pass to a method of a class.
 *
 * @template Args - the parameters of the method
 */
export type PassedArgs<Target, Name, Args extends unknown[]> =
  MethodKindsOf<Target> extends infer Kinds
    ? Name extends keyof Kinds
      ? Kinds[Name] extends { readonly input: infer Input }
        ? WithOptional<Replaced<Args, Input>>
        : Args
      : Args
    : Args;

/** Replaces types of arguments, by index. */
type Replaced<Args extends unknown[], Input> = {
  [Index in keyof Args]: Input extends { readonly [At in Index & string]: infer Passed }
    ? Passed
    : Args[Index];
};

/** Makes the last arguments optional that accept `undefined`. The names of the arguments stay. */
type WithOptional<Args extends unknown[]> = Args extends []
  ? []
  : AcceptUndefined<Args> extends true
    ? Partial<Args>
    : Args extends [unknown, ...infer Rest]
      ? [...(Args extends [...infer First, ...Rest] ? First : [Args[0]]), ...WithOptional<Rest>]
      : Args;

/** Is `true` if all arguments accept `undefined`. */
type AcceptUndefined<Args extends unknown[]> = [
  { [Index in keyof Args]-?: undefined extends Args[Index] ? never : Index }[number],
] extends [never]
  ? true
  : false;

/** The type that the compiler shows for a mistake: in a contract, or in a call of a client. It has no value. */
export interface Mismatch<Details> {
  readonly mismatch: Details;
}

/**
 * The name of a property of a class that is a method. A mapped type with this filter keeps the declarations of the
 * methods, so that an editor leads from a call to the method of the class.
 */
export type MethodName<Target, Name extends keyof Target> = Name extends ReservedName | symbol
  ? never
  : [Target[Name]] extends [never]
    ? never
    : Target[Name] extends (...args: never[]) => unknown
      ? Name
      : never;

/**
 * Is `true` if a method has one signature without type parameters: the signature that `infer` has found. For an
 * overloaded method, `infer` finds the last signature. For a generic method, it finds a signature with the constraints
 * of the type parameters.
 */
export type IsOneSignature<Method, Args extends unknown[], Result> = unknown extends Method
  ? true
  : Required<Args> extends [...unknown[], void]
    ? // The compiler takes such a parameter for an optional parameter.
      true
    : (<Type>() => Type extends Method ? 1 : 2) extends <Type>() => Type extends (
          ...args: Args
        ) => Result
          ? 1
          : 2
      ? true
      : false;

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
export type IsFeed<Result> = [Result] extends [never]
  ? false
  : unknown extends Result
    ? false
    : Result extends HasEvents<unknown>
      ? true
      : false;

/** Iterable types that are sent as one value, not as a stream. */
type Whole =
  | string
  | readonly unknown[]
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ArrayBufferView
  | URLSearchParams
  | Headers;

/** The items of a stream, or of a promise of a stream; `never` for any other result. */
export type StreamItem<Result> = unknown extends Result
  ? never
  : Awaited<Result> extends infer Stream
    ? Stream extends Whole
      ? never
      : Stream extends ReadableStream<infer Item> | AsyncIterable<infer Item> | Iterable<infer Item>
        ? Item
        : never
    : never;

/** Is `true` if the result of a method is a feed or a stream, to which clients can only subscribe. */
export type IsSubscribed<Result> =
  IsFeed<Result> extends true ? true : [StreamItem<Result>] extends [never] ? false : true;

/** Built-in objects that are passed as a whole, and that JSON cannot represent. */
export type RichObject =
  | Date
  | Error
  | RegExp
  | URL
  | URLSearchParams
  | Headers
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>;
