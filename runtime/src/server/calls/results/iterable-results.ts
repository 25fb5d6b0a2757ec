/** Recognizes results that are read item by item, and ends such a result if it will not be read. */
import { isObject } from '../../../wire/values/plain.ts';
import { isThenable, tagOf } from '../../../wire/values/tags.ts';

/**
 * Returns whether a value is read item by item. Some iterables are sent as a whole instead: arrays, strings, Map,
 * Set, typed arrays, URLSearchParams and Headers.
 */
export function isStream(value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  if (isReadable(value) || Symbol.asyncIterator in value) return true;
  if (!(Symbol.iterator in value)) return false;
  const tag = tagOf(value);
  return tag === undefined || tag === 'Object' || tag === 'Null';
}

function isReadable(value: unknown): value is ReadableStream<unknown> {
  return value instanceof ReadableStream;
}

/** Ends a result that will not be read, if it is a stream. Its errors are only printed to the console. */
export function disposeUnread(result: unknown): void {
  if (isThenable(result)) void Promise.resolve(result).then(disposeUnread).catch(logError);
  else if (isStream(result)) endStream(result as object);
}

/** Ends a stream that will not be read. Its errors are only printed to the console. */
function endStream(stream: object): void {
  try {
    const ended = isReadable(stream) ? stream.cancel() : iteratorOf(stream).return?.();
    if (isThenable(ended)) void Promise.resolve(ended).catch(logError);
  } catch (failure) {
    logError(failure);
  }
}

export function iteratorOf(stream: object): AsyncIterator<unknown> | Iterator<unknown> {
  const iterable = stream as AsyncIterable<unknown> & Iterable<unknown>;
  return (iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator]).call(iterable);
}

/** Prints an error that no caller can receive. */
function logError(failure: unknown): void {
  console.error(failure);
}
