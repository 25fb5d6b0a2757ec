/**
 * Makes validators from JSON Schemas, such as the schemas of TypeBox. A schema is verified when the class is defined,
 * and becomes a function when it first checks a value. No code is generated, so that the validators work wherever a
 * Worker runs.
 */
import { propertyPath } from '../../wire/values/paths.ts';
import { isStreamOf } from '../base/brands.ts';
import { isStandard } from '../base/standard-schema.ts';
import { type Expectation, failed, type Failure, issueOf } from './failures.ts';
import {
  accepts,
  allOf,
  type Check,
  type Fields,
  type Group,
  type Keyword,
  KEYWORDS,
  keywordOf,
  mapInner,
  isPlain,
  missing,
  type Named,
  OBJECTS,
  refuses,
  type Seen,
  TYPES,
} from './keywords.ts';
import { enter, once, remembering, schemaOf, type Scope, scopeOf } from './references.ts';
import type { Validator } from './validator.ts';

/** Functions that explain failures. Only bundles for development contain the functions. */
export interface SchemaExplainer {
  /** Returns the end of a sentence that says what to write instead of a keyword, or instead of its value. */
  adviseKeyword(name: string, value: unknown, types: readonly string[]): string;
  /** Remembers the properties of a schema, or the check that a reference leads to. */
  describeCheck(check: Check, description: Named | (() => Check)): void;
  /** Finds the failure that helps most, such as the failure of the member of a union that was probably meant. */
  likelyFailure(failure: Failure): Failure;
}

/**
 * @param where - names the schema in errors
 * @param explainer - left out in production
 * @throws TypeError for a value that is no schema, and for a schema that would not be checked as it is written
 */
export function jsonValidator(
  schema: unknown,
  where: string,
  explainer?: SchemaExplainer,
): Validator {
  const root = scopeOf(Object(schema) as Fields);
  const isRecursive = verify(schema, root, () => where, explainer);
  const { title } = Object(schema) as { title?: unknown };
  let check: Check | undefined;
  const failureOf = (value: unknown): Failure | undefined =>
    (check ??= checkOf(schema, root, explainer))(value);
  return {
    title: typeof title === 'string' ? title : undefined,
    validate(value) {
      let failure;
      try {
        failure = isRecursive ? remembering(() => failureOf(value)) : failureOf(value);
      } catch (error) {
        if (!isOverflow(error)) throw error;
        failure = failed(TOO_DEEP, undefined, value);
      }
      if (!failure) return { value };
      return { issues: [issueOf(explainer?.likelyFailure(failure) ?? failure)] };
    },
  };
}

/** Returns whether a value was too deep for the stack. Any other error comes from the check of a `Type.Refine`. */
function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message);
}

const TOO_DEEP: Expectation = { says: () => 'must not be nested so deeply' };

/** Returns the position of a schema, which only an error needs. */
type Place = () => string;

/** Keywords that check nothing: annotations, and keywords that only references use. */
export const ANNOTATIONS =
  'title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType $id $schema $anchor $comment'.split(
    ' ',
  );

/**
 * Verifies that all parts of a schema can be checked.
 *
 * @returns whether it has references
 * @throws TypeError
 */
function verify(
  schema: unknown,
  outer: Scope,
  place: Place,
  explainer: SchemaExplainer | undefined,
): boolean {
  if (typeof schema === 'boolean') return false;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new TypeError(`${place()} is not a schema`);
  }
  if (isStandard(schema) || isStreamOf(schema)) {
    throw new TypeError(
      `${place()} is not a JSON Schema, as all schemas inside a JSON Schema must be`,
    );
  }
  const scope = enter(outer, schema);
  if (scope.verified.has(schema)) return false;
  scope.verified.add(schema);
  const { type = [] } = schema as { type?: unknown };
  const types = [type].flat().map(String);
  let hasReferences = false;
  for (const [name, operand] of Object.entries(schema)) {
    if (operand === undefined) continue;
    const problem = nameProblem(name, types) ?? operandProblem(name, operand);
    if (problem) {
      const advice = explainer?.adviseKeyword(name, operand, types) ?? '';
      throw new TypeError(`${place()} has ${problem}${advice}`);
    }
    const inner = (one: unknown, within: Scope, ...steps: string[]): void => {
      const at = (): string => place() + [name, ...steps].map(propertyPath).join('');
      hasReferences = verify(one, within, at, explainer) || hasReferences;
    };
    keywordOf(name)?.takes.map?.(operand as never, (one, ...steps) => inner(one, scope, ...steps));
    if (name !== '$ref') continue;
    const found = schemaOf(operand as string, scope);
    if (!found)
      throw new TypeError(`${place()} has the $ref ${String(operand)}, which leads to no schema`);
    inner(...found);
    hasReferences = true;
  }
  return hasReferences;
}

/** Makes the check of a verified schema. */
function checkOf(schema: unknown, outer: Scope, explainer: SchemaExplainer | undefined): Check {
  if (typeof schema === 'boolean') return schema ? accepts : refuses;
  const fields = schema as Fields;
  const made = outer.checks.get(fields);
  if (made) return made;
  const scope = enter(outer, fields);
  const parts: Record<string, unknown> = {};
  for (const [name, operand] of Object.entries(fields)) {
    const keyword = keywordOf(name);
    if (!keyword || operand === undefined) continue;
    parts[name] = mapInner(keyword, operand, (inner) => checkOf(inner, scope, explainer));
  }
  const check = joined(fields, parts, (reference) => referenceCheck(reference, scope, explainer));
  if (parts['properties']) explainer?.describeCheck(check, parts['properties'] as Named);
  outer.checks.set(fields, check);
  scope.checks.set(fields, check);
  return check;
}

/**
 * Returns the problem with the name of a keyword.
 *
 * @param types - the types that the schema names; empty for any type
 * @returns `undefined` if the schema may have the keyword
 */
export function nameProblem(name: string, types: readonly string[]): string | undefined {
  const keyword = keywordOf(name);
  if (!keyword) {
    // TypeBox stores its own data under names that begin with a tilde.
    const isAnnotation = /^(~|x-)/.test(name) || ANNOTATIONS.includes(name);
    return isAnnotation ? undefined : `an unknown keyword ${name}`;
  }
  const own = keyword.of?.types ?? types;
  if (types.length === 0 || types.some((type) => own.includes(type))) return undefined;
  return `the keyword ${name}, which does not apply to the type ${types.join(' or ')}`;
}

/** Returns the problem with the value of a keyword. */
function operandProblem(name: string, operand: unknown): string | undefined {
  const keyword = keywordOf(name);
  if (!keyword || keyword.takes.is(operand)) return undefined;
  return name === 'format' || name === 'type'
    ? `an unknown ${name} ${String(operand)}`
    : `the keyword ${name}, whose value is not ${keyword.takes.noun}`;
}

function referenceCheck(
  reference: string,
  scope: Scope,
  explainer: SchemaExplainer | undefined,
): Check {
  let target: Check | undefined;
  // The check is made when it is used, since a schema can refer to a schema around it.
  const described = (): Check => {
    const [schema, inner] = schemaOf(reference, scope) ?? [false, scope];
    return checkOf(schema, inner, explainer);
  };
  const check: Check = (value, seen) => (target ??= once(described()))(value, seen);
  explainer?.describeCheck(check, described);
  return check;
}

const ORDER = Object.keys(KEYWORDS);

/** Makes one check of all keywords of a schema, in the order of `KEYWORDS`. */
function joined(
  fields: Fields,
  parts: Record<string, unknown>,
  referenceTo: (reference: string) => Check,
): Check {
  const types = [fields['type'] ?? []].flat() as string[];
  /** Checks of the values of a group are in one list. */
  const groups = new Map<Group | string, Check[]>();
  const add = (name: Group | string, check: Check | undefined): void => {
    if (!check) return;
    const group = groups.get(name);
    if (group) group.push(check);
    else groups.set(name, [check]);
  };
  const names = Object.keys(parts).toSorted(
    (one, other) => ORDER.indexOf(one) - ORDER.indexOf(other),
  );
  const isClosed = names.some((name) => KEYWORDS[name]?.closes && fields[name] !== true);
  for (const name of names) {
    const keyword = KEYWORDS[name] as Keyword;
    if (isClosed && keyword.of === OBJECTS && !groups.has(OBJECTS)) {
      add(OBJECTS, isClosable(types));
    }
    const check =
      name === '$ref'
        ? referenceTo(fields[name] as string)
        : (keyword.make?.(parts[name] as never, parts, fields) ?? tested(keyword, fields[name]));
    // The parts that no other keyword has checked are known at the end.
    add(name.startsWith('unevaluated') ? name : (keyword.of ?? name), check);
  }
  for (const refinement of (fields['~refine'] ?? []) as Refinement[]) {
    add('~refine', (value) =>
      refinement.check(value) ? undefined : failed(REFINED, refinement, value),
    );
  }
  // The failure of a constant says more than the failure of its type.
  const constants = [...(groups.get('const') ?? []), ...(groups.get('enum') ?? [])];
  groups.delete('const');
  groups.delete('enum');
  const ofObjects = groups.get(OBJECTS);
  if (ofObjects && ofObjects.length > 1 && fields['required']) {
    const properties = allOf(ofObjects);
    const required = fields['required'] as string[];
    // A missing property is reported first.
    groups.set(OBJECTS, [
      (value, seen) => {
        const failure = properties(value, seen);
        return failure && (missing(required, value) ?? failure);
      },
    ]);
  }
  const others = Array.from(groups, ([name, checks]) => guarded(name, types, allOf(checks)));
  const all = allOf([...constants, typed(fields['type'], allOf(others))]);
  if (!groups.has('unevaluatedItems') && !groups.has('unevaluatedProperties')) return all;
  return (value, outer) => {
    const seen: Seen = new Set();
    const failure = all(value, seen);
    if (!failure && outer) for (const key of seen) outer.add(key);
    return failure;
  };
}

function tested(keyword: Keyword, operand: unknown): Check | undefined {
  const fits = keyword.test?.(operand as never) as ((value: unknown) => boolean) | undefined;
  return fits && ((value) => (fits(value) ? undefined : failed(keyword, operand, value)));
}

/** Checks the type of a value, and then the rest. The common types are written out, because this is twice as fast. */
function typed(type: unknown, all: Check): Check {
  const rest = all === accepts ? undefined : all;
  const refused = (value: unknown): Failure => failed(TYPE, type, value);
  switch (type) {
    case undefined:
      return all;
    case 'string':
      return (value, seen) => (typeof value === 'string' ? rest?.(value, seen) : refused(value));
    case 'integer':
      return (value, seen) => (Number.isInteger(value) ? rest?.(value, seen) : refused(value));
    case 'array':
      return (value, seen) => (Array.isArray(value) ? rest?.(value, seen) : refused(value));
    case 'object':
      return (value, seen) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? rest?.(value, seen)
          : refused(value);
  }
  const tests = [type].flat().map((name) => TYPES[name as string]);
  return (value, seen) =>
    tests.some((test) => test?.(value)) ? rest?.(value, seen) : refused(value);
}

const TYPE = KEYWORDS['type'] as Keyword;

/** Applies a check only to the values of a group, unless the schema allows no other values. */
function guarded(key: Group | string, types: readonly string[], check: Check): Check {
  const group = typeof key === 'string' ? KEYWORDS[key]?.of : key;
  if (!group || (types.length === 1 && group.types.includes(types[0] as string))) return check;
  return (value, seen) => (group.is(value) ? check(value, seen) : undefined);
}

/**
 * JSON Schema knows only objects whose contents are properties. A Map or a buffer would fit a schema that limits
 * properties.
 */
const isClosable =
  (types: readonly string[]): Check =>
  (value) =>
    isPlain(value) || Object.prototype.toString.call(value) === '[object Object]'
      ? undefined
      : failed(PLAIN, undefined, value, !types.includes('object'));

const PLAIN: Expectation = { says: () => 'must be object' };

/** The data that `Type.Refine` stores in a schema. */
interface Refinement {
  check(value: unknown): boolean;
  error(value: unknown): string;
}

const REFINED: Expectation = {
  says({ error }: Refinement, value) {
    const message = error(value);
    // `Refine Error` is the default message of TypeBox.
    return message === 'Refine Error' ? 'must pass the check of its Type.Refine' : message;
  },
};
