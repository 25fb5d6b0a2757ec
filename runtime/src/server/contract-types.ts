/**
 * Compile-time check of a contract: whether it matches its class, and if not, why.
 * Imports TypeBox, contract-entry, items, plain-types and wire/, types only.
 */
import type { Static, TArray, TFunction, TObject, TSchema } from 'typebox';
import type { IsCapability, IsFeed, IsSubscribed, StreamItem } from '../wire/contract-brand.ts';
import type { ArgumentSchema, CapabilityClass, ReservedName } from './contract-entry.ts';
import type { StreamOf } from './items.ts';
import type { MayBePromise, Plain } from './plain-types.ts';

/** The type that the compiler shows where a contract does not match its class. */
interface Mismatch<Details> {
  readonly mismatch: Details;
}

/** The entries that match the methods of `Instance`. Any other entry becomes a `Mismatch` with the reason. */
export type CheckedContract<Instance, Entries> = {
  [Name in keyof Entries]: Name extends Exclude<keyof Instance, ReservedName>
    ? Instance[Name] extends (...args: infer Parameters) => infer Result
      ? CheckedResult<Entries[Name], Parameters, Result>
      : Mismatch<'not a method of the class'>
    : Mismatch<Name extends ReservedName ? 'a reserved name' : 'not a method of the class'>;
};

/** The methods that a contract marks as `live`. */
export type LiveKeys<Entries> = {
  [Name in keyof Entries]: Entries[Name] extends { readonly live: true } ? Name : never;
}[keyof Entries];

/** The methods to which a contract gives a `cursor`. */
export type PagedKeys<Entries> = {
  [Name in keyof Entries]: Entries[Name] extends { readonly cursor: string } ? Name : never;
}[keyof Entries];

/** Checks an entry by the result type of its method. */
type CheckedResult<Entry, Parameters extends unknown[], Result> = Entry extends { live: true }
  ? MayBePromise<Result> extends true
    ? Mismatch<'live is for methods that return the value, not a promise'>
    : IsFeed<Result> extends true
      ? Mismatch<'a feed sends its events without live: remove live'>
      : IsSubscribed<Result> extends true
        ? Mismatch<'a stream sends its items without live: remove live'>
        : CheckedEntry<Entry, Parameters, Result>
  : IsFeed<Result> extends true
    ? Entry extends { readonly: true }
      ? CheckedEntry<Entry, Parameters, Result>
      : Mismatch<'a method that returns a feed is readonly: write { input: [], readonly: true }'>
    : Awaited<Result> extends IsCapability
      ? Awaited<Result> extends InstanceType<ReturnedBy<Entry>>
        ? CheckedEntry<Entry, Parameters, Result>
        : Mismatch<'the method returns a capability: write { input: [], returns: Class }, with its class'>
      : CheckedEntry<Entry, Parameters, Result>;

/** The classes that an entry lists under `returns`. */
type ReturnedBy<Entry> = Entry extends { returns: infer Class }
  ? Class extends readonly (infer Each)[]
    ? CapabilitiesIn<Each>
    : CapabilitiesIn<Class>
  : never;

type CapabilitiesIn<Class> = Class extends CapabilityClass
  ? InstanceType<Class> extends IsCapability
    ? Class
    : never
  : never;

type CheckedEntry<
  Entry,
  Parameters extends unknown[],
  Result,
> = Entry extends readonly ArgumentSchema[]
  ? CheckedInput<Entry, Parameters>
  : Entry extends { readonly input: readonly ArgumentSchema[] }
    ? CheckedLongEntry<Entry, Parameters, Result>
    : [MeantBy<keyof Entry>] extends [never]
      ? Mismatch<'write [Type.Integer()], a schema for each parameter, or { input: [], readonly: true }'>
      : CheckedLongEntry<Entry, Parameters, Result>;

type CheckedLongEntry<Entry, Parameters extends unknown[], Result> = {
  [Key in keyof Entry]: Key extends 'input'
    ? Entry[Key] extends readonly ArgumentSchema[]
      ? CheckedInput<Entry[Key], Parameters>
      : Mismatch<'a list with a schema for each parameter'>
    : Key extends 'plain'
      ? CheckedPlain<Entry[Key], Awaited<Result>>
      : Key extends 'readonly' | 'live'
        ? Entry[Key] extends boolean | undefined
          ? Key extends 'live'
            ? CheckedLive<Entry>
            : Entry[Key]
          : Mismatch<'true or false'>
        : Key extends 'cursor'
          ? CheckedCursor<Entry, Entry[Key], Parameters, Result>
          : Key extends 'returns'
            ? [ReturnedBy<Entry>] extends [never]
              ? Mismatch<'a class made by capability(), or a list of them'>
              : Entry[Key]
            : Mismatch<`unknown key: ${[MeantBy<Key>] extends [never] ? 'the keys are input, readonly, live, cursor, returns and plain' : `did you mean ${MeantBy<Key>}?`}`>;
};

type CheckedLive<Entry> = Entry extends { live: true }
  ? Entry extends { readonly: true }
    ? true
    : Mismatch<'live needs readonly: true beside it'>
  : Entry extends { live: infer Live }
    ? Live
    : never;

/** Checks that JSON represents the results of a method with `plain: true`. */
type CheckedPlain<Flag, Result> = Flag extends true
  ? [Result] extends [Plain<Result>]
    ? true
    : Mismatch<'plain is for results that JSON represents: no Date, Map, Set, bigint, bytes or method'>
  : Flag extends boolean | undefined
    ? Flag
    : Mismatch<'true or false'>;

/** Checks that `cursor` names a property of the rows, whose type the last parameter accepts. */
type CheckedCursor<Entry, Cursor, Parameters extends unknown[], Result> = Entry extends {
  readonly: true;
}
  ? [StreamItem<Result>] extends [never]
    ? Mismatch<'cursor is for methods that return rows: Iterable<Row> or AsyncIterable<Row>, not an array'>
    : Cursor extends keyof StreamItem<Result>
      ? StreamItem<Result>[Cursor] extends string | number
        ? Parameters extends [...unknown[], unknown]
          ? Mismatch<'the last parameter is the cursor: make it optional'>
          : StreamItem<Result>[Cursor] extends LastOf<Parameters>
            ? Cursor
            : Mismatch<{
                cursorIs: StreamItem<Result>[Cursor];
                lastParameterTakes: LastOf<Parameters>;
              }>
        : Mismatch<'a cursor must be a string or a number'>
      : Mismatch<{ cursor: 'a property of the rows'; rowsHave: keyof StreamItem<Result> }>
  : Mismatch<'cursor needs readonly: true beside it'>;

/** The type of the last parameter; `never` if there are no parameters. */
type LastOf<Parameters extends unknown[]> =
  Required<Parameters> extends [...unknown[], infer Last] ? Last : never;

/** The correct spelling of a misspelled key; `never` for any other key. */
type MeantBy<Key> = Key extends 'input' | 'readonly' | 'live' | 'cursor' | 'returns' | 'plain'
  ? never
  : Key extends string
    ? Lowercase<Key> extends 'readonly'
      ? 'readonly'
      : Lowercase<Key> extends `input${string}`
        ? 'input'
        : Lowercase<Key> extends 'live'
          ? 'live'
          : Lowercase<Key> extends `return${string}`
            ? 'returns'
            : Lowercase<Key> extends 'cursor'
              ? 'cursor'
              : Lowercase<Key> extends 'plain'
                ? 'plain'
                : never
    : never;

export type CheckedInput<
  Input extends readonly ArgumentSchema[],
  Parameters extends unknown[],
> = number extends Parameters['length']
  ? Mismatch<'a rest parameter can have no schema: take an array instead'>
  : Input['length'] extends Required<Parameters>['length']
    ? {
        [Index in keyof Input]: Index extends keyof Parameters
          ? CheckedArgument<
              Input[Index],
              Parameters[Index],
              undefined extends Parameters[Index] ? true : false
            >
          : never;
      }
    : Mismatch<{ schemas: Input['length']; parametersOfTheMethod: Required<Parameters>['length'] }>;

type CheckedArgument<Schema, Parameter, Optional> = Schema extends CapabilityClass
  ? InstanceType<Schema> extends Parameter
    ? Schema
    : Mismatch<{ capability: InstanceType<Schema>; methodTakes: Parameter }>
  : Schema extends StreamOf<infer Item>
    ? Optional extends true
      ? Mismatch<'a stream cannot be optional: callers can pass an empty array'>
      : CheckedStream<Schema, Static<Item>, Parameter>
    : CheckedValue<Schema, Parameter, Optional>;

type CheckedStream<Schema, Item, Parameter> =
  AsyncIterable<Item> extends Parameter
    ? Schema
    : [Parameter] extends [AsyncIterable<infer Taken>]
      ? [Item] extends [Taken]
        ? Mismatch<'the parameter must be an AsyncIterable, not a ReadableStream'>
        : Mismatch<{ itemsAre: Item; methodTakes: Parameter }>
      : Mismatch<'items() is for a parameter that is an AsyncIterable'>;

type CheckedValue<Schema, Parameter, Optional> = Schema extends TSchema
  ? Given<Schema> extends Parameter
    ? Schema extends { '~optional': true }
      ? Optional extends true
        ? Schema
        : Mismatch<'Type.Optional on a parameter that is required'>
      : Optional extends true
        ? undefined extends Static<Schema>
          ? Schema
          : Mismatch<'the parameter is optional: wrap its schema in Type.Optional'>
        : Schema
    : HoldsFunction<Schema> extends true
      ? Static<Schema> extends Parameter
        ? Mismatch<'a callback returns a promise: write (…) => Promise<…>, or (…) => void'>
        : Mismatch<{ schemaAllows: Given<Schema>; methodTakes: Parameter }>
      : [Parameter] extends [AsyncIterable<unknown>]
        ? Mismatch<'the parameter is a stream: write items(schema)'>
        : Mismatch<{ schemaAllows: Static<Schema>; methodTakes: Parameter }>
  : never;

/** What a method receives for a schema. For a function, this is a callback that calls the client's function. */
type Given<Schema extends TSchema> =
  HoldsFunction<Schema> extends true
    ? Schema extends TFunction
      ? Callback<Static<Schema>>
      : Schema extends TArray<infer Items>
        ? Given<Items>[]
        : Schema extends TObject<infer Properties>
          ? {
              [Name in keyof Static<Schema>]: Name extends keyof Properties
                ? Given<Properties[Name]>
                : never;
            }
          : Static<Schema>
    : Static<Schema>;

/** A function of the client, as a method calls it. */
type Callback<Type> = Type extends (...args: infer Parameters) => infer Result
  ? (...args: Parameters) => Promise<Result>
  : never;

/** Whether the values of a schema contain functions. */
type HoldsFunction<Schema> = Schema extends TFunction
  ? true
  : Schema extends TArray<infer Items>
    ? HoldsFunction<Items>
    : Schema extends TObject<infer Properties>
      ? true extends {
          [Name in keyof Properties]: HoldsFunction<Properties[Name]>;
        }[keyof Properties]
        ? true
        : false
      : false;
