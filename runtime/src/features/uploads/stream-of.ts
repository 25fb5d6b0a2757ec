/** `streamOf`: declares in a contract that an argument is a stream. */
import type { Featured } from '../../server/contract/compiled.ts';
import type { TSchema } from 'typebox';
import type { StreamOf } from '../../server/base/marks.ts';
import { uploads } from './feature.ts';

/**
 * Declares that an argument is a stream. The method gets an `AsyncIterable`. The client passes `stream(iterable)`, an
 * array or a set. Each item is validated when the method reads it. If an item is invalid, the method's loop throws
 * `INVALID_ARGUMENTS`.
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
 * upload: [Type.String(), streamOf(Type.String({ maxLength: 10_000 }))],
 */
export function streamOf<Schema extends TSchema>(schema: Schema): StreamOf<Schema> & Featured {
  return { '~streamOf': schema, '~feature': uploads };
}
