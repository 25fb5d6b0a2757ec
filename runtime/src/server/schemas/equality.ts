/** Compares values as JSON Schema does, for `const`, `enum` and `uniqueItems`. */

/**
 * Returns whether no two of the values are equal, in time linear in their size. The order of properties does not matter.
 * Objects other than arrays and plain objects are equal to themselves alone, and so are objects that contain themselves.
 */
export function areUnique(values: readonly unknown[]): boolean {
  /** The number of each object, and of each list of parts: equal objects have the same number. */
  const numbers = new Map<unknown, number>();
  const numberOf = (object: object): number => {
    const known = numbers.get(object);
    if (known !== undefined) return known;
    const own = numbers.size;
    numbers.set(object, own);
    const parts = partsOf(object, numberOf);
    if (parts === undefined) return own;
    const number = numbers.get(parts) ?? own;
    numbers.set(parts, number).set(object, number);
    return number;
  };
  const primitives = new Set<unknown>();
  const objects = new Set<number>();
  for (const value of values) {
    if (isObject(value)) objects.add(numberOf(value));
    else primitives.add(value);
  }
  return primitives.size + objects.size === values.length;
}

export function areEqual(one: unknown, other: unknown): boolean {
  return !areUnique([one, other]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns the parts of an object as text with a number for each object; `undefined` for an object of another class. */
function partsOf(object: object, numberOf: (object: object) => number): string | undefined {
  const textOf = (value: unknown): string => {
    if (isObject(value)) return `#${numberOf(value)}`;
    return typeof value === 'string' ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
  };
  if (Array.isArray(object)) return `[${Array.from(object, textOf).join()}]`;
  if (object instanceof Date) return `Date ${+object}`;
  if (Object.prototype.toString.call(object) !== '[object Object]') return undefined;
  const entries = Object.entries(object).map(([key, value]) => textOf(key) + textOf(value));
  return `{${entries.toSorted().join()}}`;
}
