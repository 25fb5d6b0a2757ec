/** Finds the schemas that other schemas refer to, and checks the values of recursive schemas. */
import { type Expectation, failed, type Failure } from './failures.ts';
import { type Check, type Fields, keywordOf, mapInner } from './keywords.ts';

/** The schemas within a schema that has an id or definitions, and their checks. */
export interface Scope {
  readonly schema: Fields;
  readonly outer: Scope | undefined;
  /** The absolute id; empty if the schema has none. */
  readonly id: string;
  /** The checks of the schemas in it. */
  readonly checks: Map<object, Check>;
  readonly inner: Map<object, Scope>;
  /** The schemas in it that can be checked as they are written. */
  readonly verified: Set<object>;
}

/** A schema, and the scope of its references. */
type Found = readonly [schema: unknown, scope: Scope];

/** The id of a schema without an id. Relative ids are resolved against it. */
const BASE = 'x:/';

export function scopeOf(schema: Fields, outer?: Scope): Scope {
  const id = typeof schema['$id'] === 'string' ? absolute(schema['$id'], outer) : '';
  return {
    schema,
    outer,
    id: id || (outer ? '' : BASE),
    checks: new Map(),
    inner: new Map(),
    verified: new Set(),
  };
}

function absolute(id: string, scope: Scope | undefined): string {
  const base = resourceOf(scope)?.id ?? BASE;
  return URL.canParse(id, base) ? new URL(id, base).href.replace(/#$/, '') : id;
}

/** Returns the innermost scope that has an id. */
function resourceOf(scope: Scope | undefined): Scope | undefined {
  return scope?.id === '' ? resourceOf(scope.outer) : scope;
}

/** Returns the scope of the schemas within a schema. */
export function enter(scope: Scope, schema: unknown): Scope {
  if (typeof schema !== 'object' || schema === null || schema === scope.schema) return scope;
  if (!('$id' in schema || '$defs' in schema)) return scope;
  const inner = scope.inner.get(schema) ?? scopeOf(schema as Fields, scope);
  scope.inner.set(schema, inner);
  return inner;
}

/** @returns the schema that a reference names; `undefined` if there is no such schema */
export function schemaOf(reference: string, scope: Scope): Found | undefined {
  for (let around: Scope | undefined = scope; around; around = around.outer) {
    const definitions = Object(around.schema['$defs']) as Fields;
    if (Object.hasOwn(definitions, reference)) return [definitions[reference], around];
  }
  const [id = '', fragment = ''] = reference.split('#');
  const resource = id ? resourceWith(id, scope) : resourceOf(scope);
  if (!resource || !fragment) return resource && [resource.schema, resource];
  if (fragment.startsWith('/')) return atPointer(fragment, resource);
  return search(resource, resource.schema, (schema, inner) =>
    schema['$anchor'] === fragment && resourceOf(inner) === resource ? [schema, inner] : undefined,
  );
}

function resourceWith(id: string, scope: Scope): Scope | undefined {
  const sought = absolute(id, scope);
  let root = scope;
  while (root.outer) root = root.outer;
  return search(root, root.schema, (_, inner) => (inner.id === sought ? inner : undefined));
}

/** Calls a function with a schema and the schemas in it, until the function returns something. */
function search<Result>(
  outer: Scope,
  schema: unknown,
  find: (schema: Fields, scope: Scope) => Result | undefined,
): Result | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const scope = enter(outer, schema);
  const found = find(schema as Fields, scope);
  if (found) return found;
  let within: Result | undefined;
  for (const [name, operand] of Object.entries(schema)) {
    const keyword = keywordOf(name);
    if (!keyword || operand === undefined) continue;
    mapInner(keyword, operand, (inner) => {
      within ??= search(scope, inner, find);
    });
  }
  return within;
}

function atPointer(pointer: string, resource: Scope): Found | undefined {
  let schema: unknown = resource.schema;
  let scope = resource;
  for (const step of pointer.slice(1).split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(Object(schema), key)) return undefined;
    scope = enter(scope, schema);
    schema = (schema as Fields)[key];
  }
  return [schema, scope];
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The result of each check of a reference for each object; `null` for an object that fits. */
type Known = Map<Check, Map<object, Failure | null>>;

let known: Known | undefined;

/** Runs a task, during which the results of the checks of references are remembered. */
export function remembering<Result>(task: () => Result): Result {
  if (known) return task();
  known = new Map();
  try {
    return task();
  } finally {
    known = undefined;
  }
}

const ITSELF: Expectation = { says: () => 'must not contain itself' };

/**
 * Makes a check that checks each object once. Otherwise, a recursive union with two members would double the number of
 * checks at each level. An object that contains itself does not fit.
 */
export const once =
  (check: Check): Check =>
  (value, seen) => {
    if (typeof value !== 'object' || value === null || !known) return check(value, seen);
    let results = known.get(check);
    if (!results) known.set(check, (results = new Map()));
    const earlier = results.get(value);
    // The parts that a check has seen are not stored with its result.
    if (earlier !== undefined && (!seen || earlier?.expectation === ITSELF)) {
      return earlier ?? undefined;
    }
    results.set(value, failed(ITSELF, undefined, value, true));
    const failure = check(value, seen);
    results.set(value, failure ?? null);
    return failure;
  };
