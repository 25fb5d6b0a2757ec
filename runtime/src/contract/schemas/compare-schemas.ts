/**
 * Compares two schemas by the values that they accept. A proof shows that a schema accepts all values of the other
 * schema, and an example shows that it does not. Without either, the answer is unknown.
 */
import { isDeepStrictEqual } from 'node:util';
import { jsonValidator } from '../../server/schemas/json-schema.ts';
import { readSchema } from '../written-schema.ts';
import { REFINED, UNREADABLE, type WrittenSchema } from '../written.ts';
import { alternativesOf, coversType } from './alternatives.ts';
import { Covering, signatureOf, UNDEFINED } from './covers.ts';
import { examplesOf, hintsOf } from './examples.ts';
import { type LinkedSchema, linkSchema } from './linked-schema.ts';

/** The answer to whether a schema accepts all values that another schema describes. */
export type Acceptance =
  | { readonly accepts: 'all' }
  /** The example is a value that the schema does not accept. The problem is the text of its validator. */
  | { readonly accepts: 'some'; readonly example?: unknown; readonly problem?: string }
  | { readonly accepts: 'unknown' };

/** The differences between a schema and an older schema. */
export interface SchemaChange {
  /** The values of the older schema that the newer schema accepts. */
  readonly newAcceptsOld: Acceptance;
  /** The values of the newer schema that the older schema accepts. */
  readonly oldAcceptsNew: Acceptance;
}

/** @returns `undefined` if both schemas accept the same values */
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

/** Returns whether a schema is known: its library makes a JSON Schema of it. */
export function isReadable(schema: WrittenSchema | undefined): boolean {
  return typeof schema !== 'object' || schema[UNREADABLE] === undefined;
}

/**
 * Returns whether a schema contains checks or transforms that are code, or other parts that JSON Schema does not show.
 */
export function hasCode(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([name, held]) => isCount(name, held) || hasCode(held));
}

/** Returns whether `wide` accepts each value that `narrow` describes. */
function acceptance(wide: WrittenSchema, narrow: WrittenSchema): Acceptance {
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
  return refusesPart(wide.linked, narrow.linked) ? { accepts: 'some' } : { accepts: 'unknown' };
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
    // The schema has a keyword or a format that objects do not check either.
    return undefined;
  }
}

/** Returns a schema without the keyword that counts hidden parts, which JSON Schema does not have. */
function withoutCounts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutCounts);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name, held]) => !isCount(name, held));
  return Object.fromEntries(entries.map(([name, held]) => [name, withoutCounts(held)]));
}

/** Returns whether a keyword counts hidden parts. A property of an object can have its name, too. */
function isCount(name: string, held: unknown): boolean {
  return name === REFINED && typeof held === 'number';
}

/**
 * Returns whether a part certainly does not fit its place, though no example shows it. Such a part has values of a type
 * that `wide` does not name and no example has, such as `Date`. Or it is a function that gets arguments which it does not
 * accept, or whose result is not accepted.
 */
function refusesPart(
  wide: LinkedSchema,
  narrow: LinkedSchema,
  seen: ReadonlySet<LinkedSchema> = new Set(),
): boolean {
  if (seen.has(wide)) return false;
  const within = new Set([...seen, wide]);
  const inner = (one: unknown, other: unknown): boolean =>
    typeof one === 'object' &&
    typeof other === 'object' &&
    refusesPart(one as LinkedSchema, other as LinkedSchema, within);
  if (wide['type'] === 'function' && narrow['type'] === 'function') {
    const refuses = (one: LinkedSchema, other: LinkedSchema): boolean =>
      linkedAcceptance(sideOf(one), sideOf(other)).accepts === 'some';
    const [accepted, sent] = [signatureOf(wide), signatureOf(narrow)];
    return (
      sent.parameters.some((schema, index) =>
        refuses(schema, accepted.parameters[index] ?? UNDEFINED),
      ) ||
      (accepted.result['type'] !== 'void' && refuses(accepted.result, sent.result))
    );
  }
  if (refusesType(wide, narrow)) return true;
  const { properties: accepted = {}, items } = wide as ObjectOrArray;
  const { properties: sent = {}, items: sentItems } = narrow as ObjectOrArray;
  return (
    Object.entries(accepted).some(([name, schema]) => inner(schema, sent[name])) ||
    inner(items, sentItems)
  );
}

interface ObjectOrArray {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
}

/** Returns whether a schema describes values of a type that the other schema does not name. */
function refusesType(wide: LinkedSchema, narrow: LinkedSchema): boolean {
  const accepting = alternativesOf(wide, true);
  const typeOf = ({ type }: LinkedSchema): string | undefined =>
    typeof type === 'string' ? type : undefined;
  if (!accepting?.every((one) => typeOf(one) !== undefined)) return false;
  return (alternativesOf(narrow, false) ?? []).some(
    (one) =>
      typeOf(one) !== undefined &&
      !accepting.some((other) => coversType(typeOf(other), typeOf(one))),
  );
}

/** Returns a part of a schema as a whole. A part that contains itself has no text, and is not checked by examples. */
function sideOf(linked: LinkedSchema): Side {
  try {
    return { schema: JSON.parse(JSON.stringify(linked)) as WrittenSchema, linked };
  } catch {
    return { schema: { [UNREADABLE]: 'itself' }, linked };
  }
}
