/**
 * The types of TypeBox's schemas, as far as the types of contracts need them. The schemas are described here and only
 * `Static` is imported, so that a project whose schemas are of another library compiles without TypeBox.
 */
// @ts-ignore -- TypeBox is optional. Without it, `Static` is `any`, and no schema of the project needs it.
import type { Static as StaticOf } from 'typebox';

/** A schema of TypeBox, or another JSON Schema. As in TypeBox, the type does not describe the schema. */
export type TSchema = {};

/** The type of the values that a schema allows. */
export type Static<Schema extends TSchema> = StaticOf<Schema>;

export interface TFunction<
  Parameters extends TSchema[] = TSchema[],
  Result extends TSchema = TSchema,
> {
  '~kind': 'Function';
  type: 'function';
  parameters: Parameters;
  returnType: Result;
}

export interface TArray<Items extends TSchema = TSchema> {
  '~kind': 'Array';
  type: 'array';
  items: Items;
}

export interface TObject<Properties extends object = object> {
  '~kind': 'Object';
  type: 'object';
  properties: Properties;
}

export interface TVoid {
  '~kind': 'Void';
  type: 'void';
}
