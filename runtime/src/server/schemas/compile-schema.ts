/**
 * Compiles a schema after changes that bound how long validation takes, and that let it see all of a value. What fits
 * the schema stays the same, except for a value that contains itself.
 */
import type { TSchema } from 'typebox';
// `typebox/compile` has the same compiler, and 60 kB more that is evaluated when a Worker starts.
import { Compile, IsSchema, type Validator } from 'typebox/schema';
import { Hashing } from 'typebox/system';
import { mapInnerSchemas } from './schema-parts.ts';

type Fields = Record<string, unknown>;

/** A schema that others refer to by its name. */
export interface Definition {
  validator: Validator;
}

/** By name, the definitions that a schema can refer to. */
type Scope = ReadonlyMap<string, Definition>;

interface Refinement {
  check(value: unknown): boolean;
  error(value: unknown): string;
}

/**
 * @param schema - which `checkSchema` accepts
 * @throws TypeError for a value that is no schema: it would allow everything
 */
export function compileSchema(schema: TSchema): Validator {
  if (!IsSchema(schema)) throw new TypeError('Not a schema');
  if (typeof schema === 'object' && !needsPreparation(schema)) return Compile(schema);
  const root = {} as Definition;
  const scope: Scope | undefined = hasOnlyNames(schema) ? new Map([[ROOT, root]]) : undefined;
  root.validator = Compile(prepared(schema as Fields, scope) as TSchema);
  return root.validator;
}

/**
 * The keywords for which a schema is changed. What has such a name and is no keyword, such as a property, only costs a
 * closer look.
 */
const PREPARED =
  /^(?:\$(?:ref|defs)|uniqueItems|additionalProperties|patternProperties|propertyNames|maxProperties)$/;

/** Whether a schema has to be changed. Most do not, and all schemas of a contract are checked when a Worker starts. */
function needsPreparation(part: object): boolean {
  return Object.entries(part).some(
    ([key, value]) =>
      PREPARED.test(key) || (typeof value === 'object' && value && needsPreparation(value)),
  );
}

/** The name of a whole schema, as `Type.This` writes it. */
const ROOT = '#';

/** @param scope - left out if references stay as they are */
function prepared(schema: Fields | boolean, scope: Scope | undefined): Fields | boolean {
  if (typeof schema === 'boolean') return schema;
  const defs = schema['$defs'] as Record<string, Fields> | undefined;
  const inner = scope && defs ? withDefinitions(scope, defs) : scope;
  // TypeBox stores some of its data in properties that are not enumerable.
  const fields = Object.getOwnPropertyDescriptors(schema);
  const set = (key: string, value: unknown): void => {
    fields[key] = { value, enumerable: true };
  };
  for (const [keyword, value] of Object.entries(schema)) {
    // The definitions are compiled one by one.
    if (keyword === '$defs' && inner) continue;
    const made = mapInnerSchemas(keyword, value, (part) => prepared(part as Fields, inner));
    if (made !== value) set(keyword, made);
  }
  if (schema['patternProperties'] && (schema['additionalProperties'] ?? true) === true) {
    set('patternProperties', ofAnyKey(fields['patternProperties']?.value as Fields));
  }
  const refinements: Refinement[] = [];
  if (schema['uniqueItems'] === true) {
    delete fields['uniqueItems'];
    refinements.push(UNIQUE);
  }
  if (CLOSES.some((keyword) => (schema[keyword] ?? true) !== true)) {
    refinements.push(PROPERTIES_ONLY);
  }
  const definition = inner?.get(schema['$ref'] as string);
  if (definition) {
    delete fields['$ref'];
    refinements.push(refinementOf(definition));
  }
  if (refinements.length > 0) {
    set('~refine', [...refinements, ...((schema['~refine'] as Refinement[] | undefined) ?? [])]);
  }
  return Object.create(Object.getPrototypeOf(schema) as object, fields) as Fields;
}

function withDefinitions(scope: Scope, defs: Record<string, Fields>): Scope {
  const extended = new Map(scope);
  // All of them first, since they can refer to each other.
  const begun = Object.entries(defs).map(([name, schema]) => {
    const definition = {} as Definition;
    extended.set(name, definition);
    return { definition, schema };
  });
  for (const { definition, schema } of begun) {
    const own = schema['$id'] === undefined ? extended : new Map(extended).set(ROOT, definition);
    definition.validator = Compile(prepared(schema, own) as TSchema);
  }
  return extended;
}

/** In a pattern: `.*`, and what must not be mistaken for it: an escaped character, or a class of characters. */
const ANY_TEXT = /\\[^]|\[(?:\\[^]|[^\]])*\]|\.\*/gu;

/**
 * `Type.Record` writes `.*` for any text in a key. But the dot stands for no line break, so the value of a key with
 * one would not be checked.
 */
function ofAnyKey(patterns: Fields): Fields {
  const entries = Object.entries(patterns).map(([key, value]) => [
    key.replace(ANY_TEXT, (part) => (part === '.*' ? '[^]*' : part)),
    value,
  ]);
  return Object.fromEntries(entries) as Fields;
}

/**
 * TypeBox takes a minute to find the errors of 100 000 equal items. It also compares hashes of primitives, which are
 * equal for some that differ, such as bigints of more than 64 bits.
 */
const UNIQUE: Refinement = {
  check(value) {
    if (!Array.isArray(value)) return true;
    const objects = value.filter((item) => typeof item === 'object' && item !== null);
    const primitives = value.filter((item) => typeof item !== 'object' || item === null);
    const different = new Set(primitives).size + new Set(objects.map(Hashing.Hash)).size;
    return different === value.length;
  },
  error: () => 'must not have duplicate items',
};

/** Keywords that limit all properties of an object, so that it can have no others. */
const CLOSES = ['additionalProperties', 'patternProperties', 'propertyNames', 'maxProperties'];

/** JSON Schema knows only objects whose contents are properties. A Map or a buffer would fit without any. */
const PROPERTIES_ONLY: Refinement = {
  check: (value) =>
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    Object.getPrototypeOf(value) === Object.prototype ||
    Object.prototype.toString.call(value) === '[object Object]',
  error: () => 'must be object',
};

/**
 * Whether a definition fits an object: `false` as long as this is not known, so that a value which contains itself
 * does not fit.
 */
type Known = Map<Definition, Map<unknown, boolean>>;

let known: Known | undefined;

/** Remembers during a task which definitions fit which objects. */
export function withValidationCache<Result>(task: () => Result): Result {
  if (known) return task();
  known = new Map();
  try {
    return task();
  } finally {
    known = undefined;
  }
}

/**
 * Checks each object once. TypeBox checks it for each member of a union that contains it, and so twice as often at
 * each level of a schema with two such members: 20 levels take half a minute.
 */
function fits(definition: Definition, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return definition.validator.Check(value);
  return withValidationCache(() => {
    const results = (known as Known).get(definition) ?? new Map<unknown, boolean>();
    (known as Known).set(definition, results);
    const earlier = results.get(value);
    if (earlier !== undefined) return earlier;
    results.set(value, false);
    const result = definition.validator.Check(value);
    results.set(value, result);
    return result;
  });
}

const byMessage = new Map<string, Definition>();

function refinementOf(definition: Definition): Refinement {
  const message = `must fit definition ${byMessage.size}`;
  byMessage.set(message, definition);
  return { check: (value) => fits(definition, value), error: () => message };
}

/** The definition that a value did not fit, by the message of the error. */
export function definitionOf(message: string): Definition | undefined {
  return byMessage.get(message);
}

/**
 * Whether all references in a schema are names in `$defs`, as those of `Type.Cyclic` and `Type.Module` are, or to the
 * whole. Also `false` if a keyword needs to know what a reference has checked. Such schemas are left to TypeBox.
 */
function hasOnlyNames(schema: unknown): boolean {
  const names = new Set([ROOT]);
  const references = new Set<string>();
  const visit = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    for (const [keyword, value] of Object.entries(part)) {
      if (/^(unevaluated|\$recursiveRef|\$dynamicRef)/.test(keyword)) references.add(keyword);
      // Within a part with an id, a reference to the whole means that part.
      if (keyword === '$ref' || (keyword === '$id' && part !== schema))
        references.add(String(value));
      if (keyword === '$defs') for (const name of Object.keys(value as object)) names.add(name);
      mapInnerSchemas(keyword, value, visit);
    }
    return part;
  };
  visit(schema);
  return [...references].every((name) => names.has(name));
}
