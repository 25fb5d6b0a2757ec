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
    /** It has no value at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a schema of another library found. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A problem of a value. */
export interface StandardIssue {
  readonly message: string;
  /** Where the problem is. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema: of TypeBox, or of a library that implements Standard Schema. */
export type Schema = TSchema | StandardSchema;

/** Whether a value is a schema of another library than TypeBox. Schemas of ArkType are functions. */
export function isStandard(schema: unknown): schema is StandardSchema {
  return Object(schema) === schema && '~standard' in (schema as object);
}

/** The types of a schema of another library. */
type TypesOf<Of extends StandardSchema> = NonNullable<Of['~standard']['types']>;

/** What a schema takes. */
export type InputOf<Of> = Of extends StandardSchema
  ? TypesOf<Of>['input']
  : Of extends TSchema
    ? Static<Of>
    : never;

/** What a schema returns: for one of TypeBox, what it takes. */
export type OutputOf<Of> = Of extends StandardSchema
  ? TypesOf<Of>['output']
  : Of extends TSchema
    ? Static<Of>
    : never;
