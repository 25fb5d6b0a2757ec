/**
 * `items`: what a contract says of an argument that is a stream. Imports TypeBox, types only.
 */
import type { TSchema } from 'typebox';

/** An argument that is a stream. */
export class StreamOf<Schema extends TSchema = TSchema> {
  /** What each item must be. */
  readonly schema: Schema;

  constructor(schema: Schema) {
    this.schema = schema;
  }
}

/**
 * Says that an argument is a stream: the method takes an `AsyncIterable`, and the client passes an async
 * iterable, a generator, a `ReadableStream` or an array. The client needs the option `streams`, but for an
 * array. Each item is checked when the method takes it; one that does not fit makes the method's loop throw
 * `INVALID_ARGUMENTS`.
 *
 * @param schema - what each item must be
 * @returns what stands in a contract for the argument; nowhere else, as inside of another schema
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
