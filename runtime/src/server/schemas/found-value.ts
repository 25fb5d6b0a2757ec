/**
 * Describes values for errors. Only numbers are shown as they are, so that a rejected secret does not get into a log.
 */

/** Describes the kind of a value and its size. */
export function describeFound(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'undefined':
      return String(value);
    case 'bigint':
      // Converting a long bigint to text takes long.
      return BigInt.asIntN(64, value) === value ? `${value}n` : 'a bigint';
    case 'string':
      return `a string of ${count(sizeOf(value), 'character')}`;
    case 'object':
      return describeObject(value);
    default:
      return `a ${typeof value}`;
  }
}

/**
 * Returns the number of characters, items or properties. A long text is counted in code units, because counting code
 * points would take long.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length > 1_000 ? value.length : lengthOf(value);
  return Array.isArray(value) ? value.length : Object.keys(Object(value)).length;
}

/** Returns the length of a text in code points. */
export function lengthOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function describeObject(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${count(value.length, 'item')}`;
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind === 'Object') return `an object of ${count(sizeOf(value), 'property')}`;
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** Returns a number with its noun: `1 item`, `2 items`. */
export function count(number: unknown, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number as number} ${noun.replace(/y$/, 'ie')}s`;
}
