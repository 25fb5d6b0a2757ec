/**
 * Checks at compile time whether a contract matches its class. If it does not, the compiler's error says why.
 */
import type { ArgumentSchema, CapabilityClass } from './types.ts';
import type { Static, TArray, TFunction, TObject, TSchema, TVoid } from '../base/typebox-types.ts';
import type { IsCallback, StreamOf } from '../base/brands.ts';
import type { InputOf, OutputOf, StandardSchema } from '../base/standard-schema.ts';
import type {
  HasEvents,
  IsCapability,
  IsFeed,
  IsOneSignature,
  MethodKind,
  Mismatch,
  RichObject,
  StreamItem,
} from '../../wire/brands.ts';
import type { ReservedName } from '../../wire/reserved-names.ts';

/**
 * The methods that a contract can list. With this type, an editor completes the keys of a contract, leads from a key to
 * the method, and renames both.
 */
export type Listable<Instance> = {
  readonly [Name in keyof Instance as Name extends ReservedName ? never : Name]?: unknown;
};

/** The entries that match the methods of `Instance`. Any other entry becomes a `Mismatch` with the reason. */
export type CheckedContract<Instance, Entries> = {
  [Name in keyof Entries]: Name extends Exclude<keyof Instance, ReservedName>
    ? Instance[Name] extends (...args: infer Parameters) => infer Result
      ? Entries[Name] extends (...args: never[]) => unknown
        ? Mismatch<'call the helper: write live(), with parentheses'>
        : IsOneSignature<Instance[Name], Parameters, Result> extends true
          ? CheckedKind<Entries[Name], Parameters, Result>
          : Mismatch<'the method is generic or overloaded: write one signature without type parameters'>
      : Mismatch<'not a method of the class'>
    : Mismatch<Name extends ReservedName ? 'a reserved name' : 'not a method of the class'>;
};

/**
 * The kind of each method that a contract lists. Because of `infer`, the compiler prints the kinds, not all schemas.
 */
export type EntryKindsOf<Entries> = {
  readonly [Name in keyof Entries]: KindWithInput<Entries[Name]>;
} extends infer Kinds
  ? Kinds
  : never;

/** The kind of an entry, with the types of the arguments that clients pass. */
type KindWithInput<Entry> =
  SchemasOf<Entry> extends infer Schemas extends readonly unknown[]
    ? true extends HoldsStandard<Schemas[number]>
      ? PassedByIndex<Schemas> extends infer Input
        ? [keyof Input] extends [never]
          ? KindOf<Entry>
          : { readonly kind: KindOf<Entry>; readonly input: Input }
        : never
      : KindOf<Entry>
    : KindOf<Entry>;

type SchemasOf<Entry> = Entry extends readonly unknown[]
  ? Entry
  : Entry extends { readonly input: infer Input }
    ? Input
    : undefined;

/**
 * The type that clients pass, by index, for each schema that changes the value or makes the argument optional. For any
 * other schema, clients pass the type of the method's parameter.
 */
type PassedByIndex<Schemas> = {
  readonly [
    Index in Extract<keyof Schemas, `${number}`> as IsPassedAsTaken<Schemas[Index]> extends true
      ? never
      : Index
  ]: Passed<Schemas[Index]>;
};

type IsPassedAsTaken<Schema> =
  true extends HoldsStandard<Schema>
    ? [Passed<Schema>, Given<Schema>] extends [Given<Schema>, Passed<Schema>]
      ? undefined extends Passed<Schema>
        ? false
        : true
      : false
    : true;

/**
 * Tells whether a schema is of another library than TypeBox, or contains such a schema: as the schema of items, or in a
 * callback.
 */
type HoldsStandard<Schema> = Schema extends StandardSchema
  ? true
  : Schema extends StreamOf<infer Items>
    ? HoldsStandard<Items>
    : HoldsFunction<Schema> extends true
      ? Schema extends TFunction<infer Parameters, infer Result>
        ? HoldsStandard<Parameters[number] | Result>
        : Schema extends TArray<infer Items>
          ? HoldsStandard<Items>
          : Schema extends TObject<infer Properties>
            ? HoldsStandard<Properties[keyof Properties]>
            : false
      : false;

type KindOf<Entry> = Entry extends { readonly internal: true }
  ? 'internal'
  : Entry extends { readonly '~entry': infer Of }
    ? Extract<Of, MethodKind>
    : 'call';

/** Checks the kind of an entry by the result type of its method, then the rest of the entry. */
type CheckedKind<Entry, Parameters extends unknown[], Result> = Entry extends {
  readonly internal: true;
}
  ? CheckedInternal<Entry, Parameters>
  : CheckedForClients<Entry, KindOf<Entry> & MethodKind, Parameters, Result>;

/** Checks an entry of `internal`: native Workers RPC decides what its method may return. */
type CheckedInternal<Entry, Parameters extends unknown[]> = {
  [Key in keyof Entry]: Key extends 'input'
    ? Entry[Key] extends readonly ArgumentSchema[]
      ? CheckedInput<Entry[Key], Parameters>
      : Mismatch<'a list with a schema for each parameter'>
    : Key extends 'internal'
      ? Entry[Key]
      : Mismatch<'the keys of an internal entry are input and internal'>;
};

type CheckedForClients<Entry, Of extends MethodKind, Parameters extends unknown[], Result> = [
  WrongKind<Of, Result>,
] extends [never]
  ? CheckedReturns<Entry, Result> extends infer Problem
    ? [Problem] extends [never]
      ? Entry extends { readonly '~entry': MethodKind; readonly input: infer Input }
        ? CheckedHelped<Entry, Input, Parameters, Result>
        : CheckedEntry<Entry, Parameters, Result>
      : Problem
    : never
  : Mismatch<WrongKind<Of, Result>>;

/** The entry to write if the method returns a result of another kind; `never` if the kind is right. */
type WrongKind<Of extends MethodKind, Result> = unknown extends Result
  ? Of extends 'rows'
    ? NoRows
    : never
  : IsFeed<Awaited<Result>> extends true
    ? Of extends 'events'
      ? IsFeed<Result> extends true
        ? never
        : 'events is for methods that return the feed, not a promise'
      : 'the method returns a feed: write events([…])'
    : [StreamItem<Result>] extends [never]
      ? WrongWhole<Of, Result>
      : Of extends 'stream' | 'rows'
        ? never
        : 'the method returns a stream: write stream([…])';

/** The entry to write if the method returns a result that is sent as a whole. */
type WrongWhole<Of extends MethodKind, Result> = Of extends 'rows'
  ? NoRows
  : Of extends 'events'
    ? 'events is for methods that return a feed: feed(this, name)'
    : Of extends 'stream'
      ? unknown extends Awaited<Result>
        ? never
        : 'stream is for methods that return a generator, an iterator or a ReadableStream'
      : Of extends 'live'
        ? MayBePromise<Result> extends true
          ? 'live is for methods that return the value, not a promise'
          : never
        : Of extends 'presence'
          ? MayBePromise<Result> extends true
            ? 'presence is for methods that return what others see, not a promise'
            : never
          : never;

type NoRows =
  'rows is for methods that return rows: Iterable<Row> or AsyncIterable<Row>, not an array';

/** The problem with an entry whose method returns a capability; `never` if there is none. */
type CheckedReturns<Entry, Result> =
  Awaited<Result> extends IsCapability
    ? unknown extends Result
      ? never
      : Awaited<Result> extends InstanceType<ReturnedBy<Entry>>
        ? never
        : Mismatch<
            KindOf<Entry> extends 'live'
              ? 'the method returns a capability: write live([…], { returns: Class }), with its class'
              : 'the method returns a capability: write { input: [], returns: Class }, with its class'
          >
    : never;

/** Checks an entry that a helper such as `live` has returned. A mistake in a part becomes the mistake of the entry. */
type CheckedHelped<Entry, Input, Parameters extends unknown[], Result> =
  | (Entry extends { readonly key: infer Key }
      ? // Without strict checks, `undefined` extends `string`.
        Key extends undefined
        ? never
        : KindOf<Entry> extends 'live'
          ? WrongRowKey<Key, RowOf<Result>>
          : WrongKey<Key, Input, Parameters, Result>
      : never)
  | WrongOutput<Entry, Result>
  | (Input extends readonly ArgumentSchema[]
      ? MismatchIn<CheckedInput<Input, Parameters>>
      : Mismatch<'a list with a schema for each parameter'>) extends infer Problem
  ? [Problem] extends [never]
    ? Entry
    : Problem
  : never;

type MismatchIn<Checked> =
  Checked extends Mismatch<unknown>
    ? Checked
    : Checked extends readonly unknown[]
      ? Extract<Checked[number], Mismatch<unknown>>
      : never;

/** The problem with the key of rows, whose type the last parameter has to accept; `never` if there is none. */
type WrongKey<
  Key,
  Input,
  Parameters extends unknown[],
  Result,
> = Key extends keyof StreamItem<Result>
  ? StreamItem<Result>[Key] extends string | number
    ? Parameters extends [...unknown[], unknown]
      ? Mismatch<'the last parameter is the place of a row: make it optional'>
      : StreamItem<Result>[Key] extends PlaceOf<Input, Parameters>
        ? never
        : Mismatch<{
            keyIs: StreamItem<Result>[Key];
            lastParameterTakes: PlaceOf<Input, Parameters>;
          }>
    : Mismatch<'the key of rows must be a string or a number'>
  : Mismatch<{ key: 'a property of the rows'; rowsHave: keyof StreamItem<Result> }>;

/** The rows of a list, or of lists by name; `never` for any other value. */
type RowOf<Value> = unknown extends Value
  ? unknown
  : Value extends readonly (infer Row)[]
    ? Row
    : Value extends ReadonlyMap<unknown, infer Lists>
      ? RowOfLists<Lists>
      : Value extends RichObject
        ? never
        : Value extends object
          ? RowOfLists<Exclude<Value[keyof Value], undefined>>
          : never;

type RowOfLists<Lists> = [Lists] extends [readonly (infer Row)[]] ? Row : never;

/** The problem with the key of a live value; `never` if there is none. */
type WrongRowKey<Key, Row> = unknown extends Row
  ? never
  : [Row] extends [never]
    ? Mismatch<'key is for methods that return a list of rows, or lists of rows by name'>
    : [Row] extends [{ readonly [Name in Key & string]: string | number | bigint }]
      ? never
      : Key extends keyof Row
        ? Mismatch<'the key of a row must be a string, a number or a bigint'>
        : Mismatch<{ key: 'a property of the rows'; rowsHave: keyof Row }>;

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
      ? Mismatch<'write [Type.Integer()], a schema for each parameter, or a helper such as read([…]) or live([…])'>
      : CheckedLongEntry<Entry, Parameters, Result>;

type CheckedLongEntry<Entry, Parameters extends unknown[], Result> = {
  [Key in keyof Entry]: Key extends 'input'
    ? Entry[Key] extends readonly ArgumentSchema[]
      ? CheckedInput<Entry[Key], Parameters>
      : Mismatch<'a list with a schema for each parameter'>
    : Key extends 'plain'
      ? CheckedPlain<Entry[Key], Awaited<Result>>
      : Key extends 'readonly' | 'volatile'
        ? Entry[Key] extends boolean | undefined
          ? Entry[Key]
          : Mismatch<'true or false'>
        : Key extends 'returns'
          ? Entry[Key] extends undefined
            ? Entry[Key]
            : [ReturnedBy<Entry>] extends [never]
              ? Mismatch<'a class made by capability(), or a list of them'>
              : Entry[Key]
          : Key extends 'output'
            ? CheckedOutput<Entry[Key], Awaited<Result>, 'call'>
            : Key extends 'title' | 'description'
              ? Entry[Key] extends string | undefined
                ? Entry[Key]
                : Mismatch<'text'>
              : Mismatch<`unknown key: ${[MeantBy<Key>] extends [never] ? 'the keys are input, readonly, volatile, returns, plain, output, title and description' : `did you mean ${MeantBy<Key>}?`}`>;
};

/** The problem with the output schema of an entry that a helper has returned; `never` if there is none. */
type WrongOutput<Entry, Result> = Entry extends {
  readonly '~entry': infer Of extends MethodKind;
  readonly output: infer Schema;
}
  ? Schema extends undefined
    ? never
    : Extract<CheckedOutput<Schema, SentBy<Of, Result>, Of>, Mismatch<unknown>>
  : never;

/**
 * The type that a method of a kind sends: an event, an item, a row or a value; `never` if the compiler cannot know it.
 */
type SentBy<Of extends MethodKind, Result> = Of extends 'events'
  ? unknown extends Result
    ? never
    : Result extends HasEvents<infer Event>
      ? Event
      : never
  : Of extends 'stream' | 'rows'
    ? StreamItem<Result>
    : Of extends 'presence'
      ? Exclude<Result, undefined>
      : Result;

/** Checks that an output schema allows the values that a method of a kind sends. */
type CheckedOutput<Schema, Sent, Of extends MethodKind> = Schema extends undefined
  ? Schema
  : Schema extends object
    ? [Sent] extends [InputOf<Schema>]
      ? Schema
      : Mismatch<OutputMismatch<InputOf<Schema>, Sent>[Of]>
    : Mismatch<'a schema, such as Type.String()'>;

/** The error for an output schema that does not fit, by the kind of the method. */
interface OutputMismatch<Allowed, Sent> {
  call: { outputAllows: Allowed; methodReturns: Sent };
  live: { outputAllows: Allowed; methodReturns: Sent };
  events: { outputAllows: Allowed; eventsAre: Sent };
  stream: { outputAllows: Allowed; itemsAre: Sent };
  rows: { outputAllows: Allowed; rowsAre: Sent };
  presence: { outputAllows: Allowed; methodReturns: Sent };
}

/** Checks that JSON represents the results of a method with `plain: true`. */
type CheckedPlain<Flag, Result> = Flag extends true
  ? [Result] extends [Plain<Result>]
    ? true
    : Mismatch<'plain is for results that JSON represents: no Date, Map, Set, bigint, bytes or method'>
  : Flag extends boolean | undefined
    ? Flag
    : Mismatch<'true or false'>;

/**
 * The type of a row's place, as the runtime passes it. A schema of another library than TypeBox can change the value.
 */
type PlaceOf<Input, Parameters extends unknown[]> = Input extends readonly [
  ...unknown[],
  infer Last extends StandardSchema,
]
  ? InputOf<Last>
  : LastOf<Parameters>;

/** The type of the last parameter; `never` if there are no parameters. */
type LastOf<Parameters extends unknown[]> =
  Required<Parameters> extends [...unknown[], infer Last] ? Last : never;

/** The correct spelling of a misspelled key; `never` for any other key. */
type MeantBy<Key> = Key extends
  | 'input'
  | 'readonly'
  | 'volatile'
  | 'returns'
  | 'plain'
  | 'output'
  | 'title'
  | 'description'
  ? never
  : Key extends string
    ? Lowercase<Key> extends 'readonly'
      ? 'readonly'
      : Lowercase<Key> extends 'volatile'
        ? 'volatile'
        : Lowercase<Key> extends `input${string}`
          ? 'input'
          : Lowercase<Key> extends `return${string}`
            ? 'returns'
            : Lowercase<Key> extends 'plain'
              ? 'plain'
              : never
    : never;

/**
 * Checks a list of schemas.
 *
 * @template For - `address` for the address of a capability, which its schemas do not change
 */
export type CheckedInput<
  Input extends readonly ArgumentSchema[],
  Parameters extends unknown[],
  For extends 'method' | 'address' = 'method',
> = number extends Parameters['length']
  ? Mismatch<'a rest parameter can have no schema: take an array instead'>
  : Input['length'] extends Required<Parameters>['length']
    ? {
        [Index in keyof Input]: Index extends keyof Parameters
          ? CheckedArgument<
              Input[Index],
              Parameters[Index],
              undefined extends Parameters[Index] ? true : false,
              For
            >
          : never;
      }
    : Mismatch<{ schemas: Input['length']; parametersOfTheMethod: Required<Parameters>['length'] }>;

type CheckedArgument<Schema, Parameter, Optional, For> = Schema extends CapabilityClass
  ? InstanceType<Schema> extends Parameter
    ? Schema
    : Mismatch<{ capability: InstanceType<Schema>; methodTakes: Parameter }>
  : Schema extends StreamOf<infer Item>
    ? [Optional, IsStrict] extends [true, true]
      ? Mismatch<'a stream cannot be optional: callers can pass an empty array'>
      : CheckedStream<Schema, OutputOf<Item>, Parameter>
    : Schema extends StandardSchema
      ? CheckedStandard<
          Schema,
          Parameter,
          Optional,
          For extends 'method' ? OutputOf<Schema> : InputOf<Schema>
        >
      : CheckedValue<Schema, Parameter, Optional>;

/** Checks a schema of another library than TypeBox. The method receives the value that the schema returns. */
type CheckedStandard<Schema extends StandardSchema, Parameter, Optional, Made> = Schema extends {
  '~optional': true;
}
  ? Mismatch<'Type.Optional is for schemas of TypeBox: use the optional() of your library'>
  : [Made] extends [Parameter]
    ? Optional extends true
      ? undefined extends InputOf<Schema>
        ? Schema
        : Mismatch<'the parameter is optional: make its schema optional, too'>
      : Schema
    : [Parameter] extends [AsyncIterable<unknown>]
      ? Mismatch<'the parameter is a stream: write streamOf(schema)'>
      : Mismatch<{ schemaReturns: Made; methodTakes: Parameter }>;

/**
 * Tells whether the project has `strictNullChecks`. Without them, the compiler takes every parameter for an optional
 * parameter.
 */
type IsStrict = undefined extends 'text' ? false : true;

type CheckedStream<Schema, Item, Parameter> =
  AsyncIterable<Item> extends Parameter
    ? Schema
    : [Parameter] extends [AsyncIterable<infer Taken>]
      ? [Item] extends [Taken]
        ? Mismatch<'the parameter must be an AsyncIterable, not a ReadableStream'>
        : Mismatch<{ itemsAre: Item; methodTakes: Parameter }>
      : Mismatch<'streamOf() is for a parameter that is an AsyncIterable'>;

type CheckedValue<Schema, Parameter, Optional> =
  IsBare<Schema> extends true
    ? Mismatch<'a function is a callback: write callback([…], result)'>
    : CheckedSchema<Schema, Parameter, Optional>;

/** Tells whether a schema is, or holds, a function that `callback` has not made. */
type IsBare<Schema> = Schema extends TFunction
  ? Schema extends IsCallback
    ? false
    : true
  : Schema extends TArray<infer Items>
    ? IsBare<Items>
    : Schema extends TObject<infer Properties>
      ? true extends { [Name in keyof Properties]: IsBare<Properties[Name]> }[keyof Properties]
        ? true
        : false
      : false;

type CheckedSchema<Schema, Parameter, Optional> = Schema extends TSchema
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
      ? Passed<Schema> extends Parameter
        ? Mismatch<'a callback returns a promise: write (…) => Promise<…>, or (…) => void'>
        : Mismatch<{ schemaAllows: Given<Schema>; methodTakes: Parameter }>
      : [Parameter] extends [AsyncIterable<unknown>]
        ? Mismatch<'the parameter is a stream: write streamOf(schema)'>
        : Mismatch<SchemaMismatch<Schema, Parameter>>
  : never;

/** The error for a schema that does not fit, or for a value that is no schema. */
type SchemaMismatch<Schema extends TSchema, Parameter> = Schema extends
  | ((...args: never[]) => unknown)
  | { readonly string: (...args: never[]) => unknown }
  ? 'not a schema: call the function that makes a schema, such as z.string()'
  : Schema extends Readonly<Record<string, StandardSchema>>
    ? 'an object of schemas: write z.object({ … }), or the function of your library'
    : { schemaAllows: Static<Schema>; methodTakes: Parameter };

/**
 * The type that a method receives for a schema. For a function, this is a callback that calls the client's function.
 */
type Given<Schema> = AtEnd<Schema, 'object'>;

/** The type that a client passes for a schema. For a stream, this can also be a list. */
type Passed<Schema> = AtEnd<Schema, 'client'>;

/** The type of a schema's value at one end. */
type AtEnd<Schema, End extends 'client' | 'object'> =
  HoldsFunction<Schema> extends true
    ? Schema extends TFunction<TSchema[], infer Result>
      ? (
          ...args: CallbackArgs<Schema>
        ) => End extends 'object' ? Promise<OutputOf<Result>> : InputOf<Result>
      : Schema extends TArray<infer Items>
        ? AtEnd<Items, End>[]
        : Schema extends TObject<infer Properties>
          ? {
              [Name in keyof Static<Schema>]: Name extends keyof Properties
                ? AtEnd<Properties[Name], End>
                : never;
            }
          : DataAtEnd<Schema, End>
    : Schema extends StreamOf<infer Items>
      ? AsyncIterable<DataAtEnd<Items, End>>
      : DataAtEnd<Schema, End>;

/** The type of a schema's value at one end, for a schema without functions and streams. */
type DataAtEnd<Schema, End> = End extends 'object' ? OutputOf<Schema> : InputOf<Schema>;

/** The types of the arguments that a method passes to a callback. The values are sent as they are. */
type CallbackArgs<Schema extends TFunction> =
  Schema extends TFunction<infer Parameters, TSchema>
    ? Parameters extends []
      ? []
      : true extends HoldsStandard<Parameters[number]>
        ? { [Index in keyof Parameters]: InputOf<Parameters[Index]> }
        : Static<TFunction<Parameters, TVoid>> extends (...args: infer Args) => unknown
          ? Args
          : never
    : never;

/** Tells whether the values of a schema contain functions. */
type HoldsFunction<Schema> = Schema extends StandardSchema
  ? false
  : Schema extends TFunction
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

/** The type, with `never` in place of each part that JSON cannot represent. */
type Plain<Type> = Type extends string | number | boolean | null | undefined
  ? Type
  : Type extends RichObject | bigint | symbol | ((...args: never[]) => unknown)
    ? never
    : Type extends object
      ? { [Name in keyof Type]: Plain<Type[Name]> }
      : Type;

/** Tells whether a result is a promise in some cases. The compiler cannot know this for `any` and `unknown`. */
type MayBePromise<Result> = unknown extends Result
  ? false
  : [Extract<Result, PromiseLike<unknown>>] extends [never]
    ? false
    : true;
