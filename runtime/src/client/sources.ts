/** Reads the items of a stream that is an argument. Imports wire/. */
import { tagOf } from '../wire/tags.ts';

/** The maximum length in bytes of an item with bytes of a `ReadableStream`. Longer ones are split. */
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

/** A value with one of these methods. */
interface Iterables {
  [Symbol.asyncIterator]?: () => Source;
  [Symbol.iterator]: () => Source;
}

/** Whether a value is sent item by item, not as a whole. */
export function isStream(value: unknown): value is object {
  const { asyncIterator, iterator } = Symbol;
  const object = value as { [asyncIterator]?: unknown; [iterator]?: unknown } | null | undefined;
  if (typeof object !== 'object' || object === null) return false;
  if (object instanceof ReadableStream || object[asyncIterator]) return true;
  // An array, for example, is sent as a whole.
  return !!object[iterator] && !tagOf(object);
}

/**
 * @param value - a value for which `isStream` is true
 * @throws TypeError for a `ReadableStream` that is already being read
 */
export function sourceOf(value: object): Source {
  if (value instanceof ReadableStream) return sourceOfStream(value);
  const { [Symbol.asyncIterator]: iterate, [Symbol.iterator]: list } = value as Iterables;
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
      if (!(value instanceof Uint8Array) || value.length <= PIECE) return { done, value };
      rest = value.subarray(PIECE);
      return { value: value.subarray(0, PIECE) };
    },
  };
}
