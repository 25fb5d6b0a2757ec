/** `stream` and `rows`: the entries of streams and rows in a contract. */
import {
  methodEntry,
  type EntryOptions,
  type MethodEntry,
  type Returns,
  type Schemas,
} from '../../server/contract/entries.ts';
import { streams } from './feature.ts';

/** The options of `stream`. */
export interface StreamEntryOptions<Class extends Returns = Returns> extends EntryOptions<Class> {
  /**
   * The method changes nothing, so it may run again if the connection was lost before the first item arrived.
   * Otherwise it runs once for each loop. Default false.
   */
  readonly readonly?: boolean;
}

/** What `rows` returns. */
export interface RowsEntry<
  Key extends string,
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
> extends MethodEntry<'rows', Input, Class> {
  readonly key: Key;
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
export function stream<
  const Input extends Schemas = readonly [],
  const Class extends Returns = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: StreamEntryOptions<Class>,
): MethodEntry<'stream', NoInfer<Input>, NoInfer<Class>> {
  return methodEntry('stream', streams, options?.readonly ?? false, schemas, options);
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
  return { ...methodEntry('rows', streams, true, schemas, options), key };
}
