/**
 * Which error of a validation to report. TypeBox lists the errors of every member of a union, so the first one is
 * often about a member that was not meant. Imports TypeBox.
 */
import type { Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';

/** TypeBox keeps 8 errors, which is too few for a union with more members. */
const MAX_ERRORS = 256;

/** Values of a schema that an error lists; further ones are counted. */
const MAX_SHOWN = 10;

/** @returns the error to report; `undefined` if the value fits */
export function likelyError(
  validator: Validator,
  value: unknown,
): TLocalizedValidationError | undefined {
  const errors = validator.Errors(value);
  const { maxErrors } = Settings.Get();
  const [first] = errors;
  // Only the errors of a union have to be complete.
  if (errors.length < maxErrors || !first?.schemaPath.includes('/anyOf/'))
    return first && readable(errors);
  Settings.Set({ maxErrors: MAX_ERRORS });
  try {
    const all = validator.Errors(value);
    return readable(all.length > 0 ? all : errors);
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** The likely error of a list that is not empty. */
function readable(errors: TLocalizedValidationError[]): TLocalizedValidationError {
  return inUnion(errors) ?? explained(errors[0] as TLocalizedValidationError);
}

/** Replaces a message of TypeBox that does not say what the schema allows. */
function explained(error: TLocalizedValidationError): TLocalizedValidationError {
  if (isOneOf(error)) return { ...error, message: `must be ${listed(valuesOf(error))}` };
  if (error.message !== 'Refine Error') return error;
  return { ...error, message: 'must pass the check of its Type.Refine' };
}

/** The likely error, if the first error is about a member of a union. */
function inUnion(errors: TLocalizedValidationError[]): TLocalizedValidationError | undefined {
  const [first] = errors;
  // The error of a union comes after those of its members, so the last one is the outermost.
  const end = errors.findLastIndex(
    ({ keyword, schemaPath, instancePath }) =>
      keyword === 'anyOf' &&
      first?.schemaPath.startsWith(`${schemaPath}/anyOf/`) &&
      `${first.instancePath}/`.startsWith(`${instancePath}/`),
  );
  const union = errors[end];
  if (!union) return undefined;
  const members = Map.groupBy(errors.slice(0, end), ({ schemaPath }) =>
    memberOf(union, schemaPath),
  );
  const refusals: TLocalizedValidationError[] = [];
  const meant: TLocalizedValidationError[][] = [];
  for (const [member, found] of members) {
    const refusal = refusalOf(union, member, found);
    if (refusal) refusals.push(refusal);
    else meant.push(found);
  }
  const likely = meant.find((found) => !lacksProperty(union, found)) ?? meant[0];
  return likely ? readable(likely) : together(refusals);
}

/** @returns the path of the member's schema */
function memberOf(union: TLocalizedValidationError, schemaPath: string): string {
  const start = `${union.schemaPath}/anyOf/`;
  return start + schemaPath.slice(start.length).split('/')[0];
}

/**
 * The error that shows that a member was not meant: the value is of another type, or a property such as `kind` has
 * a value of another member.
 */
function refusalOf(
  union: TLocalizedValidationError,
  member: string,
  errors: TLocalizedValidationError[],
): TLocalizedValidationError | undefined {
  const refusals = errors.filter((error) => {
    const place = error.instancePath.slice(union.instancePath.length);
    if (error.schemaPath !== member + place.replaceAll('/', '/properties/')) return false;
    return isOneOf(error) || (error.keyword === 'type' && place === '');
  });
  return refusals.find(isOneOf) ?? refusals[0];
}

function lacksProperty(
  union: TLocalizedValidationError,
  errors: TLocalizedValidationError[],
): boolean {
  return errors.some(
    ({ keyword, instancePath }) => keyword === 'required' && instancePath === union.instancePath,
  );
}

/** One error for the refusals of all members. Those about a property say more than those about the whole value. */
function together(refusals: TLocalizedValidationError[]): TLocalizedValidationError | undefined {
  const [deepest] = refusals.toSorted((a, b) => depthOf(b) - depthOf(a));
  if (!deepest) return undefined;
  const path = deepest.instancePath;
  const values = refusals.filter(({ instancePath }) => instancePath === path).flatMap(valuesOf);
  return { ...deepest, message: `must be ${listed(values)}` };
}

function depthOf({ instancePath }: TLocalizedValidationError): number {
  return instancePath.split('/').length;
}

function isOneOf({ keyword }: TLocalizedValidationError): boolean {
  return keyword === 'const' || keyword === 'enum';
}

/** The values, or the types, that a schema allows, as text. */
function valuesOf({ keyword, params }: TLocalizedValidationError): string[] {
  const { allowedValue, allowedValues, type } = params as Record<string, unknown>;
  if (keyword === 'type') return [type].flat().map(String);
  const values = keyword === 'const' ? [allowedValue] : (allowedValues as unknown[]);
  return values.map((value) => (typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)));
}

function listed(values: string[]): string {
  const shown = [...new Set(values)];
  const more = shown.splice(MAX_SHOWN).length;
  if (more > 0) shown.push(more === 1 ? '1 other value' : `${more} other values`);
  const last = shown.pop();
  return shown.length > 0 ? `${shown.join(', ')} or ${last}` : `${last}`;
}
