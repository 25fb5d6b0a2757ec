/** Ways to a part of a value: written for people, and followed. Imports nothing. */

/** A key as a step of a written path: `.name`, or `["odd name"]` where a dot would not do. */
export function propertyPath(key: string): string {
  return /^[a-z_$][\w$]*$/i.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/**
 * Follows own data properties only: no getter runs, and nothing inherited is reached.
 *
 * @returns what is there, or `undefined` for a property that is missing
 * @throws TypeError when the way leads through `null` or `undefined`
 */
export function readPath(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (current === null || current === undefined) {
      throw new TypeError(`Cannot read properties of ${current} (reading '${key}')`);
    }
    current = Object.getOwnPropertyDescriptor(Object(current), key)?.value;
  }
  return current;
}
