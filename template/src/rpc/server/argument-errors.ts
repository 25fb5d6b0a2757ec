/**
 * What a caller is told of an argument that does not fit: where it is wrong, what was expected, and
 * what kind of value came instead. Imports TypeBox, refusal and wire/.
 */
import type { Validator } from 'typebox/compile';
import { Guard } from 'typebox/guard';
import type { RpcError } from '../wire/errors.ts';
import { propertyPath } from '../wire/paths.ts';
import { refusal } from './refusal.ts';

export function invalid(method: string, path: string, problem: string): RpcError {
  return refusal('INVALID_ARGUMENTS', `${method}: ${problem}`, { path });
}

/** @param expected - what the argument is to be */
export function unfit(method: string, path: string, expected: string, value: unknown): RpcError {
  return invalid(method, path, `argument ${path} must be ${expected}, got ${describe(value)}`);
}

/**
 * Runs only for a value that failed: a second, slower look that says where and why.
 *
 * @param root - the way to the value
 * @param what - the value is, before the way to it
 */
export function firstError(
  method: string,
  validator: Validator,
  value: unknown,
  root: string,
  what = 'argument',
): RpcError {
  const [error] = validator.Errors(value);
  if (!error) return invalid(method, root, `${what} ${root} does not fit its schema`);
  let path = root + pointerToPath(error.instancePath);
  let problem = `${error.message}, got ${describe(at(value, error.instancePath))}`;
  if (error.keyword === 'required') {
    path += propertyPath(error.params.requiredProperties[0] ?? '');
    problem = 'is required';
  }
  return invalid(method, path, `${what} ${path} ${problem}`);
}

function pointerToPath(pointer: string): string {
  return pointerKeys(pointer)
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : propertyPath(key)))
    .join('');
}

function pointerKeys(pointer: string): string[] {
  const [, ...keys] = pointer.split('/');
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(value: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce(
    (parent, key) => (parent as Record<string, unknown> | undefined)?.[key],
    value,
  );
}

/**
 * The kind of a value and its size, but of numbers not the value: a refused secret must not end in
 * a log.
 */
function describe(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'undefined':
      return String(value);
    case 'bigint':
      // A long one takes long to write.
      return BigInt.asIntN(64, value) === value ? `${value}n` : 'a bigint';
    case 'string':
      return `a string of ${count(lengthOf(value), 'character')}`;
    case 'object':
      return describeObject(value);
    default:
      return `a ${typeof value}`;
  }
}

/** As TypeBox counts, so that it agrees with `minLength`; of a long text the count would take long. */
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
