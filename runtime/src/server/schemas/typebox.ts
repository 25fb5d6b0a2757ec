/** Makes validators from schemas of TypeBox. */
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import type { Validator as TypeBoxValidator } from 'typebox/schema';
import { propertyPath } from '../../wire/values/paths.ts';
import { compileSchema } from './compile-schema.ts';
import { describeFound, pointerKeys, valueAt } from './found-value.ts';
import type { Issue, Validator } from './validator.ts';

/** Finds the error that helps most, and words it, in bundles for development. */
export interface ErrorExplainer {
  likelyError(validator: TypeBoxValidator, value: unknown): TLocalizedValidationError | undefined;
  /** The problem with a value that is too long or too short; `undefined` for another error. */
  sizeProblem(error: TLocalizedValidationError, found: unknown): string | undefined;
}

/**
 * @param explainer - left out in production
 * @throws TypeError for a value that is no schema
 */
export function typeboxValidator(schema: TSchema, explainer?: ErrorExplainer): Validator {
  const validator = compileSchema(schema);
  const { title } = validator.Schema() as { title?: unknown };
  return {
    title: typeof title === 'string' ? title : undefined,
    validate: (value) =>
      validator.Check(value) ? { value } : { issues: [issueOf(validator, value, explainer)] },
  };
}

/** Finds the problem of a value. This second validation is slower, and runs only for a value that does not fit. */
function issueOf(
  validator: TypeBoxValidator,
  value: unknown,
  explainer: ErrorExplainer | undefined,
): Issue {
  const error = explainer?.likelyError(validator, value) ?? validator.Errors(value)[1][0];
  // A definition has a number, which says nothing.
  if (!error || error.message.startsWith('must fit definition')) {
    return { path: '', message: 'does not fit its schema' };
  }
  const keys = pointerKeys(error.instancePath);
  if (error.keyword === 'required') keys.push(error.params.requiredProperties[0] ?? '');
  return { path: keys.map(propertyPath).join(''), message: messageOf(error, value, explainer) };
}

function messageOf(
  error: TLocalizedValidationError,
  value: unknown,
  explainer: ErrorExplainer | undefined,
): string {
  if (error.keyword === 'required') return 'is required';
  // A schema that is `false`, such as that of additional properties.
  if (error.keyword === 'boolean') return 'is not allowed';
  const isName = PROPERTY_NAMES.test(error.schemaPath);
  const found = isName
    ? pointerKeys(error.instancePath).at(-1)
    : valueAt(value, error.instancePath);
  const problem =
    explainer?.sizeProblem(error, found) ?? `${error.message}, got ${describeFound(found)}`;
  return isName ? `has a name that ${problem}` : problem;
}

/** In the path of a schema: the keyword whose schema is for the names of properties, not a property of this name. */
const PROPERTY_NAMES = /(?<!\/(?:properties|patternProperties))\/propertyNames(?:\/|$)/;
