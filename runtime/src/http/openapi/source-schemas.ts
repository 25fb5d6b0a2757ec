/**
 * Makes the JSON Schema of a contract's schema by the schema's library. A schema of TypeBox is a JSON Schema. Other
 * libraries make one if they implement Standard JSON Schema: https://standardschema.dev/json-schema.
 */
import { isStandard, type StandardSchema } from '../../server/contract/description.ts';
import type { JsonSchema } from '../parameters.ts';
import { JSON_FORMS } from '../values.ts';

/** The direction of a value: a client sends it as JSON, or an object sends it as JSON. */
export type Direction = 'input' | 'output';

/** Makes the JSON Schema of a schema whose library does not implement Standard JSON Schema. */
export type ToJsonSchema = (schema: object) => object | undefined;

interface WithJsonSchema {
  readonly vendor: string;
  readonly validate: (value: unknown) => unknown;
  readonly jsonSchema?: {
    input(options: { target: string; libraryOptions?: object | undefined }): unknown;
  };
}

/** The schema of a value that JSON lacks, so that nobody can send it. */
const IMPOSSIBLE: JsonSchema = { not: {} };

/** The names of these libraries for the types of `JSON_FORMS`. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  bigint: 'BigInt',
  date: 'Date',
  map: 'Map',
  set: 'Set',
  Uint8Array: 'ArrayBuffer',
};

/** The types that TypeBox has, and JSON lacks, by the names that all these libraries have for them. */
export const LACKING = /^(undefined|void|function|constructor|symbol)$/;

/** Returns the JSON Schema of a type that JSON lacks; `undefined` for any other type. */
export function formOf(type: string, direction: Direction): JsonSchema | undefined {
  if (LACKING.test(type)) return { type };
  const name = namedType(type);
  if (name === undefined) return undefined;
  return direction === 'input' ? IMPOSSIBLE : JSON_FORMS[name].schema;
}

/** Returns the name that TypeBox has for a type which JSON lacks; `undefined` for any other type. */
export function namedType(type: string): keyof typeof JSON_FORMS | undefined {
  const name = TYPE_NAMES[type] ?? type;
  return Object.hasOwn(JSON_FORMS, name) ? (name as keyof typeof JSON_FORMS) : undefined;
}

/** The arguments of the overrides of these libraries that are needed here. */
export interface ZodContext<Def = object> {
  readonly zodSchema: { readonly _zod: ZodInternals<Def> };
  readonly jsonSchema: Record<string, unknown>;
}
export interface ZodInternals<Def = object> {
  readonly def: Def & { readonly type: string; readonly coerce?: boolean };
  readonly bag: { readonly Class?: { readonly name: string } };
}
export interface ValibotContext {
  readonly valibotSchema: {
    readonly type: string;
    readonly class?: { readonly name: string };
  };
}
export interface ArkTypeContext {
  readonly code: string;
  readonly base: object;
  readonly domain?: string;
  readonly unit?: unknown;
  readonly proto?: { readonly name: string };
}

/**
 * The options of each library. Without them, Zod and Valibot refuse a schema that contains, for example, a date, and
 * ArkType allows any value in place of the date.
 */
const LIBRARY_OPTIONS: Readonly<Record<string, (direction: Direction) => object>> = {
  zod: (direction) => ({
    unrepresentable: 'any',
    override({ zodSchema: { _zod: zod }, jsonSchema }: ZodContext) {
      const { def, bag } = zod;
      // A schema that coerces accepts text, which JSON can represent.
      const form = formOf(bag?.Class?.name ?? def.type, def.coerce ? 'output' : direction);
      if (form) Object.assign(jsonSchema, form);
    },
  }),
  valibot: (direction) => ({
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema }: ValibotContext) =>
      formOf(valibotSchema.class?.name ?? valibotSchema.type, direction),
  }),
  arktype: (direction) => ({
    fallback: {
      default: (context: ArkTypeContext) => formOf(typeOfArk(context), direction) ?? context.base,
    },
  }),
};

/** Returns the name of the type that ArkType cannot represent. */
export function typeOfArk({ code, domain, proto, ...more }: ArkTypeContext): string {
  return proto?.name ?? domain ?? ('unit' in more ? typeof more.unit : code);
}

/**
 * @returns the schema that the library has made; `{}`, with a description, for a library that makes none. A transform
 *   is described by its input, which clients send and methods return.
 */
export function sourceSchemaOf(
  schema: object,
  direction: Direction,
  toJsonSchema: ToJsonSchema | undefined,
): JsonSchema {
  const own = toJsonSchema?.(schema) as JsonSchema | undefined;
  if (own) return own;
  if (!isStandard(schema)) return schema as JsonSchema;
  const { vendor } = schema['~standard'];
  const made = schemaOfLibrary(schema, LIBRARY_OPTIONS[vendor]?.(direction));
  if (made) return made;
  return { description: `Checked by a schema of ${vendor}, which makes no JSON Schema.` };
}

/**
 * @param libraryOptions - options of the library
 * @returns the schema that the library has made; `undefined` for a library that makes none
 */
export function schemaOfLibrary(
  schema: StandardSchema,
  libraryOptions: object | undefined,
): JsonSchema | undefined {
  const { jsonSchema } = schema['~standard'] as WithJsonSchema;
  try {
    return jsonSchema?.input({ target: 'draft-2020-12', libraryOptions }) as JsonSchema | undefined;
  } catch {
    // The library has no JSON Schema for it.
    return undefined;
  }
}

/** Returns whether an argument can be left out, or a result can be `undefined`. */
export function mayBeUndefined(schema: object): boolean {
  if (!isStandard(schema)) return '~optional' in schema || includesUndefined(schema as JsonSchema);
  try {
    const result = (schema['~standard'] as WithJsonSchema).validate(undefined);
    return 'value' in (result as object) && !(result as { issues?: unknown }).issues;
  } catch {
    return false;
  }
}

/** Returns whether a schema of TypeBox accepts `undefined`. */
export function includesUndefined(schema: unknown): boolean {
  const { type, anyOf } = Object(schema) as { type?: unknown; anyOf?: unknown };
  if (Array.isArray(anyOf)) return anyOf.some(includesUndefined);
  return [type].flat().some((name) => name === 'undefined' || name === 'void');
}
