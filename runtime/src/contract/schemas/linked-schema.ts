/** A schema in which links to other schemas replace the references. The schema can contain itself. */
import type { WrittenSchema } from '../written.ts';

/** A schema with links. `true` has become `{}`, and `false` has become `NOTHING`. */
export interface LinkedSchema {
  readonly [keyword: string]: unknown;
}

/** The schema that accepts no value. */
export const NOTHING: LinkedSchema = { not: {} };

/** The keyword of a schema whose reference leads nowhere. */
export const UNRESOLVED = 'unresolved';

/** The schemas that a keyword holds by names. */
export type Named = Readonly<Record<string, LinkedSchema>>;

export function namedIn(schema: LinkedSchema, keyword: string): Named {
  return (schema[keyword] ?? {}) as Named;
}

export function isAnything(schema: LinkedSchema): boolean {
  return Object.keys(schema).length === 0;
}

export function isNothing(schema: LinkedSchema): boolean {
  const { not } = schema;
  return schema === NOTHING || (not !== undefined && isAnything(not as LinkedSchema));
}

type Fields = Readonly<Record<string, unknown>>;

const ONE = new Set(
  'items additionalItems additionalProperties contains propertyNames unevaluatedItems unevaluatedProperties not if then else returnType'.split(
    ' ',
  ),
);
const LISTS = new Set('allOf anyOf oneOf prefixItems parameters'.split(' '));
const NAMED = new Set('properties patternProperties dependentSchemas'.split(' '));
const DEFINITIONS = ['$defs', 'definitions'] as const;

/** The pattern of the keys of `Type.Record(Type.String(), …)`. */
const ANY_KEY = /^\^(\.\*|\(\.\*\))\$$/;

/** The context of a reference: the definitions and the schemas with an id around it. */
interface Scope {
  readonly root: Fields;
  readonly definitions: Fields;
}

export function linkSchema(root: WrittenSchema): LinkedSchema {
  if (typeof root === 'boolean') return root ? {} : NOTHING;
  return new Linker().link(root, { root, definitions: {} });
}

class Linker {
  readonly #links = new Map<unknown, LinkedSchema>();

  link(schema: unknown, around: Scope): LinkedSchema {
    if (typeof schema !== 'object' || schema === null) return schema === false ? NOTHING : {};
    const known = this.#links.get(schema);
    if (known) return known;
    const fields = schema as Fields;
    const linked: Record<string, unknown> = {};
    this.#links.set(schema, linked);
    const scope = scopeWithin(fields, around);
    const { $ref, ...rest } = fields;
    for (const [keyword, held] of Object.entries(renewed(rest))) {
      if (keyword === '$id' || keyword === '$defs' || keyword === 'definitions') continue;
      linked[keyword] = this.#linkKeyword(keyword, held, scope);
    }
    if (typeof $ref === 'string') {
      const target = find($ref, scope);
      if (target === undefined) linked[UNRESOLVED] = $ref;
      else {
        const allOf = (linked['allOf'] as LinkedSchema[] | undefined) ?? [];
        linked['allOf'] = [...allOf, this.link(target, scope)];
      }
    }
    return linked;
  }

  #linkKeyword(keyword: string, held: unknown, scope: Scope): unknown {
    if (ONE.has(keyword)) return this.link(held, scope);
    if (LISTS.has(keyword)) return (held as unknown[]).map((inner) => this.link(inner, scope));
    if (!NAMED.has(keyword)) return held;
    return Object.fromEntries(
      Object.entries(held as Fields).map(([name, inner]) => [name, this.link(inner, scope)]),
    );
  }
}

function scopeWithin(schema: Fields, around: Scope): Scope {
  const own = DEFINITIONS.flatMap((name) => (schema[name] === undefined ? [] : [schema[name]]));
  if (own.length === 0) return around;
  return { ...around, definitions: Object.assign({}, around.definitions, ...own) as Fields };
}

/** @returns `undefined` for a reference to nothing */
function find($ref: string, { root, definitions }: Scope): unknown {
  const name = $ref.replace(/^#\/(\$defs|definitions)\//, '');
  if (Object.hasOwn(definitions, name)) return definitions[name];
  const withId = Object.values(definitions).find((one) => (one as Fields)['$id'] === $ref);
  if (withId || root['$id'] === $ref) return withId ?? root;
  if ($ref !== '#' && !$ref.startsWith('#/')) return undefined;
  let part: unknown = root;
  for (const step of $ref.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(Object(part) as object, key)) return undefined;
    part = (part as Fields)[key];
  }
  return part;
}

/** Returns a schema in which each constraint has one form, where JSON Schema has several keywords for it. */
function renewed(schema: Fields): Fields {
  const copy: Record<string, unknown> = { ...schema };
  const { items, patternProperties } = schema;
  if (Array.isArray(items)) {
    copy['prefixItems'] = items;
    delete copy['items'];
    if (copy['additionalItems'] !== undefined) copy['items'] = copy['additionalItems'];
  }
  delete copy['additionalItems'];
  if ('const' in schema) {
    copy['enum'] = [schema['const']];
    delete copy['const'];
  }
  if (schema['type'] === 'integer') closeLimits(copy);
  const [pattern, ...more] = Object.keys(Object(patternProperties) as object);
  if (pattern && more.length === 0 && ANY_KEY.test(pattern)) {
    copy['additionalProperties'] = (patternProperties as Fields)[pattern];
    delete copy['patternProperties'];
  }
  return copy;
}

/** Writes the exclusive limits of integers as inclusive limits. */
function closeLimits(copy: Record<string, unknown>): void {
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum } = copy;
  if (typeof above === 'number' && minimum === undefined) {
    copy['minimum'] = Math.floor(above) + 1;
    delete copy['exclusiveMinimum'];
  }
  if (typeof below === 'number' && maximum === undefined) {
    copy['maximum'] = Math.ceil(below) - 1;
    delete copy['exclusiveMaximum'];
  }
}
