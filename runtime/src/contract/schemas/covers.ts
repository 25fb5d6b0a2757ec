/**
 * Proves that a schema accepts every value that another one describes. It knows the keywords that builders of schemas
 * write. A keyword that it does not know has to be equal in both.
 */
import { isDeepStrictEqual } from 'node:util';
import { jsonValidator } from '../../server/schemas/json-schema.ts';
import { REFINED, UNREADABLE } from '../written-schema.ts';
import { type LinkedSchema, NOTHING, UNRESOLVED } from './linked-schema.ts';

/** Keywords that hold alternatives, or schemas that apply together. */
const COMBINING = new Set(['anyOf', 'oneOf', 'allOf']);

/** At most as many alternatives does a schema become. A schema with more is not proved. */
const MAX_ALTERNATIVES = 256;

type Named = Readonly<Record<string, LinkedSchema>>;

/** Keywords whose greater value accepts less. */
const LEAST = new Set(
  'minimum exclusiveMinimum minLength minItems minProperties minContains'.split(' '),
);
/** Keywords whose smaller value accepts less. */
const MOST = new Set('maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' '));

/** Keywords that `#coversOne` reads together. */
const TOGETHER = new Set(
  `type enum properties required additionalProperties items prefixItems parameters returnType ${REFINED}`.split(
    ' ',
  ),
);

export class Covering {
  /** By wider schema, the schemas that it covers, or whose proof is under way: a schema can contain itself. */
  readonly #assumed = new Map<LinkedSchema, Set<LinkedSchema>>();
  /** The same pairs in their order. A proof that fails takes back what was proved with its help. */
  readonly #trail: (readonly [wide: LinkedSchema, narrow: LinkedSchema])[] = [];

  /**
   * Whether `wide` accepts each value that is sent by `narrow`. An object is sent with the properties that its schema
   * names, and with others only if the schema says so.
   *
   * @returns false also if it cannot be proved
   */
  covers(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    if (wide === narrow || isAnything(wide) || isNothing(narrow)) return true;
    const assumed = this.#assumed.get(wide) ?? new Set();
    this.#assumed.set(wide, assumed);
    if (assumed.has(narrow)) return true;
    const before = this.#trail.length;
    assumed.add(narrow);
    this.#trail.push([wide, narrow]);
    if (this.#coversAll(wide, narrow)) return true;
    for (const [one, other] of this.#trail.splice(before)) this.#assumed.get(one)?.delete(other);
    return false;
  }

  #coversAll(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    const alternatives = alternativesOf(narrow, false);
    const accepting = alternativesOf(wide, true);
    if (!alternatives || !accepting) return false;
    return alternatives.flatMap(splitByValue).every((one) => this.#isCovered(one, accepting));
  }

  #isCovered(narrow: LinkedSchema, accepting: readonly LinkedSchema[]): boolean {
    if (accepting.some((wide) => this.#coversOne(wide, narrow))) return true;
    // An object whose property has several values may be covered value by value.
    const parts = splitByProperty(narrow);
    return parts !== undefined && parts.every((part) => this.#isCovered(part, accepting));
  }

  /** Both without alternatives. */
  #coversOne(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    if (isAnything(wide)) return true;
    const { enum: values } = narrow as { enum?: unknown[] };
    if (values?.every(isScalar)) return values.every((value) => acceptsScalar(wide, value));
    if (wide['enum'] !== undefined && !isDeepStrictEqual(wide['enum'], values)) return false;
    if (!coversType(wide['type'], narrow['type'])) return false;
    for (const [keyword, operand] of Object.entries(wide)) {
      if (TOGETHER.has(keyword)) continue;
      if (!coversKeyword(keyword, operand, narrow)) return false;
    }
    if (Number(wide[REFINED] ?? 0) > 0 && wide[REFINED] !== narrow[REFINED]) return false;
    return (
      this.#coversProperties(wide, narrow) &&
      this.#coversItems(wide, narrow) &&
      this.#coversFunction(wide, narrow)
    );
  }

  #coversProperties(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    const own = namedIn(narrow, 'properties');
    const accepted = namedIn(wide, 'properties');
    const others = narrow['additionalProperties'] as LinkedSchema | undefined;
    const acceptedOthers = (wide['additionalProperties'] ?? {}) as LinkedSchema;
    const required = (narrow['required'] ?? []) as string[];
    if (!((wide['required'] ?? []) as string[]).every((name) => required.includes(name)))
      return false;
    for (const [name, sent] of Object.entries(own)) {
      const schema = Object.hasOwn(accepted, name) ? accepted[name] : acceptedOthers;
      if (!this.covers(schema as LinkedSchema, sent)) return false;
    }
    if (others === undefined || isNothing(others)) return true;
    const missing = Object.entries(accepted).filter(([name]) => !Object.hasOwn(own, name));
    return (
      this.covers(acceptedOthers, others) &&
      missing.every(([, schema]) => this.covers(schema, others))
    );
  }

  #coversItems(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    const own = (narrow['prefixItems'] ?? []) as LinkedSchema[];
    const accepted = (wide['prefixItems'] ?? []) as LinkedSchema[];
    const most = Number(narrow['maxItems'] ?? Infinity);
    const length = Math.max(own.length, accepted.length);
    for (let index = 0; index <= length && index < most; index++) {
      const sent = (index < own.length ? own[index] : narrow['items']) ?? {};
      const schema = (index < accepted.length ? accepted[index] : wide['items']) ?? {};
      if (!this.covers(schema as LinkedSchema, sent as LinkedSchema)) return false;
    }
    return true;
  }

  /** A function takes what is passed to it, and returns what it is asked for. */
  #coversFunction(wide: LinkedSchema, narrow: LinkedSchema): boolean {
    if (wide['type'] !== 'function') return true;
    const [accepted, sent] = [signatureOf(wide), signatureOf(narrow)];
    return (
      sent.parameters.every((schema, index) =>
        this.covers(schema, accepted.parameters[index] ?? UNDEFINED),
      ) &&
      (accepted.result['type'] === 'void' || this.covers(accepted.result, sent.result))
    );
  }
}

/** What the schema of a function says: what it is passed, and what it returns. */
export function signatureOf({ parameters, returnType }: LinkedSchema): {
  readonly parameters: readonly LinkedSchema[];
  readonly result: LinkedSchema;
} {
  return {
    parameters: (parameters ?? []) as LinkedSchema[],
    result: (returnType ?? {}) as LinkedSchema,
  };
}

/** What a function is passed beyond its arguments. */
export const UNDEFINED: LinkedSchema = { type: 'undefined' };

function namedIn(schema: LinkedSchema, keyword: string): Named {
  return (schema[keyword] ?? {}) as Named;
}

function isAnything(schema: LinkedSchema): boolean {
  return Object.keys(schema).length === 0;
}

export function isNothing(schema: LinkedSchema): boolean {
  const { not } = schema;
  return schema === NOTHING || (not !== undefined && isAnything(not as LinkedSchema));
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Whether a schema without alternatives accepts a value that is no object. */
function acceptsScalar(wide: LinkedSchema, value: unknown): boolean {
  if (wide[UNREADABLE] !== undefined || wide[UNRESOLVED] !== undefined) return false;
  if (wide[REFINED] !== undefined) return false;
  const scalar = Object.fromEntries(Object.entries(wide).filter(([name]) => !TOGETHER.has(name)));
  const { type, enum: values } = wide;
  const schema = {
    ...scalar,
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
  };
  try {
    return !jsonValidator(schema, 'schema').validate(value).issues;
  } catch {
    return false;
  }
}

export function coversType(wide: unknown, narrow: unknown): boolean {
  if (wide === undefined || wide === narrow) return true;
  if (wide === 'number') return narrow === 'integer';
  return (wide === 'void' || wide === 'undefined') && (narrow === 'void' || narrow === 'undefined');
}

function coversKeyword(keyword: string, operand: unknown, narrow: LinkedSchema): boolean {
  const own = narrow[keyword];
  if (LEAST.has(keyword) || MOST.has(keyword)) return coversLimit(keyword, operand, narrow);
  if (keyword === 'multipleOf') {
    if (operand === 1 && narrow['type'] === 'integer') return true;
    return own !== undefined && Number(own) % Number(operand) === 0;
  }
  if (keyword === 'uniqueItems' && operand === false) return true;
  return own !== undefined && isDeepStrictEqual(own, operand);
}

function coversLimit(keyword: string, limit: unknown, narrow: LinkedSchema): boolean {
  const sign = LEAST.has(keyword) ? 1 : -1;
  const name = keyword.replace(/^exclusiveM/, 'm');
  const exclusive = `exclusive${name[0]?.toUpperCase()}${name.slice(1)}`;
  const isExclusive = keyword === exclusive;
  const order = (one: unknown): number =>
    sign * ((one as number) < (limit as number) ? -1 : (one as number) > (limit as number) ? 1 : 0);
  if (narrow[exclusive] !== undefined && order(narrow[exclusive]) >= 0) return true;
  if (narrow[name] !== undefined && order(narrow[name]) >= (isExclusive ? 1 : 0)) return true;
  if (limit === 0 && /^min(Length|Items|Properties)$/.test(name)) return true;
  if (name === 'minProperties')
    return ((narrow['required'] ?? []) as string[]).length >= Number(limit);
  return false;
}

/**
 * A schema as a list of schemas without alternatives, of which each value has to match one.
 *
 * @param isAccepting - a schema with `oneOf` accepts less than its members
 * @returns `undefined` for a schema that cannot be written so
 */
export function alternativesOf(
  schema: LinkedSchema,
  isAccepting: boolean,
  within: ReadonlySet<LinkedSchema> = new Set(),
): LinkedSchema[] | undefined {
  if (isNothing(schema)) return [];
  // A schema that is nothing but itself.
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

/** Whether no value can match two of several schemas: they differ in their types, or in the value of a property. */
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

/** A schema with another value of a keyword. */
function withKeyword(schema: LinkedSchema, keyword: string, operand: unknown): LinkedSchema {
  return { ...schema, [keyword]: operand };
}

/** A schema of listed values, and one of booleans, as a schema for each value. */
function splitByValue(schema: LinkedSchema): LinkedSchema[] {
  const { type, enum: values } = schema as { type?: unknown; enum?: unknown[] };
  if (values) return values.map((value) => withKeyword(schema, 'enum', [value]));
  return type === 'boolean'
    ? [true, false].map((value) => withKeyword(schema, 'enum', [value]))
    : [schema];
}

/** An object with a required property of several listed values as an object for each value. */
function splitByProperty(schema: LinkedSchema): LinkedSchema[] | undefined {
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
