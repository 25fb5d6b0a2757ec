/**
 * Errors for an argument that does not match its schema: its path, what was expected, and what kind of value
 * arrived.
 */
import type { TValidationError } from 'typebox/error';
import { Guard } from 'typebox/guard';
import type { Validator } from 'typebox/schema';
import type { RpcError } from '../../wire/errors.ts';
import { propertyPath } from '../../wire/paths.ts';
import { explanations } from '../explanations.ts';
import { partAt, pointerKeys } from './pointers.ts';
import { refusal } from '../calls/refusal.ts';

export function invalid(method: string, path: string, problem: string): RpcError {
  return refusal('INVALID_ARGUMENTS', `${method}: ${problem}`, { path });
}

/** @param expected - the expected kind of value, such as `a stream` */
export function unfit(method: string, path: string, expected: string, value: unknown): RpcError {
  return invalid(method, path, `argument ${path} must be ${expected}, got ${describe(value)}`);
}

/**
 * Finds the problem of a value that failed validation. This second validation is slower, and runs only for
 * such a value.
 *
 * @param root - the path of the value
 * @param what - the text before the path in the message. Default: `argument`, and the title of its schema.
 */
export function firstError(
  method: string,
  validator: Validator,
  value: unknown,
  root: string,
  what = nameOf('argument', validator),
): RpcError {
  const error = explanations?.likelyError(validator, value) ?? validator.Errors(value)[1][0];
  // A definition has a number, which says nothing.
  if (!error || error.message.startsWith('must fit definition'))
    return invalid(method, root, `${what} ${root} does not fit its schema`);
  const path = root + pointerToPath(error.instancePath);
  if (error.keyword === 'required') {
    const absent = path + propertyPath(error.params.requiredProperties[0] ?? '');
    return invalid(method, absent, `${what} ${absent} is required`);
  }
  // A schema that is `false`, such as that of additional properties.
  if (error.keyword === 'boolean') return invalid(method, path, `${what} ${path} is not allowed`);
  const isName = PROPERTY_NAMES.test(error.schemaPath);
  const found = isName ? pointerKeys(error.instancePath).at(-1) : partAt(value, error.instancePath);
  const problem = sizeProblem(error, found) ?? `${error.message}, got ${describe(found)}`;
  return invalid(method, path, `${what} ${path} ${isName ? 'has a name that ' : ''}${problem}`);
}

/** In the path of a schema: the keyword whose schema is for the names of properties, not a property of this name. */
const PROPERTY_NAMES = /(?<!\/(?:properties|patternProperties))\/propertyNames(?:\/|$)/;

/** `argument quantity` if the schema has the title `quantity`, else `argument`. */
export function nameOf(what: string, validator: Validator): string {
  const { title } = validator.Schema() as { title?: unknown };
  return typeof title === 'string' ? `${what} ${title}` : what;
}

const NOUNS: Readonly<Record<string, string>> = {
  Length: 'character',
  Items: 'item',
  Properties: 'property',
};

/** The problem with a value that is too long or too short; `undefined` for another error. */
function sizeProblem({ keyword, params }: TValidationError, value: unknown): string | undefined {
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

function pointerToPath(pointer: string): string {
  return pointerKeys(pointer).map(propertyPath).join('');
}

/**
 * Describes the kind of a value and its size. Of all values, only numbers are shown: a rejected secret must not
 * get into a log.
 */
function describe(value: unknown): string {
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
