/**
 * TypeBox's builders of objects, and builders that make an object's schema of another object's schema. TypeBox's
 * builders take any type, and compute its properties. These builders take only the schema of an object, which needs no
 * computing.
 */
import type {
  TAny,
  TEnum,
  TInteger,
  TKeyOf,
  TKeysToIndexer,
  TLiteral,
  TNever,
  TNumber,
  TObject,
  TObjectOptions,
  TOmit,
  TPartial,
  TPick,
  TProperties,
  TRecordAction,
  TRequired,
  TSchema,
  TSchemaOptions,
  TString,
  TUnion,
} from 'typebox';
import { Literal, Never, Union } from './builders.ts';
import { extendSchema, kindOf, makeSchema, mapValues, withoutMark } from './make-schema.ts';

/**
 * Allows objects with these properties, such as `Type.Object({ name: Type.String() })`. Objects may also have other
 * properties, unless the options are `{ additionalProperties: false }`.
 */
export function Object<Properties extends TProperties>(
  properties: Properties,
  options?: TObjectOptions,
): TObject<Properties> {
  const required = globalThis.Object.keys(properties).filter(
    (key) => !('~optional' in (properties[key] as TSchema)),
  );
  return makeSchema(
    'Object',
    { type: 'object', ...(required.length > 0 && { required }), properties },
    options,
  );
}

/**
 * Makes all properties of an object's schema optional. Options such as `additionalProperties` are not taken over.
 *
 * @throws TypeError for a schema that is not made by `Type.Object`
 */
export function Partial<Type extends TObject>(
  type: Type,
  options?: TObjectOptions,
): TPartial<Type> {
  return objectOf(
    mapValues(propertiesOf(type, 'Partial'), (schema) =>
      extendSchema<TSchema>(schema, { '~optional': true }),
    ),
    options,
  );
}

/**
 * Makes all properties of an object's schema required. Options such as `additionalProperties` are not taken over.
 *
 * @throws TypeError for a schema that is not made by `Type.Object`
 */
export function Required<Type extends TObject>(
  type: Type,
  options?: TObjectOptions,
): TRequired<Type> {
  return objectOf(
    mapValues(propertiesOf(type, 'Required'), (schema) =>
      withoutMark<TSchema>(schema, '~optional'),
    ),
    options,
  );
}

/** A schema of the names of properties. */
type Names = TLiteral<string | number> | TEnum | TUnion | TNever;

/**
 * Takes some properties of an object's schema, such as `Type.Pick(Order, ['id', 'total'])`. Options such as
 * `additionalProperties` are not taken over.
 *
 * @param names - a list, or a schema of names
 * @throws TypeError for a schema that is not made by `Type.Object`, or for names that are not listed
 */
export function Pick<Type extends TObject, Keys extends PropertyKey[]>(
  type: Type,
  names: readonly [...Keys],
  options?: TObjectOptions,
): TPick<Type, TKeysToIndexer<Keys>>;
export function Pick<Type extends TObject, Keys extends Names>(
  type: Type,
  names: Keys,
  options?: TObjectOptions,
): TPick<Type, Keys>;
export function Pick(
  type: TObject,
  names: readonly PropertyKey[] | Names,
  options?: TObjectOptions,
): unknown {
  const picked = listed(names, 'Pick');
  return filtered(propertiesOf(type, 'Pick'), (name) => picked.includes(name), options);
}

/**
 * Leaves out some properties of an object's schema, such as `Type.Omit(Order, ['id'])`. Options such as
 * `additionalProperties` are not taken over.
 *
 * @param names - a list, or a schema of names
 * @throws TypeError for a schema that is not made by `Type.Object`, or for names that are not listed
 */
export function Omit<Type extends TObject, Keys extends PropertyKey[]>(
  type: Type,
  names: readonly [...Keys],
  options?: TObjectOptions,
): TOmit<Type, TKeysToIndexer<Keys>>;
export function Omit<Type extends TObject, Keys extends Names>(
  type: Type,
  names: Keys,
  options?: TObjectOptions,
): TOmit<Type, Keys>;
export function Omit(
  type: TObject,
  names: readonly PropertyKey[] | Names,
  options?: TObjectOptions,
): unknown {
  const omitted = listed(names, 'Omit');
  return filtered(propertiesOf(type, 'Omit'), (name) => !omitted.includes(name), options);
}

/**
 * Allows the names of an object's properties.
 *
 * @throws TypeError for a schema that is not made by `Type.Object`
 */
export function KeyOf<Type extends TObject>(type: Type, options?: TSchemaOptions): TKeyOf<Type> {
  const names = globalThis.Object.keys(propertiesOf(type, 'KeyOf')).map((name) =>
    Literal(/^(?:0|[1-9][0-9]*)$/.test(name) ? Number(name) : name),
  );
  const [only = Never()] = names;
  return extendSchema(names.length > 1 ? Union(names) : only, {}, options);
}

/** The pattern of the keys, by the kind of a key's schema. */
const PATTERNS: { readonly [kind: string]: string } = {
  Any: '^.*$',
  String: '^.*$',
  Integer: '^-?(?:0|[1-9][0-9]*)$',
  Number: '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$',
};

/**
 * Allows objects with any keys, such as `Type.Record(Type.String(), Type.Number())`. For keys that are listed, as in
 * `Type.Record(Type.Enum(['width', 'height']), Type.Number())`, it makes the schema of an object that has all of these
 * keys.
 *
 * @param key - a schema of texts, which can have a `pattern`, of numbers, or of names
 * @throws TypeError for another schema as key
 */
export function Record<
  Key extends TAny | TString | TNumber | TInteger | Names,
  Value extends TSchema,
>(key: Key, value: Value, options?: TObjectOptions): TRecordAction<Key, Value> {
  const pattern = patternOf(key);
  if (pattern === undefined) {
    const names = listed(key as Names, 'Record');
    return objectOf(globalThis.Object.fromEntries(names.map((name) => [name, value])), options);
  }
  return extendSchema(
    makeSchema('Record', { type: 'object', patternProperties: { [pattern]: value } }),
    {},
    options,
  );
}

/** Returns the pattern of the keys that a schema allows; `undefined` if the schema lists them. */
function patternOf(key: TSchema): string | undefined {
  const kind = String(kindOf(key));
  const { pattern, anyOf } = key as Keywords;
  if (kind === 'String' && pattern !== undefined) return String(pattern);
  // A union that has texts or numbers allows any key.
  if (kind === 'Union') return anyOf?.some(patternOf) ? PATTERNS['String'] : undefined;
  return PATTERNS[kind];
}

/** Returns the names in a list, or in a schema of names. */
function listed(names: readonly PropertyKey[] | TSchema, builder: string): string[] {
  if (globalThis.Array.isArray(names)) return names.map(String);
  const kind = kindOf(names);
  const { const: name, enum: values, anyOf } = names as Keywords;
  if (kind === 'Union' && anyOf) return anyOf.flatMap((type) => listed(type, builder));
  if (kind === 'Enum' && values) return values.map(String);
  if (kind === 'Literal' && /^(string|number)$/.test(typeof name)) return [String(name)];
  if (kind === 'Never') return [];
  throw notComputed(builder, 'names that are listed by Type.Literal, Type.Enum or Type.Union');
}

/** The properties of schemas of keys. */
interface Keywords {
  pattern?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly TSchema[];
}

function propertiesOf(type: TObject, builder: string): TProperties {
  if (kindOf(type) !== 'Object') throw notComputed(builder, 'a schema made by Type.Object');
  return type.properties;
}

function notComputed(builder: string, taken: string): TypeError {
  return new TypeError(
    `Type.${builder} of lumenize-rpc/typebox takes ${taken}. For any other type, import ${builder} from typebox.`,
  );
}

function filtered(
  properties: TProperties,
  isKept: (name: string) => boolean,
  options: TObjectOptions | undefined,
): TObject {
  const kept = globalThis.Object.entries(properties).filter(([name]) => isKept(name));
  return objectOf(globalThis.Object.fromEntries(kept), options);
}

/** Makes the schema of an object. TypeBox computes its type from the schemas of the properties. */
function objectOf<Schema>(properties: TProperties, options: TObjectOptions | undefined): Schema {
  return extendSchema(Object(properties), {}, options);
}
