/** The names of a method's arguments, and how their schemas are read. */
import { isStandard, type MethodDescription } from '../server/contract/description.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The names by which the arguments of a method can be sent. */
export interface Parameters {
  /** True if the method takes one object, which can be sent without a list around it. */
  readonly isObject: boolean;
  /**
   * The schemas of the arguments, or of the properties of the one object, by name and in their order. `undefined` if
   * there are no names.
   */
  readonly named: ReadonlyMap<string, JsonSchema> | undefined;
}

interface WithJsonSchema {
  readonly jsonSchema?: { input(options: { target: string; libraryOptions: object }): unknown };
}

/** Options for Zod and Valibot, with which they also make a schema for an object that contains, for example, a date. */
const LENIENT = { unrepresentable: 'any', errorMode: 'ignore' };

/**
 * Returns the JSON Schema of an argument. A schema of TypeBox is a JSON Schema. Other libraries make one if they
 * implement Standard JSON Schema.
 *
 * @returns `undefined` for a schema without a JSON Schema, and for an argument without a schema, such as a capability
 */
function jsonSchemaOf(schema: unknown): JsonSchema | undefined {
  if (!isStandard(schema)) return typeof schema === 'object' ? (schema as JsonSchema) : undefined;
  try {
    const { jsonSchema } = schema['~standard'] as WithJsonSchema;
    return jsonSchema?.input({ target: 'draft-2020-12', libraryOptions: LENIENT }) as
      | JsonSchema
      | undefined;
  } catch {
    // The library has no JSON Schema for it.
    return undefined;
  }
}

const known = new WeakMap<MethodDescription, Parameters>();

export function parametersOf(method: MethodDescription): Parameters {
  let parameters = known.get(method);
  if (!parameters) known.set(method, (parameters = findParameters(method)));
  return parameters;
}

/**
 * Returns the definition to which a schema refers, or else the schema itself. Libraries make such a reference for a
 * schema with an id.
 */
export function resolved(schema: JsonSchema): JsonSchema {
  const { $ref, $defs } = schema as { $ref?: string; $defs?: Record<string, JsonSchema> };
  const target = $defs?.[$ref?.split('/').at(-1) ?? ''];
  return target ? { ...target, ...schema } : schema;
}

/**
 * Returns the schemas of the arguments that a caller sends. The runtime sets the last argument of rows, and a caller
 * who follows a presence sends no arguments.
 */
export function sentArguments({ kind, input }: MethodDescription): MethodDescription['input'] {
  if (kind === 'presence') return [];
  return kind === 'rows' ? input.slice(0, -1) : input;
}

function findParameters(method: MethodDescription): Parameters {
  const input = sentArguments(method);
  const schemas = input.map((schema) => resolved(jsonSchemaOf(schema) ?? {}));
  const [only] = schemas;
  const named = new Map(schemas.map((schema) => [schema['title'] as string, schema]));
  const isNamed =
    named.size === input.length && [...named.keys()].every((name) => typeof name === 'string');
  const isObject = input.length === 1 && ((only && takesObject(only)) || !isNamed);
  if (!isObject) return { isObject, named: isNamed ? named : undefined };
  const { properties } = only ?? {};
  return { isObject, named: properties ? new Map(Object.entries(properties)) : undefined };
}

/** Returns whether each value of a schema is an object. */
export function takesObject({ type, allOf, anyOf, oneOf }: JsonSchema): boolean {
  const every = (list: unknown): boolean =>
    Array.isArray(list) && list.length > 0 && (list as JsonSchema[]).every(takesObject);
  return type === 'object' || every(allOf) || every(anyOf) || every(oneOf);
}

/** Returns whether a schema takes text, so that the text in a query is the value itself. */
export function takesText({ type, enum: values, const: value, anyOf, oneOf }: JsonSchema): boolean {
  const isText = (one: unknown): boolean => typeof one === 'string';
  const some = (list: unknown, test: (one: never) => boolean): boolean =>
    Array.isArray(list) && list.some(test as (one: unknown) => boolean);
  return (
    type === 'string' ||
    isText(value) ||
    some(type, (one) => one === 'string') ||
    some(values, isText) ||
    some(anyOf, takesText) ||
    some(oneOf, takesText)
  );
}
