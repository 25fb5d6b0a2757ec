/** Explains to a developer why a result cannot be sent. Bundles for production do not have these explanations. */
import { rejection } from '../base/rejection.ts';
import type { RpcError } from '../../wire/errors.ts';
import { propertyPath } from '../../wire/values/paths.ts';
import { isExactPrimitive } from '../../wire/values/plain.ts';

/** Hints, by patterns of the encoder's messages. */
const HINTS: [RegExp, string][] = [
  [/send its body$/, ' as the stream that the method returns, or send its text: await it.text()'],
  [
    /an instance of (ReadableStream|\w*Generator) /,
    ': return the stream itself, from a method that the contract lists by stream([…]), or collect its items in an array',
  ],
  // `FeedOfObject` is the class of feeds in `feed.ts`.
  [
    /an instance of FeedOfObject /,
    ': return the feed itself, from a method that the contract lists by events([…])',
  ],
  [/ (an instance of|a custom object)\b[^:]*$/, ': return its data as a plain object'],
];

/** Returns the hint to add to a message of the encoder. */
export function hintFor(message: string): string | undefined {
  return HINTS.find(([pattern]) => pattern.test(message))?.[1];
}

/** Adds a hint to an error of the encoder. Other errors stay as they are. */
export function addHint(error: unknown): unknown {
  try {
    const { code, message, path } = error as Partial<RpcError>;
    const hint = code === 'UNSERIALIZABLE' && hintFor(`${message}`);
    if (hint) return rejection('UNSERIALIZABLE', `${message}${hint}`, { path });
  } catch {
    // A method may throw any value, such as `undefined` or an object whose properties cannot be read.
  }
  return error;
}

/** @throws RpcError `UNSERIALIZABLE` for the result of a `plain` method that JSON does not represent exactly */
export function checkPlain(result: unknown, method: string): void {
  const path = result === undefined ? undefined : pathToNonPlain(result, new Set());
  if (path === undefined) return;
  const problem = `The result of ${method} is not plain at ${path || 'top'}`;
  const instead = "return what JSON represents, or remove plain from the method's contract";
  throw rejection('UNSERIALIZABLE', `${problem}: ${instead}`, { path });
}

/**
 * Finds a part that is not plain in a value of any size: see `isPlain`.
 *
 * @param met - the objects before the value
 * @returns the path to the first part that is not plain; `undefined` if there is none
 */
function pathToNonPlain(value: unknown, met: Set<object>): string | undefined {
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
