import * as TypeBox from "typebox";
import { Static, TAny, TAny as TAny$1, TArray, TArrayOptions, TBigInt, TBoolean, TCyclic, TEnum, TEnum as TEnum$1, TEnumValue, TFunction, TInteger, TInteger as TInteger$1, TIntersect, TKeyOf, TKeyOf as TKeyOf$1, TKeysToIndexer, TLiteral, TLiteral as TLiteral$1, TLiteralValue, TNever, TNever as TNever$1, TNull, TNumber, TNumber as TNumber$1, TNumberOptions, TObject, TObject as TObject$1, TObjectOptions, TObjectOptions as TObjectOptions$1, TOmit, TOmit as TOmit$1, TOptional, TPartial, TPartial as TPartial$1, TPick, TPick as TPick$1, TProperties, TProperties as TProperties$1, TReadonly, TRecord, TRecordAction, TRef, TRefine, TRequired, TRequired as TRequired$1, TSchema, TSchema as TSchema$1, TSchemaOptions, TSchemaOptions as TSchemaOptions$1, TString, TString as TString$1, TStringOptions, TThis, TTuple, TUndefined, TUnion, TUnion as TUnion$1, TUnknown, TUnsafe, TVoid } from "typebox";
/** Allows any value. Its type is `any`. */
export declare const Any: typeof TypeBox.Any;
/** Allows any value. Its type is `unknown`. */
export declare const Unknown: typeof TypeBox.Unknown;
/** Allows no value. */
export declare const Never: typeof TypeBox.Never;
/** Allows strings, such as `Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z]+$' })`. */
export declare const String: typeof TypeBox.String;
/** Allows finite numbers, such as `Type.Number({ minimum: 0 })`. */
export declare const Number: typeof TypeBox.Number;
/** Allows numbers without a fraction, such as `Type.Integer({ minimum: 1, maximum: 100 })`. */
export declare const Integer: typeof TypeBox.Integer;
/** Allows a `bigint`, such as `Type.BigInt({ minimum: 0n })`. */
export declare const BigInt: typeof TypeBox.BigInt;
/** Allows `true` and `false`. */
export declare const Boolean: typeof TypeBox.Boolean;
/** Allows `null`. */
export declare const Null: typeof TypeBox.Null;
/** Allows `undefined`. */
export declare const Undefined: typeof TypeBox.Undefined;
/** Allows `undefined`. Its type is `void`, for the results of functions. */
export declare const Void: typeof TypeBox.Void;
/**
 * Allows one value, such as `Type.Literal('open')`.
 *
 * @throws TypeError for a value that is no string, finite number, boolean or bigint
 */
export declare const Literal: typeof TypeBox.Literal;
/** Allows strings or numbers of a list, such as `Type.Enum(['open', 'closed'])`, or the values of a TypeScript enum. */
export declare const Enum: typeof TypeBox.Enum;
/** Allows arrays, such as `Type.Array(Type.String(), { maxItems: 20 })`. */
export declare const Array: typeof TypeBox.Array;
/** Allows arrays with an item for each schema, such as `Type.Tuple([Type.Number(), Type.Number()])`. */
export declare const Tuple: typeof TypeBox.Tuple;
/** Allows values that match one of the schemas, such as `Type.Union([Type.Integer(), Type.Null()])`. */
export declare const Union: typeof TypeBox.Union;
/** Allows values that match all schemas, such as `Type.Intersect([Address, Person])`. */
export declare const Intersect: typeof TypeBox.Intersect;
/** Describes a function. A contract takes functions by `callback([…])`. */
export declare const Function: typeof TypeBox.Function;
/** Names a schema of the `Type.Cyclic` that it is in. */
export declare const Ref: typeof TypeBox.Ref;
/** Names the whole schema that it is in. */
export declare const This: typeof TypeBox.This;
/**
 * Makes schemas that contain each other.
 *
 * @example
 * const Folder = Type.Cyclic({
 *   Folder: Type.Object({ name: Type.String(), folders: Type.Array(Type.Ref('Folder')) }),
 * }, 'Folder');
 */
export declare const Cyclic: typeof TypeBox.Cyclic;
/** Allows a value to be left out: a property or an argument, such as `Type.Optional(Type.Integer())`. */
export declare const Optional: typeof TypeBox.Optional;
/** Makes a property `readonly` in the type. */
export declare const Readonly: typeof TypeBox.Readonly;
/** Gives a JSON Schema a type, such as `Type.Unsafe<'a' | 'b'>({ enum: ['a', 'b'] })`. */
export declare const Unsafe: typeof TypeBox.Unsafe;
/** Adds a check that JSON Schema cannot express, such as `Type.Refine(Type.Integer(), isPrime, () => 'no prime')`. */
export declare const Refine: typeof TypeBox.Refine;
/**
 * Allows objects with these properties, such as `Type.Object({ name: Type.String() })`. Objects may also have other
 * properties, unless the options are `{ additionalProperties: false }`.
 */
declare function Object$1<Properties extends TProperties$1>(properties: Properties, options?: TObjectOptions$1): TObject$1<Properties>;
/**
 * Makes all properties of an object's schema optional. Options such as `additionalProperties` are not taken over.
 *
 * @throws TypeError for a schema that is not made by `Type.Object`
 */
export declare function Partial<Type extends TObject$1>(type: Type, options?: TObjectOptions$1): TPartial$1<Type>;
/**
 * Makes all properties of an object's schema required. Options such as `additionalProperties` are not taken over.
 *
 * @throws TypeError for a schema that is not made by `Type.Object`
 */
export declare function Required<Type extends TObject$1>(type: Type, options?: TObjectOptions$1): TRequired$1<Type>;
/** A schema of the names of properties. */
type Names = TLiteral$1<string | number> | TEnum$1 | TUnion$1 | TNever$1;
/**
 * Takes some properties of an object's schema, such as `Type.Pick(Order, ['id', 'total'])`. Options such as
 * `additionalProperties` are not taken over.
 *
 * @param names - a list, or a schema of names
 * @throws TypeError for a schema that is not made by `Type.Object`, or for names that are not listed
 */
export declare function Pick<Type extends TObject$1, Keys extends PropertyKey[]>(type: Type, names: readonly [...Keys], options?: TObjectOptions$1): TPick$1<Type, TKeysToIndexer<Keys>>;
export declare function Pick<Type extends TObject$1, Keys extends Names>(type: Type, names: Keys, options?: TObjectOptions$1): TPick$1<Type, Keys>;
/**
 * Leaves out some properties of an object's schema, such as `Type.Omit(Order, ['id'])`. Options such as
 * `additionalProperties` are not taken over.
 *
 * @param names - a list, or a schema of names
 * @throws TypeError for a schema that is not made by `Type.Object`, or for names that are not listed
 */
export declare function Omit<Type extends TObject$1, Keys extends PropertyKey[]>(type: Type, names: readonly [...Keys], options?: TObjectOptions$1): TOmit$1<Type, TKeysToIndexer<Keys>>;
export declare function Omit<Type extends TObject$1, Keys extends Names>(type: Type, names: Keys, options?: TObjectOptions$1): TOmit$1<Type, Keys>;
/**
 * Allows the names of an object's properties.
 *
 * @throws TypeError for a schema that is not made by `Type.Object`
 */
export declare function KeyOf<Type extends TObject$1>(type: Type, options?: TSchemaOptions$1): TKeyOf$1<Type>;
/**
 * Allows objects with any keys, such as `Type.Record(Type.String(), Type.Number())`. For keys that are listed, as in
 * `Type.Record(Type.Enum(['width', 'height']), Type.Number())`, it makes the schema of an object that has all of these
 * keys.
 *
 * @param key - a schema of texts, which can have a `pattern`, of numbers, or of names
 * @throws TypeError for another schema as key
 */
export declare function Record<Key extends TAny$1 | TString$1 | TNumber$1 | TInteger$1 | Names, Value extends TSchema$1>(key: Key, value: Value, options?: TObjectOptions$1): TRecordAction<Key, Value>;
export { Object$1 as Object, type Static, type TAny, type TArray, type TArrayOptions, type TBigInt, type TBoolean, type TCyclic, type TEnum, type TEnumValue, type TFunction, type TInteger, type TIntersect, type TKeyOf, type TLiteral, type TLiteralValue, type TNever, type TNull, type TNumber, type TNumberOptions, type TObject, type TObjectOptions, type TOmit, type TOptional, type TPartial, type TPick, type TProperties, type TReadonly, type TRecord, type TRef, type TRefine, type TRequired, type TSchema, type TSchemaOptions, type TString, type TStringOptions, type TThis, type TTuple, type TUndefined, type TUnion, type TUnknown, type TUnsafe, type TVoid };