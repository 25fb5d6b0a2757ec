/**
 * Schemas of other libraries, such as Zod, Valibot and ArkType: any object that implements Standard Schema 1. The types
 * are written here as the specification permits, so that the package depends on nothing: https://standardschema.dev.
 */
import type { Static, TSchema } from './typebox-types.ts';

/** A schema of any library that implements Standard Schema. Its check has to be synchronous. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** @returns the value to use, or the problems of the value */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Carries the types for the compiler. It has no value at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The result of a check by a schema of another library. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A problem that a schema has found in a value. */
export interface StandardIssue {
  readonly message: string;
  /** The path to the part of the value that has the problem. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema: of TypeBox, or of a library that implements Standard Schema. */
export type Schema = TSchema | StandardSchema;

/** Returns whether a value is a schema of another library than TypeBox. Schemas of ArkType are functions. */
export function isStandard(schema: unknown): schema is StandardSchema {
  return Object(schema) === schema && '~standard' in (schema as object);
}

/** The types of a schema of another library. */
type TypesOf<Of extends StandardSchema> = NonNullable<Of['~standard']['types']>;

/** The type of the values that a schema takes. */
export type InputOf<Of> = Of extends StandardSchema
  ? TypesOf<Of>['input']
  : Of extends TSchema
    ? Static<Of>
    : never;

/** The type of the values that a schema returns. A schema of TypeBox returns the value that it takes. */
export type OutputOf<Of> = Of extends StandardSchema
  ? TypesOf<Of>['output']
  : Of extends TSchema
    ? Static<Of>
    : never;
