/**
 * Errors for an argument that does not match its schema: its path, what was expected, and what kind of value arrived.
 */
import type { TLocalizedValidationError } from 'typebox/error';
import type { Validator } from 'typebox/schema';
import type { RpcError } from '../../wire/errors.ts';
import { propertyPath } from '../../wire/values/paths.ts';
import { refusal } from '../base/refusal.ts';
import { explanations } from '../diagnostics/explanations.ts';
import { describeFound, partAt, pointerKeys } from './found-value.ts';

export function invalidArgument(method: string, path: string, problem: string): RpcError {
  return refusal('INVALID_ARGUMENTS', `${method}: ${problem}`, { path });
}

/** @param expected - the expected kind of value, such as `a stream` */
export function invalidKind(
  method: string,
  path: string,
  expected: string,
  value: unknown,
): RpcError {
  return invalidArgument(
    method,
    path,
    `argument ${path} must be ${expected}, got ${describeFound(value)}`,
  );
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
  what = labelOf('argument', validator),
): RpcError {
  const error = explanations?.likelyError(validator, value) ?? validator.Errors(value)[1][0];
  // A definition has a number, which says nothing.
  if (!error || error.message.startsWith('must fit definition'))
    return invalidArgument(method, root, `${what} ${root} does not fit its schema`);
  const keys = pointerKeys(error.instancePath);
  if (error.keyword === 'required') keys.push(error.params.requiredProperties[0] ?? '');
  const path = root + keys.map(propertyPath).join('');
  return invalidArgument(method, path, `${what} ${path} ${problemOf(error, value)}`);
}

function problemOf(error: TLocalizedValidationError, value: unknown): string {
  if (error.keyword === 'required') return 'is required';
  // A schema that is `false`, such as that of additional properties.
  if (error.keyword === 'boolean') return 'is not allowed';
  const isName = PROPERTY_NAMES.test(error.schemaPath);
  const found = isName ? pointerKeys(error.instancePath).at(-1) : partAt(value, error.instancePath);
  const problem =
    explanations?.sizeProblem(error, found) ?? `${error.message}, got ${describeFound(found)}`;
  return isName ? `has a name that ${problem}` : problem;
}

/** In the path of a schema: the keyword whose schema is for the names of properties, not a property of this name. */
const PROPERTY_NAMES = /(?<!\/(?:properties|patternProperties))\/propertyNames(?:\/|$)/;

/** `argument quantity` if the schema has the title `quantity`, else `argument`. */
export function labelOf(what: string, validator: Validator): string {
  const { title } = validator.Schema() as { title?: unknown };
  return typeof title === 'string' ? `${what} ${title}` : what;
}
