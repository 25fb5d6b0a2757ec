/**
 * Makes the schemas of a document. OpenAPI 3.1 uses JSON Schema 2020-12, with these changes to the schema of a
 * contract:
 *
 * - A schema to which others refer, so that it can contain itself, becomes a component with a name, and references lead
 *   to the name.
 * - Types that TypeBox has, and JSON lacks, are replaced by the JSON in a request or a response. A schema of a value
 *   that cannot be sent is left out, with all schemas that contain it.
 * - Keywords of former drafts, such as the `items` of a tuple, have their new names.
 */
import type { JsonSchema } from '../parameters.ts';
import { writeJson } from '../values.ts';
import { type Direction, formOf, includesUndefined, LACKING } from './source-schemas.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Keywords that hold a schema which every value, or a part of every value, has to match. */
const HOLDS_SCHEMA = set(
  'items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else',
);
const HOLDS_LIST = set('allOf anyOf oneOf prefixItems');
const HOLDS_NAMED = set('properties patternProperties dependentSchemas');
/** Keywords that only make sense for a schema that stands alone, and keywords of functions. */
const DROPPED = set(
  '$schema $id $anchor $defs definitions $vocabulary $dynamicAnchor $recursiveAnchor additionalItems dependencies ' +
    'parameters returnType instanceType',
);
/** Keywords for which `false` forbids further items or properties. */
const MAY_BE_FALSE = set('additionalProperties unevaluatedItems unevaluatedProperties');

/** The context of a schema, to which its references can lead. */
interface Source {
  readonly root: JsonSchema;
  /** The definitions in the schemas around the schema. */
  readonly definitions: JsonSchema;
  /** The name for a component without a name of its own. */
  readonly name: string;
  readonly direction: Direction;
  /** The names of the components that were made of its parts; `null` for a part that cannot be sent. */
  readonly names: Map<unknown, string | null>;
}

/** Matches names that a library has generated, which are not shown to readers. */
const NO_NAME = /^(__schema\d+|[a-z]+\d+)$/;

export class Components {
  /** The components by name; `undefined` while a component is being made. */
  readonly #schemas: Map<string, JsonSchema | undefined>;

  readonly #place: string;

  /**
   * @param own - components that the document always has
   * @param place - the beginning of references to the document's schemas
   */
  constructor(own: Readonly<Record<string, JsonSchema>>, place: string) {
    this.#schemas = new Map(Object.entries(own));
    this.#place = place;
  }

  /**
   * @param name - the name of a component, should the schema need one
   * @returns `undefined` for the schema of a value that cannot be sent
   */
  add(schema: JsonSchema, direction: Direction, name: string): JsonSchema | undefined {
    const names = new Map<unknown, string | null>();
    return this.#write(schema, { root: schema, definitions: {}, name, direction, names });
  }

  /** Returns all components, by name. */
  all(): Record<string, JsonSchema | undefined> {
    return Object.fromEntries(this.#schemas);
  }

  #write(schema: unknown, around: Source): JsonSchema | undefined {
    if (schema === true) return {};
    if (typeof schema !== 'object' || schema === null) return undefined;
    const { $ref, $id, $defs, definitions } = schema as Record<string, object | undefined>;
    const source =
      ($defs ?? definitions)
        ? { ...around, definitions: { ...around.definitions, ...definitions, ...$defs } }
        : around;
    if (typeof $ref === 'string') return this.#refer($ref, schema as JsonSchema, source);
    if (typeof $id === 'string' && isName($id)) return this.#component(schema, $id, source);
    return this.#copy(schema as JsonSchema, source);
  }

  /** Writes a reference, with the keywords beside it. */
  #refer($ref: string, schema: JsonSchema, source: Source): JsonSchema | undefined {
    const [part, key = ''] = findPart(source, $ref) ?? [];
    const rest = this.#copy({ ...schema, $ref: undefined }, source);
    if (part === undefined || !rest) return rest;
    const name = isName(key) && !NO_NAME.test(key) ? key : source.name;
    const reference = this.#component(part, name, source);
    return reference && { ...reference, ...rest };
  }

  /** Makes a component, unless an equal component has that name. */
  #component(schema: unknown, name: string, source: Source): JsonSchema | undefined {
    const { names } = source;
    const known = names.get(schema);
    if (known !== undefined) return known === null ? undefined : { $ref: this.#place + known };
    const own = this.#freeName(name);
    names.set(schema, own);
    this.#schemas.set(own, undefined);
    const isReference = Object(schema) === schema && '$ref' in (schema as object);
    const written = isReference
      ? this.#write(schema, source)
      : this.#copy(schema as JsonSchema, source);
    this.#schemas.set(own, written ?? IMPOSSIBLE);
    const instead = written ? this.#equalOf(own, name) : null;
    if (instead !== undefined) names.set(schema, instead);
    // A component that was made meanwhile can refer to this component.
    if (instead !== undefined && !this.#isNeeded(own)) this.#schemas.delete(own);
    const found = instead === undefined ? own : instead;
    return found === null ? undefined : { $ref: this.#place + found };
  }

  #freeName(name: string): string {
    if (!this.#schemas.has(name)) return name;
    for (let count = 2; ; count++) {
      if (!this.#schemas.has(`${name}_${count}`)) return `${name}_${count}`;
    }
  }

  /** Returns whether another component refers to this component. */
  #isNeeded(own: string): boolean {
    const others = [...this.#schemas].filter(([name]) => name !== own);
    return others.some(([, schema]) =>
      (writeJson(schema) ?? '').includes(`"${this.#place}${own}"`),
    );
  }

  /** Finds an equal component with a name that differs by its number. */
  #equalOf(own: string, name: string): string | undefined {
    // Two schemas that contain themselves can be equal.
    const textOf = (one: string): string =>
      (writeJson(this.#schemas.get(one)) ?? '').replaceAll(`"${this.#place}${one}"`, '""');
    const text = textOf(own);
    return [...this.#schemas.keys()].find(
      (other) =>
        other !== own &&
        (other === name || other.replace(/_\d+$/, '') === name) &&
        textOf(other) === text,
    );
  }

  /** @returns `undefined` for the schema of a value that cannot be sent */
  #copy(schema: JsonSchema, source: Source): JsonSchema | undefined {
    const { not, type, const: value } = schema;
    if (not === true || (not && Object.keys(not).length === 0)) return undefined;
    if (type === 'bigint' || typeof value === 'bigint') {
      const form = formOf('bigint', source.direction) as JsonSchema;
      if (isImpossible(form)) return undefined;
      const { title, description } = schema;
      return {
        ...form,
        title,
        description,
        ...(value !== undefined && { const: `${value as bigint}` }),
      };
    }
    if (Array.isArray(type)) {
      const anyOf = type.map((one: unknown) => ({ ...schema, type: one }));
      if (type.some(isLacking)) return this.#copy({ anyOf }, source);
    } else if (isLacking(type)) return undefined;
    const copy: Record<string, unknown> = {};
    for (const [keyword, held] of Object.entries(renewed(schema))) {
      if (held === undefined || keyword.startsWith('~') || DROPPED.has(keyword)) continue;
      const written = this.#writeKeyword(keyword, held, schema, source);
      if (written === undefined) return undefined;
      if (written !== NOTHING) copy[keyword] = written;
    }
    // Generators of clients need the schema of the items of each array.
    if (type === 'array' && !('prefixItems' in copy)) copy['items'] ??= {};
    const { anyOf, ...rest } = copy as { anyOf?: JsonSchema[] };
    if (!anyOf) return copy;
    if (anyOf.length === 1) return { ...anyOf[0], ...rest };
    const isOfTexts = anyOf.every((one) => Object.keys(one).length === 2 && isText(one));
    // Generators of clients make an enumeration from this form.
    return isOfTexts ? { type: 'string', enum: anyOf.map((one) => one['const']), ...rest } : copy;
  }

  /** @returns `undefined` if nothing can match the keyword, `NOTHING` to leave it out */
  #writeKeyword(keyword: string, held: unknown, schema: JsonSchema, source: Source): unknown {
    if (keyword === 'required') {
      const { properties } = schema as { properties?: Record<string, unknown> };
      // JSON cannot have a property that is undefined.
      const names = (held as string[]).filter((name) => !includesUndefined(properties?.[name]));
      return names.length > 0 ? names : NOTHING;
    }
    if (keyword === 'properties') return this.#writeProperties(held as JsonSchema, schema, source);
    if (HOLDS_NAMED.has(keyword)) {
      const entries = Object.entries(held as object).map(([name, inner]) => [
        name,
        this.#write(inner, source) ?? IMPOSSIBLE,
      ]);
      return Object.fromEntries(entries) as unknown;
    }
    if (HOLDS_LIST.has(keyword)) {
      const written = (held as unknown[]).map((inner) => this.#write(inner, source));
      const possible = written.filter((inner) => inner !== undefined);
      const isChoice = keyword === 'anyOf' || keyword === 'oneOf';
      if (isChoice ? possible.length === 0 : possible.length < written.length) return undefined;
      return possible;
    }
    if (HOLDS_SCHEMA.has(keyword)) {
      if (held === false && MAY_BE_FALSE.has(keyword)) return false;
      const written = this.#write(held, source);
      return written ?? (keyword === 'items' || keyword === 'contains' ? undefined : IMPOSSIBLE);
    }
    if (held instanceof RegExp) return held.source;
    if (typeof held === 'bigint') return NOTHING;
    return held;
  }

  #writeProperties(properties: JsonSchema, schema: JsonSchema, source: Source): unknown {
    const required = new Set(schema['required'] as string[] | undefined);
    const copies: [name: string, copy: JsonSchema][] = [];
    for (const [name, inner] of Object.entries(properties)) {
      const written = this.#write(inner, source);
      if (written) copies.push([name, written]);
      else if (required.has(name) && !includesUndefined(inner)) return undefined;
    }
    return Object.fromEntries(copies);
  }
}

/** The schema of a value that cannot be sent, for places where a document needs a schema. */
const IMPOSSIBLE: JsonSchema = { not: {} };

/** A keyword that is left out. */
const NOTHING = Symbol('nothing');

function isName(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}

/** Returns whether JSON has no values of a type. */
function isLacking(type: unknown): boolean {
  return type === 'bigint' || (typeof type === 'string' && LACKING.test(type));
}

function isText({ type, const: value }: JsonSchema): boolean {
  return type === 'string' && value !== undefined;
}

function isImpossible(schema: JsonSchema): boolean {
  return JSON.stringify(schema) === '{"not":{}}';
}

/**
 * Finds the part of a schema to which a reference leads, by a name in `$defs`, as TypeBox writes it, or by a pointer.
 *
 * @returns the part, and its key in the schema that contains it; `undefined` if there is none
 */
function findPart(
  { root, definitions }: Source,
  $ref: string,
): [part: unknown, key: string | undefined] | undefined {
  const name = $ref.replace(/^#\/(\$defs|definitions)\//, '');
  if (Object.hasOwn(definitions, name)) return [definitions[name], name];
  if ($ref !== '#' && !$ref.startsWith('#/')) return undefined;
  let part: unknown = root;
  let key: string | undefined;
  for (const step of $ref.slice(1).split('/').slice(1)) {
    key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as JsonSchema)[key];
  }
  return [part, key];
}

/** Returns a schema with the keywords of former drafts in their new form. */
function renewed(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, dependencies } = schema;
  const copy: Record<string, unknown> = { ...schema };
  if (Array.isArray(items)) {
    delete copy['items'];
    if (items.length > 0) copy['prefixItems'] = items;
    // `items: false` is not written, because generators of clients do not read it.
    if (additionalItems === false) copy['maxItems'] = items.length;
    else if (additionalItems !== undefined) copy['items'] = additionalItems;
  }
  for (const [name, needed] of Object.entries((dependencies as object | undefined) ?? {})) {
    const keyword = Array.isArray(needed) ? 'dependentRequired' : 'dependentSchemas';
    copy[keyword] = { ...(copy[keyword] as object | undefined), [name]: needed as unknown };
  }
  return copy;
}
