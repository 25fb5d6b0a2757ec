/**
 * Writes a schema as a list of schemas without alternatives, so that each can be compared by its keywords.
 */
import { isDeepStrictEqual } from 'node:util';
import { isNothing, type LinkedSchema, type Named, namedIn, NOTHING } from './linked-schema.ts';

/** Keywords that hold alternatives, or schemas that apply together. */
const COMBINING = new Set(['anyOf', 'oneOf', 'allOf']);

/** The maximum number of alternatives of a schema. Nothing is proved about a schema with more. */
const MAX_ALTERNATIVES = 256;

/** Keywords whose greater value accepts less. */
export const LEAST = new Set(
  'minimum exclusiveMinimum minLength minItems minProperties minContains'.split(' '),
);
/** Keywords whose smaller value accepts less. */
export const MOST = new Set('maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' '));

/**
 * Returns a list of schemas without alternatives. Each value of the schema has to match a schema of the list.
 *
 * @param isAccepting - a schema with `oneOf` accepts less than its members
 * @returns `undefined` for a schema that cannot be written in this way
 */
export function alternativesOf(
  schema: LinkedSchema,
  isAccepting: boolean,
  within: ReadonlySet<LinkedSchema> = new Set(),
): LinkedSchema[] | undefined {
  if (isNothing(schema)) return [];
  // The schema contains itself as an alternative.
  if (within.has(schema)) return undefined;
  const seen = new Set([...within, schema]);
  const { type, anyOf, oneOf, allOf = [] } = schema as Combining;
  const base = Object.fromEntries(Object.entries(schema).filter(([name]) => !COMBINING.has(name)));
  let found: LinkedSchema[] = Array.isArray(type)
    ? type.map((one: unknown) => withKeyword(base, 'type', one))
    : [base];
  const choices = [anyOf, oneOf].filter((choice) => choice !== undefined);
  if (isAccepting && oneOf && !areApart(oneOf)) return undefined;
  for (const choice of [...choices, ...allOf.map((one) => [one])]) {
    const inner: LinkedSchema[] = [];
    for (const member of choice) {
      const alternatives = alternativesOf(member, isAccepting, seen);
      if (!alternatives) return undefined;
      inner.push(...alternatives);
    }
    const merged: LinkedSchema[] = [];
    for (const one of found) {
      for (const other of inner) {
        const both = intersect(one, other);
        if (!both) return undefined;
        if (!isNothing(both)) merged.push(both);
      }
    }
    if (merged.length > MAX_ALTERNATIVES) return undefined;
    found = merged;
  }
  return found;
}

interface Combining {
  readonly type?: unknown;
  readonly anyOf?: readonly LinkedSchema[];
  readonly oneOf?: readonly LinkedSchema[];
  readonly allOf?: readonly LinkedSchema[];
}

/**
 * Returns whether each value matches at most one of the schemas, because they differ in their types, or in the value of
 * a property.
 */
function areApart(members: readonly LinkedSchema[]): boolean {
  return members.every((one, index) =>
    members.slice(index + 1).every((other) => isApart(one, other)),
  );
}

function isApart(one: LinkedSchema, other: LinkedSchema): boolean {
  const { type, enum: values } = one as { type?: unknown; enum?: unknown[] };
  const { type: otherType, enum: otherValues } = other as { type?: unknown; enum?: unknown[] };
  const isSame = coversType(type, otherType) || coversType(otherType, type);
  if (typeof type === 'string' && typeof otherType === 'string' && !isSame) return true;
  if (values && otherValues) return !values.some((value) => otherValues.includes(value));
  const required = new Set((other['required'] ?? []) as string[]);
  const properties = namedIn(other, 'properties');
  return ((one['required'] ?? []) as string[])
    .filter((name) => required.has(name))
    .some((name) => {
      const mine = namedIn(one, 'properties')[name];
      const theirs = properties[name];
      return mine?.['enum'] && theirs?.['enum'] && isApart(mine, theirs);
    });
}

/** @returns a schema of the values that match both; `undefined` if it cannot be written */
function intersect(one: LinkedSchema, other: LinkedSchema): LinkedSchema | undefined {
  const both: Record<string, unknown> = { ...one };
  const areObjects = 'additionalProperties' in one || 'additionalProperties' in other;
  if (areObjects && !haveSameNames(one, other)) return undefined;
  for (const [keyword, operand] of Object.entries(other)) {
    const { [keyword]: own } = both;
    if (own === undefined) both[keyword] = operand;
    else if (keyword === 'type') {
      if (coversType(own, operand)) both[keyword] = operand;
      else if (!coversType(operand, own)) return NOTHING;
    } else if (LEAST.has(keyword)) both[keyword] = greater(own, operand);
    else if (MOST.has(keyword)) both[keyword] = greater(own, operand) === own ? operand : own;
    else if (keyword === 'required')
      both[keyword] = [...new Set([...(own as string[]), ...(operand as string[])])];
    else if (keyword === 'enum') {
      both[keyword] = (own as unknown[]).filter((value) => (operand as unknown[]).includes(value));
      if ((both[keyword] as unknown[]).length === 0) return NOTHING;
    } else if (keyword === 'properties') both[keyword] = together(own as Named, operand as Named);
    else if (!isDeepStrictEqual(own, operand)) return undefined;
  }
  return both;
}

function greater(one: unknown, other: unknown): unknown {
  return (one as number) > (other as number) ? one : other;
}

function haveSameNames(one: LinkedSchema, other: LinkedSchema): boolean {
  const bare = (schema: LinkedSchema): boolean =>
    schema['properties'] === undefined && schema['additionalProperties'] === undefined;
  if (bare(one) || bare(other)) return true;
  const names = (schema: LinkedSchema): string[] =>
    Object.keys(namedIn(schema, 'properties')).toSorted();
  return isDeepStrictEqual(names(one), names(other));
}

function together(one: Named, other: Named): Named {
  const both: Record<string, LinkedSchema> = { ...one };
  for (const [name, schema] of Object.entries(other)) {
    const { [name]: own } = both;
    both[name] = own ? { allOf: [own, schema] } : schema;
  }
  return both;
}

/** Returns a schema with another value of a keyword. */
function withKeyword(schema: LinkedSchema, keyword: string, operand: unknown): LinkedSchema {
  return { ...schema, [keyword]: operand };
}

/** Splits a schema of listed values, or of booleans, into one schema for each value. */
export function splitByValue(schema: LinkedSchema): LinkedSchema[] {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] };
  if (values) return values.map((value) => withKeyword(schema, 'enum', [value]));
  return type === 'boolean'
    ? [true, false].map((value) => withKeyword(schema, 'enum', [value]))
    : [schema];
}

/** Splits the schema of an object, if a required property has several listed values, into one schema for each value. */
export function splitByProperty(schema: LinkedSchema): LinkedSchema[] | undefined {
  const properties = namedIn(schema, 'properties');
  const name = ((schema['required'] ?? []) as string[]).find((one) => {
    const alternatives = properties[one] && alternativesOf(properties[one], false);
    return alternatives && alternatives.flatMap(splitByValue).length > 1;
  });
  if (name === undefined) return undefined;
  const values = alternativesOf(properties[name] as LinkedSchema, false)?.flatMap(splitByValue);
  if (!values || values.length > MAX_ALTERNATIVES) return undefined;
  return values.map((value) => withKeyword(schema, 'properties', { ...properties, [name]: value }));
}

/** Returns whether each value of the type `narrow` is a value of the type `wide`. */
export function coversType(wide: unknown, narrow: unknown): boolean {
  if (wide === undefined || wide === narrow) return true;
  if (wide === 'number') return narrow === 'integer';
  return (wide === 'void' || wide === 'undefined') && (narrow === 'void' || narrow === 'undefined');
}
