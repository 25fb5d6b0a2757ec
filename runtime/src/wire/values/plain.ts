/**
 * Plain data: values that JSON represents exactly. Most calls contain nothing else, so they are sent as plain JSON. The
 * check is up to 50 % faster than writing the JSON, and never slower, measured for values from one number to 10 000
 * rows. In code that V8 has not optimized, it takes about twice as long as writing the JSON, measured for 10 KiB.
 */

/** The general codec sends a value that exceeds these limits. It detects cycles, and reports paths. */
const MAX_DEPTH = 100;
const MAX_OBJECTS = 100_000;

/**
 * Returns whether JSON represents a value and everything in it exactly. The value contains no `undefined`, `NaN`, `-0`,
 * class instance, hole or `__proto__` key. No object occurs twice, since it would arrive as two objects. Symbol keys
 * are ignored, as in structured clone.
 */
export function isPlain(value: unknown): boolean {
  const objects: object[] = [];
  if (!collectPlain(value, objects, 0)) return false;
  return objects.length < 2 || new Set(objects).size === objects.length;
}

/** Returns whether a value is an object, and not a function. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function collectPlain(value: unknown, objects: object[], depth: number): boolean {
  if (typeof value !== 'object' || value === null) return isExactPrimitive(value);
  if (depth > MAX_DEPTH || objects.push(value) > MAX_OBJECTS) return false;
  if (Array.isArray(value)) {
    // A hole is read as `undefined`, which is not plain.
    for (let index = 0; index < value.length; index++) {
      if (!collectPlain(value[index], objects, depth + 1)) return false;
    }
    return Object.getPrototypeOf(value) === Array.prototype;
  }
  if (!isObjectPrototype(Object.getPrototypeOf(value) as object | null)) return false;
  for (const key in value) {
    const part = (value as Record<string, unknown>)[key];
    if (key === '__proto__' || !collectPlain(part, objects, depth + 1)) return false;
  }
  return true;
}

/**
 * Returns whether a prototype is the prototype of plain objects. The prototype may be of another
 * realm, such as an iframe. Jest runs tests in a realm of their own, and `response.json()` creates objects outside of it. No class can imitate such a prototype, which
 * is at the end of its chain and has the members of every object.
 */
export function isObjectPrototype(prototype: object | null): boolean {
  return (
    prototype === Object.prototype ||
    (!!prototype && !Object.getPrototypeOf(prototype) && Object.hasOwn(prototype, 'isPrototypeOf'))
  );
}

/** Returns the name of a value's built-in class, which is the same in each realm: `Date` for each `Date`. */
export function builtInName(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Returns whether a value is a primitive that JSON represents exactly. */
export function isExactPrimitive(value: unknown): boolean {
  if (typeof value === 'number') {
    return value === 0 ? !Object.is(value, -0) : Number.isFinite(value);
  }
  return typeof value === 'string' || typeof value === 'boolean' || value === null;
}
