/** What explains to a developer why a result cannot be sent. Bundles for production have none of it. */
import { propertyPath } from '../../wire/values/paths.ts';
import { isExactPrimitive } from '../../wire/values/plain.ts';

/** Hints, by patterns of the encoder's messages. */
const HINTS: [RegExp, string][] = [
  [/send its body$/, ' as the stream that the method returns, or send its text: await it.text()'],
  [
    /an instance of (ReadableStream|\w*Generator) /,
    ': return the stream itself, from a method that the contract lists by stream([…]), or collect its items in an array',
  ],
  // The class of `feed.ts`.
  [
    /an instance of FeedOfObject /,
    ': return the feed itself, from a method that the contract lists by events([…])',
  ],
  [/ (an instance of|a custom object)\b[^:]*$/, ': return its data as a plain object'],
];

/** What to add to a message of the encoder. */
export function hintFor(message: string): string | undefined {
  return HINTS.find(([pattern]) => pattern.test(message))?.[1];
}

/**
 * Finds what is not plain in a value of any size: see `isPlain`.
 *
 * @param met - the objects before the value
 * @returns the path to the first part that is not plain; `undefined` if there is none
 */
export function pathToNonPlain(value: unknown, met: Set<object>): string | undefined {
  if (typeof value !== 'object' || value === null) return isExactPrimitive(value) ? undefined : '';
  const prototype = Array.isArray(value) ? Array.prototype : Object.prototype;
  if (met.has(value) || Object.getPrototypeOf(value) !== prototype) return '';
  met.add(value);
  // A hole is a key of an array here, and reads as `undefined`.
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const part = (value as Record<string | number, unknown>)[key];
    const path = key === '__proto__' ? '' : pathToNonPlain(part, met);
    if (path !== undefined) return propertyPath(String(key)) + path;
  }
  return undefined;
}
