/** Finds a value in arguments, for errors about a value that no schema allows. */
import { propertyPath } from '../../wire/values/paths.ts';

/**
 * Finds a value in arguments, for example a function or a stream.
 *
 * @param isSought - called with each value in the arguments
 * @returns the path to the value, or to the Map or Set that contains it; `undefined` if there is none
 */
export function pathTo(
  args: readonly unknown[],
  isSought: (found: unknown) => boolean,
): string | undefined {
  const seen = new Set<unknown>();
  const search = (value: unknown, path: string): string | undefined => {
    if (isSought(value)) return path;
    if (typeof value !== 'object' || value === null || seen.has(value)) return undefined;
    seen.add(value);
    for (const [step, inner] of partsOf(value)) {
      const found = search(inner, path + step);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(args, '');
}

/** Returns the parts of a value, each with its step in the path. */
function partsOf(value: object): Iterable<[step: string, inner: unknown]> {
  if (value instanceof Map || value instanceof Set) {
    return [...value.entries()].flat().map((inner) => ['', inner]);
  }
  if (ArrayBuffer.isView(value)) return [];
  // Some properties are not enumerable, such as an error's `cause`.
  return Object.getOwnPropertyNames(value).map((key) => {
    const step = propertyPath(key);
    return [step, Object.getOwnPropertyDescriptor(value, key)?.value];
  });
}
