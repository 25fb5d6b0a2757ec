/** Reads the items of an iterable or a `ReadableStream` that is passed as an argument. */

import { builtInName } from '../../../wire/values/plain.ts';

/** The maximum length in bytes of an item with bytes of a `ReadableStream`. Longer items are split. */
const PIECE = 65_536;

/** An iterator of the items. */
export interface Source {
  next(): Result | Promise<Result>;
  return?(): unknown;
}

interface Result {
  done?: boolean | undefined;
  value?: unknown;
}

/** The values that can be passed as a stream. A string is excluded, because its items would be its characters. */
export type Iterables<Item> = AsyncIterable<Item> | (Iterable<Item> & object);

/** A `ReadableStream`. Some type libraries declare it without async iteration. */
export interface Readable<Item> {
  getReader(): { read(): Promise<{ done: boolean; value?: Item | undefined }> };
}

/** A value with one of these methods. */
interface Methods {
  [Symbol.asyncIterator]?: () => Source;
  [Symbol.iterator]: () => Source;
}

/** @throws TypeError for a `ReadableStream` that is already being read, and for a value that is not iterable */
export function sourceOf(value: object): Source {
  // The class is not compared, because old engines lack it, and an iframe has another class.
  if ('getReader' in value) return sourceOfStream(value as ReadableStream<unknown>);
  const { [Symbol.asyncIterator]: iterate, [Symbol.iterator]: list } = value as Methods;
  return (iterate ?? list).call(value);
}

function sourceOfStream(stream: ReadableStream<unknown>): Source {
  const reader = stream.getReader();
  /** The bytes of a chunk that have not been returned. */
  let rest: Uint8Array | undefined;
  return {
    return: () => reader.cancel(),
    async next() {
      const { done, value } = rest ? { value: rest } : ((await reader.read()) as Result);
      rest = undefined;
      const bytes = builtInName(value) === 'Uint8Array' && (value as Uint8Array);
      if (!bytes || bytes.length <= PIECE) return { done, value };
      rest = bytes.subarray(PIECE);
      return { value: bytes.subarray(0, PIECE) };
    },
  };
}
