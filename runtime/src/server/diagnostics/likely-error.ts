/**
 * Which error of a validation to report. TypeBox lists the errors of every member of a union, so the first one is
 * often about a member that was not meant.
 */
import type { TLocalizedValidationError } from 'typebox/error';
import type { Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { valueAt } from '../schemas/found-value.ts';
import { type Definition, definitionOf, withValidationCache } from '../schemas/compile-schema.ts';

/** TypeBox keeps 8 errors, which is too few for a union with more members. */
const MAX_ERRORS = 256;

/** Values of a schema that an error lists; further ones are counted. */
const MAX_SHOWN = 10;

/**
 * Follows the errors of definitions into the value, one definition at a time: TypeBox would look for the errors in
 * all members of all unions.
 *
 * @param validator - made by `compileSchema`
 * @returns the error to report; `undefined` if the value fits
 */
export function likelyError(
  validator: Validator,
  value: unknown,
): TLocalizedValidationError | undefined {
  return withValidationCache(() => {
    let error = errorOf(validator, value);
    const passed = new Map<Definition, Set<unknown>>();
    for (;;) {
      const definition = error && definitionOf(error.message);
      if (!error || !definition) return error;
      const place = error.instancePath;
      const part = valueAt(value, place);
      const parts = passed.get(definition) ?? new Set();
      passed.set(definition, parts);
      const inner = parts.has(part) ? undefined : errorOf(definition.validator, part);
      if (!inner) return { ...error, message: 'must not contain itself' };
      parts.add(part);
      error = { ...inner, instancePath: place + inner.instancePath };
    }
  });
}

/** The error of a value, which can be that it does not fit a definition. */
function errorOf(validator: Validator, value: unknown): TLocalizedValidationError | undefined {
  const errors = listErrors(validator, value);
  return errors.length > 0 ? readable(errors) : undefined;
}

function listErrors(validator: Validator, value: unknown): TLocalizedValidationError[] {
  const [, errors] = validator.Errors(value);
  const { maxErrors } = Settings.Get();
  // Only the errors of a union have to be complete.
  if (errors.length < maxErrors || !errors[0]?.schemaPath.includes('/anyOf/')) {
    return withMembers(errors, value);
  }
  Settings.Set({ maxErrors: MAX_ERRORS });
  try {
    const [, all] = validator.Errors(value);
    return withMembers(all.length > 0 ? all : errors, value);
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** Replaces the error that a member of a union is a definition which does not fit by the errors of the definition. */
function withMembers(
  errors: TLocalizedValidationError[],
  value: unknown,
): TLocalizedValidationError[] {
  return errors.flatMap((error) => {
    const isMember = /\/anyOf\/\d+$/.test(error.schemaPath);
    const definition = isMember ? definitionOf(error.message) : undefined;
    return definition ? errorsWithin(definition, error, value) : [error];
  });
}

function errorsWithin(
  { validator }: Definition,
  error: TLocalizedValidationError,
  value: unknown,
): TLocalizedValidationError[] {
  const { schemaPath, instancePath } = error;
  const inner = listErrors(validator, valueAt(value, instancePath));
  for (const one of inner) {
    one.schemaPath = schemaPath + one.schemaPath.slice(1);
    one.instancePath = instancePath + one.instancePath;
  }
  return inner.length > 0 ? inner : [error];
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
  const members = new Map<string, TLocalizedValidationError[]>();
  for (const error of errors.slice(0, end)) {
    const member = memberOf(union, error.schemaPath);
    const found = members.get(member);
    if (found) found.push(error);
    else members.set(member, [error]);
  }
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
