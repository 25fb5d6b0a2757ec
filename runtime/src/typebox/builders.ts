/**
 * TypeBox's builders of schemas whose types need no computing. Each builder has TypeBox's type, and returns the same
 * schema as TypeBox's builder. TypeBox itself is imported only for its types.
 */
import type * as TypeBox from 'typebox';
import { extendSchema, makeSchema, mapValues } from './make-schema.ts';

/** Allows any value. Its type is `any`. */
export const Any: typeof TypeBox.Any = (options) => makeSchema('Any', {}, options);

/** Allows any value. Its type is `unknown`. */
export const Unknown: typeof TypeBox.Unknown = (options) => makeSchema('Unknown', {}, options);

/** Allows no value. */
export const Never: typeof TypeBox.Never = (options) => makeSchema('Never', { not: {} }, options);

/** Allows strings, such as `Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z]+$' })`. */
export const String: typeof TypeBox.String = (options) =>
  makeSchema('String', { type: 'string' }, options);

/** Allows finite numbers, such as `Type.Number({ minimum: 0 })`. */
export const Number: typeof TypeBox.Number = (options) =>
  makeSchema('Number', { type: 'number' }, options);

/** Allows numbers without a fraction, such as `Type.Integer({ minimum: 1, maximum: 100 })`. */
export const Integer: typeof TypeBox.Integer = (options) =>
  makeSchema('Integer', { type: 'integer' }, options);

/** Allows a `bigint`, such as `Type.BigInt({ minimum: 0n })`. */
export const BigInt: typeof TypeBox.BigInt = (options) =>
  makeSchema('BigInt', { type: 'bigint' }, options);

/** Allows `true` and `false`. */
export const Boolean: typeof TypeBox.Boolean = (options) =>
  makeSchema('Boolean', { type: 'boolean' }, options);

/** Allows `null`. */
export const Null: typeof TypeBox.Null = (options) => makeSchema('Null', { type: 'null' }, options);

/** Allows `undefined`. */
export const Undefined: typeof TypeBox.Undefined = (options) =>
  makeSchema('Undefined', { type: 'undefined' }, options);

/** Allows `undefined`. Its type is `void`, for the results of functions. */
export const Void: typeof TypeBox.Void = (options) => makeSchema('Void', { type: 'void' }, options);

/**
 * Allows one value, such as `Type.Literal('open')`.
 *
 * @throws TypeError for a value that is no string, finite number, boolean or bigint
 */
export const Literal: typeof TypeBox.Literal = (value, options) => {
  const type = typeof value;
  if (!/^(string|boolean|bigint)$/.test(type) && !globalThis.Number.isFinite(value)) {
    throw new TypeError(
      `Type.Literal takes a string, a finite number, a boolean or a bigint, not ${value}`,
    );
  }
  return makeSchema('Literal', { type, const: value }, options);
};

/** Allows strings or numbers of a list, such as `Type.Enum(['open', 'closed'])`, or the values of a TypeScript enum. */
export const Enum = ((
  values: readonly TypeBox.TEnumValue[] | Record<string, TypeBox.TEnumValue>,
  options?: TypeBox.TSchemaOptions,
) => {
  // A numeric enum also has its numbers as keys.
  const list = globalThis.Array.isArray(values)
    ? values
    : Object.entries(values).flatMap(([key, value]) => (isNaN(+key) ? [value] : []));
  return makeSchema('Enum', { enum: list }, options);
}) as typeof TypeBox.Enum;

/** Allows arrays, such as `Type.Array(Type.String(), { maxItems: 20 })`. */
export const Array: typeof TypeBox.Array = (items, options) =>
  makeSchema('Array', { type: 'array', items }, options);

/** Allows arrays with an item for each schema, such as `Type.Tuple([Type.Number(), Type.Number()])`. */
export const Tuple: typeof TypeBox.Tuple = (items, options) =>
  makeSchema(
    'Tuple',
    { type: 'array', additionalItems: false, items, minItems: items.length },
    options,
  );

/** Allows values that match one of the schemas, such as `Type.Union([Type.Integer(), Type.Null()])`. */
export const Union: typeof TypeBox.Union = (anyOf, options) =>
  makeSchema('Union', { anyOf }, options);

/** Allows values that match all schemas, such as `Type.Intersect([Address, Person])`. */
export const Intersect: typeof TypeBox.Intersect = (allOf, options) =>
  makeSchema('Intersect', { allOf }, options);

/** Describes a function. A contract takes functions by `callback([…])`. */
export const Function: typeof TypeBox.Function = (parameters, returnType, options) =>
  makeSchema('Function', { type: 'function', parameters, returnType }, options);

/** Names a schema of the `Type.Cyclic` that it is in. */
export const Ref: typeof TypeBox.Ref = ($ref, options) => makeSchema('Ref', { $ref }, options);

/** Names the whole schema that it is in. */
export const This: typeof TypeBox.This = (options) => makeSchema('This', { $ref: '#' }, options);

/**
 * Makes schemas that contain each other.
 *
 * @example
 * const Folder = Type.Cyclic({
 *   Folder: Type.Object({ name: Type.String(), folders: Type.Array(Type.Ref('Folder')) }),
 * }, 'Folder');
 */
export const Cyclic: typeof TypeBox.Cyclic = ($defs, $ref, options) =>
  makeSchema(
    'Cyclic',
    { $defs: mapValues({ ...$defs }, (schema, $id) => extendSchema(schema, {}, { $id })), $ref },
    options,
  );

/** Allows a value to be left out: a property or an argument, such as `Type.Optional(Type.Integer())`. */
export const Optional: typeof TypeBox.Optional = (schema) =>
  extendSchema(schema, { '~optional': true });

/** Makes a property `readonly` in the type. */
export const Readonly: typeof TypeBox.Readonly = (schema) =>
  extendSchema(schema, { '~readonly': true });

/** Gives a JSON Schema a type, such as `Type.Unsafe<'a' | 'b'>({ enum: ['a', 'b'] })`. */
export const Unsafe: typeof TypeBox.Unsafe = (schema) => extendSchema(schema, { '~unsafe': null });

interface Refinement {
  check(value: unknown): boolean;
  error(value: unknown): string;
}

/** Adds a check that JSON Schema cannot express, such as `Type.Refine(Type.Integer(), isPrime, () => 'no prime')`. */
export const Refine = ((
  schema: object & { '~refine'?: readonly Refinement[] },
  check: Refinement['check'],
  error: Refinement['error'] = () => 'Refine Error',
) =>
  extendSchema(schema, {
    '~refine': [...(schema['~refine'] ?? []), { check, error }],
  })) as typeof TypeBox.Refine;
