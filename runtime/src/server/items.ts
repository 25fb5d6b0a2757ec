/** `items`: declares in a contract that an argument is a stream. Imports TypeBox, types only. */
import type { TSchema } from 'typebox';

/** An argument that is a stream. */
export class StreamOf<Schema extends TSchema = TSchema> {
  /** The schema of each item. */
  readonly schema: Schema;

  constructor(schema: Schema) {
    this.schema = schema;
  }
}

/**
 * Declares that an argument is a stream. The method gets an `AsyncIterable`. The client passes an async
 * iterable, a generator, a `ReadableStream`, an array or a set. For all but arrays and sets, it needs the
 * option `streams`. Each item is validated when the method reads it. If an item is invalid, the method's loop
 * throws `INVALID_ARGUMENTS`.
 *
 * @param schema - the schema of each item
 * @returns the contract's entry for the argument; it cannot be used inside another schema
 * @example
 * async upload(name: string, lines: AsyncIterable<string>): Promise<number> {
 *   let count = 0;
 *   for await (const line of lines) this.#add(name, ++count, line);
 *   return count;
 * }
 * // In the contract:
 * upload: [Type.String(), items(Type.String({ maxLength: 10_000 }))],
 */
export function items<Schema extends TSchema>(schema: Schema): StreamOf<Schema> {
  return new StreamOf(schema);
}
