/**
 * Compares two schemas by what they accept: a proof says that one accepts all of the other, and an example says that it
 * does not. Where there is neither, the answer is unknown.
 */
import { isDeepStrictEqual } from 'node:util';
import { jsonValidator } from '../../server/schemas/json-schema.ts';
import { readSchema, REFINED, UNREADABLE } from '../written-schema.ts';
import type { WrittenSchema } from '../written.ts';
import { Covering, UNDEFINED } from './covers.ts';
import { examplesOf, hintsOf } from './examples.ts';
import { type LinkedSchema, linkSchema } from './linked-schema.ts';

/** Whether one schema accepts what another one describes. */
export type Acceptance =
  | { readonly accepts: 'all' }
  /** The example is a value that it does not accept; the problem is what its validator says. */
  | { readonly accepts: 'some'; readonly example?: unknown; readonly problem?: string }
  | { readonly accepts: 'unknown' };

/** How a schema differs from an older one. */
export interface SchemaChange {
  /** Whether the newer schema accepts what the older one describes. */
  readonly newAcceptsOld: Acceptance;
  /** Whether the older schema accepts what the newer one describes. */
  readonly oldAcceptsNew: Acceptance;
}

/** @returns `undefined` if both accept the same */
export function compareSchemas(
  older: WrittenSchema,
  newer: WrittenSchema,
): SchemaChange | undefined {
  if (isDeepStrictEqual(older, newer)) return undefined;
  const newAcceptsOld = acceptance(newer, older);
  const oldAcceptsNew = acceptance(older, newer);
  const isSame = newAcceptsOld.accepts === 'all' && oldAcceptsNew.accepts === 'all';
  return isSame ? undefined : { newAcceptsOld, oldAcceptsNew };
}

/** Whether a schema is of a library that makes no JSON Schema. */
export function isReadable(schema: WrittenSchema | undefined): boolean {
  return typeof schema !== 'object' || schema[UNREADABLE] === undefined;
}

/** Whether `wide` accepts each value that `narrow` describes. */
export function acceptance(wide: WrittenSchema, narrow: WrittenSchema): Acceptance {
  return linkedAcceptance(
    { schema: wide, linked: linkSchema(readSchema(wide)) },
    { schema: narrow, linked: linkSchema(readSchema(narrow)) },
  );
}

interface Side {
  /** The schema as a whole. */
  readonly schema: WrittenSchema;
  readonly linked: LinkedSchema;
}

function linkedAcceptance(wide: Side, narrow: Side): Acceptance {
  if (new Covering().covers(wide.linked, narrow.linked)) return { accepts: 'all' };
  const found = counterexample(wide, narrow);
  if (found) return found;
  return refusesFunction(wide.linked, narrow.linked) ? { accepts: 'some' } : { accepts: 'unknown' };
}

/** Finds a value that one schema describes, and the other does not accept. */
function counterexample(wide: Side, narrow: Side): Acceptance | undefined {
  const accepting = validatorOf(wide.schema);
  const describing = validatorOf(narrow.schema);
  if (!accepting || !describing) return undefined;
  for (const example of examplesOf(narrow.linked, hintsOf(narrow.linked, wide.linked))) {
    if (describing(example) !== undefined) continue;
    const problem = accepting(example);
    if (problem !== undefined) return { accepts: 'some', example, problem };
  }
  return undefined;
}

/** @returns a function that returns the problem of a value; `undefined` for a schema that cannot be checked */
function validatorOf(schema: WrittenSchema): ((value: unknown) => string | undefined) | undefined {
  try {
    const validator = jsonValidator(withoutCounts(readSchema(schema)), 'schema');
    return (value) => {
      const [issue] = validator.validate(value).issues ?? [];
      return issue && `${issue.path} ${issue.message}`.trim();
    };
  } catch {
    // It has a keyword or a format that objects do not check either.
    return undefined;
  }
}

/** A schema without the keyword that counts refinements, which is not one of JSON Schema. */
function withoutCounts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutCounts);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([name, held]) => name !== REFINED || typeof held !== 'number',
  );
  return Object.fromEntries(entries.map(([name, held]) => [name, withoutCounts(held)]));
}

/**
 * Whether a function that is passed does not fit its place: it takes other values than it gets, or returns others than it
 * has to. No value shows this, since every function is accepted.
 */
function refusesFunction(
  wide: LinkedSchema,
  narrow: LinkedSchema,
  seen: ReadonlySet<LinkedSchema> = new Set(),
): boolean {
  if (seen.has(wide)) return false;
  const within = new Set([...seen, wide]);
  const inner = (one: unknown, other: unknown): boolean =>
    typeof one === 'object' &&
    typeof other === 'object' &&
    refusesFunction(one as LinkedSchema, other as LinkedSchema, within);
  if (wide['type'] === 'function' && narrow['type'] === 'function') {
    const taken = (narrow['parameters'] ?? []) as LinkedSchema[];
    const passed = (wide['parameters'] ?? []) as LinkedSchema[];
    const returned = (wide['returnType'] ?? {}) as LinkedSchema;
    const refuses = (one: LinkedSchema, other: LinkedSchema): boolean =>
      linkedAcceptance(sideOf(one), sideOf(other)).accepts === 'some';
    return (
      taken.some((schema, index) => refuses(schema, passed[index] ?? UNDEFINED)) ||
      (returned['type'] !== 'void' &&
        refuses(returned, (narrow['returnType'] ?? {}) as LinkedSchema))
    );
  }
  const { properties: accepted = {}, items: item } = wide as Record<
    string,
    Record<string, unknown>
  >;
  const { properties: sent = {}, items: sentItem } = narrow as Record<
    string,
    Record<string, unknown>
  >;
  return (
    Object.entries(accepted).some(([name, schema]) => inner(schema, sent[name])) ||
    inner(item, sentItem)
  );
}

/** A part of a schema as a whole. One that contains itself has no text, and is not checked by examples. */
function sideOf(linked: LinkedSchema): Side {
  try {
    return { schema: JSON.parse(JSON.stringify(linked)) as WrittenSchema, linked };
  } catch {
    return { schema: { [UNREADABLE]: 'itself' }, linked };
  }
}
