/** The marks of schemas that features make. Plain properties, so that two copies of the package understand each other. */
import type { TSchema } from 'typebox';

/** An argument that is a stream: see `streamOf`. */
export interface StreamOf<Schema extends TSchema = TSchema> {
  /** The schema of each item. */
  readonly '~streamOf': Schema;
}

export function isStreamOf(value: unknown): value is StreamOf {
  return typeof value === 'object' && value !== null && '~streamOf' in value;
}

/** The schema of a function: see `callback`. */
export interface IsCallback {
  readonly '~callback': true;
}

/** @param schema - the schema of a function */
export function isCallback(schema: object): boolean {
  return '~callback' in schema;
}
