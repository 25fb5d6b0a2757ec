/** The entries of a contract that say what a method is: `read`, `live`, `events`, `stream` and `rows`. */
import type { TSchema } from 'typebox';
import type { Kind } from './kinds.ts';
import type { StreamOf } from '../../features/uploads/stream-of.ts';

/** The type of an argument: a schema, a class of capabilities, or a stream. */
export type ArgumentSchema = TSchema | CapabilityClass | StreamOf;

/** A class made by `capability`. */
export type CapabilityClass = new (...args: never[]) => object;

type Schemas = readonly ArgumentSchema[];

/** A class of capabilities, or several. */
type Returns = CapabilityClass | readonly CapabilityClass[] | undefined;

/** What a helper returns. A plain record, so that two copies of the package understand each other. */
export interface MethodEntry<
  Of extends Exclude<Kind, 'call'> = Exclude<Kind, 'call'>,
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
> {
  readonly '~entry': Of;
  readonly input: Input;
  readonly readonly: boolean;
  readonly returns: Class;
  /** Of rows: the property that contains the place of a row. */
  readonly key?: string;
}

export interface RowsEntry<
  Key extends string,
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
> extends MethodEntry<'rows', Input, Class> {
  readonly key: Key;
}

/** What `read` returns: the long form of an entry. */
export interface ReadEntry<Input extends Schemas = Schemas> {
  readonly input: Input;
  readonly readonly: true;
}

/** The options of an entry. */
export interface EntryOptions<Class extends Returns = Returns> {
  /** The classes of the capabilities in what the method sends. */
  readonly returns?: Class;
}

export interface StreamEntryOptions<Class extends Returns = Returns> extends EntryOptions<Class> {
  /**
   * The method changes nothing, so it may run again if the connection was lost before the first item arrived. Default
   * false: it runs once for each loop.
   */
  readonly readonly?: boolean;
}

/**
 * The entry of a method that changes nothing. It is not journaled, and can run again after a lost connection.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @returns the same as `{ input, readonly: true }`
 * @example
 * history: read([Type.Integer({ minimum: 1, maximum: 100 })]),
 */
export function read(): ReadEntry<readonly []>;
export function read<const Input extends Schemas>(schemas: Input): ReadEntry<Input>;
export function read(schemas: Schemas = []): ReadEntry {
  return { input: schemas, readonly: true };
}

/**
 * The entry of a live value: subscribers get the result of the method, and each change of it. The method changes
 * nothing and returns the value, not a promise. It can be called, too. It runs again after each turn that ran a method
 * which may have changed the object.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the value
 * @example
 * topic: live(),
 */
export function live(): MethodEntry<'live', readonly [], undefined>;
export function live<const Input extends Schemas, const Class extends Returns = undefined>(
  schemas: Input,
  options?: EntryOptions<Class>,
): MethodEntry<'live', Input, NoInfer<Class>>;
export function live(schemas: Schemas = [], options?: EntryOptions): MethodEntry<'live'> {
  return entry('live', true, schemas, options);
}

/**
 * The entry of a method that returns a feed, from `feed(this, name)`. It changes nothing. Clients subscribe to its
 * events.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the events
 * @example
 * messages: events(),
 */
export function events(): MethodEntry<'events', readonly [], undefined>;
export function events<const Input extends Schemas, const Class extends Returns = undefined>(
  schemas: Input,
  options?: EntryOptions<Class>,
): MethodEntry<'events', Input, NoInfer<Class>>;
export function events(schemas: Schemas = [], options?: EntryOptions): MethodEntry<'events'> {
  return entry('events', true, schemas, options);
}

/**
 * The entry of a method that returns a stream: a generator, an iterator, a `ReadableStream`, or a promise of one.
 * Clients subscribe to its items. The stream is in the object's memory, so it is not begun again after it was lost:
 * the loop then rejects with `DISCONNECTED`.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the items, and `readonly`
 * @example
 * digits: stream([Type.Integer({ minimum: 1, maximum: 10_000 })]),
 */
export function stream(): MethodEntry<'stream', readonly [], undefined>;
export function stream<const Input extends Schemas, const Class extends Returns = undefined>(
  schemas: Input,
  options?: StreamEntryOptions<Class>,
): MethodEntry<'stream', Input, NoInfer<Class>>;
export function stream(schemas: Schemas = [], options?: StreamEntryOptions): MethodEntry<'stream'> {
  return entry('stream', options?.readonly ?? false, schemas, options);
}

/**
 * The entry of a method that returns rows in an order, such as the cursor of a query. It changes nothing, and runs
 * again for each page of rows. Its last parameter is optional: the place after which to continue, which the runtime
 * sets.
 *
 * @param key - the property of a row that is its place in the order: a string or a number
 * @param schemas - a schema for each argument. That of the last parameter is wrapped in `Type.Optional`.
 * @param options - `returns`, the capability classes in the rows
 * @example
 * seats: rows('place', [Type.Optional(Type.String())]),
 */
export function rows<
  const Key extends string,
  const Input extends Schemas,
  const Class extends Returns = undefined,
>(key: Key, schemas: Input, options?: EntryOptions<Class>): RowsEntry<Key, Input, NoInfer<Class>> {
  return { ...entry('rows', true, schemas, options), key };
}

function entry<Of extends Exclude<Kind, 'call'>, Input extends Schemas, Class extends Returns>(
  kind: Of,
  isReadonly: boolean,
  input: Input,
  { returns }: EntryOptions<Class> = {},
): MethodEntry<Of, Input, Class> {
  return { '~entry': kind, input, readonly: isReadonly, returns: returns as Class };
}
