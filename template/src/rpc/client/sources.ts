/** What gives the items of a stream that is an argument. Imports wire/. */
import { tagOf } from '../wire/tags.ts';

/** The bytes of a `ReadableStream` leave in pieces of so many at most. */
const PIECE = 65_536;

/** What gives the items. */
export interface Source {
  next(): Result | Promise<Result>;
  return?(): unknown;
}

interface Result {
  done?: boolean | undefined;
  value?: unknown;
}

/** What has one method or the other. */
interface Iterables {
  [Symbol.asyncIterator]?: () => Source;
  [Symbol.iterator]: () => Source;
}

/** Whether a value gives items, and is not sent as it is. */
export function isStream(value: unknown): value is object {
  const { asyncIterator, iterator } = Symbol;
  const object = value as { [asyncIterator]?: unknown; [iterator]?: unknown } | null | undefined;
  if (typeof object !== 'object' || object === null) return false;
  if (object instanceof ReadableStream || object[asyncIterator]) return true;
  // An array, for one, is a value.
  return !!object[iterator] && !tagOf(object);
}

/**
 * @param value - for which `isStream` holds
 * @throws TypeError for a `ReadableStream` that is being read
 */
export function sourceOf(value: object): Source {
  if (value instanceof ReadableStream) return sourceOfStream(value);
  const { [Symbol.asyncIterator]: iterate, [Symbol.iterator]: list } = value as Iterables;
  return (iterate ?? list).call(value);
}

function sourceOfStream(stream: ReadableStream<unknown>): Source {
  const reader = stream.getReader();
  /** Of bytes that were too many. */
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
