/** Paths to a part of a value. Writes a path as text, and looks up the part at a path. */

/** Returns one step of a path as text: `.name`, or `[3]` or `["odd name"]` if the key is not an identifier. */
export function propertyPath(key: string): string {
  if (/^[a-z_$][\w$]*$/i.test(key)) return `.${key}`;
  return `[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`;
}

/**
 * Looks up a part of a value. It follows only own data properties: it runs no getter and reads no inherited property.
 *
 * @returns the part at the path, or `undefined` for a missing property
 * @throws TypeError when the path leads through `null` or `undefined`
 */
export function readPath(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (current === null || current === undefined) {
      throw new TypeError(`Cannot read '${key}' of ${current}`);
    }
    current = Object.getOwnPropertyDescriptor(current, key)?.value;
  }
  return current;
}
