/**
 * The value that an error of TypeBox is about, and what it is in words. Of all values, only numbers are shown: a
 * rejected secret must not get into a log.
 */
import type { TLocalizedValidationError } from 'typebox/error';
import { Guard } from 'typebox/guard';

/** @param pointer - the JSON pointer of an error */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce(
    (parent, key) => (parent as Record<string, unknown> | undefined)?.[key],
    value,
  );
}

/** The keys in the JSON pointer of an error. */
export function pointerKeys(pointer: string): string[] {
  const [, ...keys] = pointer.split('/');
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const NOUNS: Readonly<Record<string, string>> = {
  Length: 'character',
  Items: 'item',
  Properties: 'property',
};

/**
 * The problem with a value that is too long or too short; `undefined` for another error. Only bundles for development
 * have it.
 */
export function sizeProblem(
  { keyword, params }: TLocalizedValidationError,
  value: unknown,
): string | undefined {
  const [, bound, unit = ''] = /^(min|max)(Length|Items|Properties)$/.exec(keyword) ?? [];
  const noun = NOUNS[unit];
  if (!noun) return undefined;
  const { limit } = params as { limit: number };
  const most = bound === 'min' ? 'at least' : 'at most';
  return `must have ${most} ${count(limit, noun)}, got ${sizeOf(value)}`;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return lengthOf(value);
  return Array.isArray(value) ? value.length : Object.keys(Object(value)).length;
}

/** Describes the kind of a value and its size. */
export function describeFound(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'undefined':
      return String(value);
    case 'bigint':
      // A long bigint takes long to convert to text.
      return BigInt.asIntN(64, value) === value ? `${value}n` : 'a bigint';
    case 'string':
      return `a string of ${count(lengthOf(value), 'character')}`;
    case 'object':
      return describeObject(value);
    default:
      return `a ${typeof value}`;
  }
}

/**
 * The length in code points, as TypeBox counts it for `minLength`. For a long text it is in code units, because
 * counting code points would take long.
 */
function lengthOf(text: string): number {
  return text.length > 1_000 ? text.length : Guard.CodePointCount(text);
}

function describeObject(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${count(value.length, 'item')}`;
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind === 'Object') return `an object of ${count(Object.keys(value).length, 'property')}`;
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** `1 item`, `2 items`. */
function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.replace(/y$/, 'ie')}s`;
}
