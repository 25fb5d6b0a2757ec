/** Finds what is not plain in a result, in development. */
import { propertyPath } from '../../wire/paths.ts';
import { isExact } from '../../wire/plain.ts';

/**
 * Like `isPlain`, but of any size.
 *
 * @param met - the objects before the value
 * @returns the path to the first part that is not plain; `undefined` if there is none
 */
export function pathToRich(value: unknown, met: Set<object>): string | undefined {
  if (typeof value !== 'object' || value === null) return isExact(value) ? undefined : '';
  const prototype = Array.isArray(value) ? Array.prototype : Object.prototype;
  if (met.has(value) || Object.getPrototypeOf(value) !== prototype) return '';
  met.add(value);
  // A hole is a key of an array here, and reads as `undefined`.
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const part = (value as Record<string | number, unknown>)[key];
    const path = key === '__proto__' ? '' : pathToRich(part, met);
    if (path !== undefined) return propertyPath(String(key)) + path;
  }
  return undefined;
}
