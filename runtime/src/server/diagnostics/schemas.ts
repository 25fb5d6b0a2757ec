/**
 * Explains mistakes in a schema of a contract, or a value that is no schema, in bundles for development and tests.
 */
import { isStandard, type StandardSchema } from '../base/standard-schema.ts';
import { isThenable } from '../../wire/values/tags.ts';
import { describeFound } from '../schemas/found-value.ts';
import { checkSchema } from './keywords.ts';

/**
 * Checks a value that a contract has in the place of a schema.
 *
 * @param path - the position in the contract, such as `greet: argument [0]`
 * @param mayHoldFunctions - see `checkSchema`
 * @throws TypeError for a value that is no schema, and for a schema that would not be checked
 */
export function checkAnySchema(schema: unknown, path: string, mayHoldFunctions = false): void {
  const problem = isStandard(schema) ? standardProblem(schema) : foreignProblem(schema);
  if (problem) throw new TypeError(`${path} is ${problem}`);
  if (!isStandard(schema)) checkSchema(schema, path, mayHoldFunctions);
}

/** Returns the problem with a schema of another library than TypeBox. */
function standardProblem(schema: StandardSchema): string | undefined {
  const { vendor, version, validate } = Object(schema['~standard']) as Partial<
    StandardSchema['~standard']
  >;
  if (version !== 1 || typeof validate !== 'function') {
    return `a schema of ${String(vendor)} with another version of Standard Schema than 1: install a version of the library that supports version 1`;
  }
  if ('~optional' in schema) return OPTIONAL;
  // Schemas of Valibot have the property `async`.
  if ((schema as { async?: unknown }).async !== true) return undefined;
  return `an asynchronous schema of ${vendor}: use a synchronous schema, and make the asynchronous check in the method`;
}

const OPTIONAL =
  'Type.Optional() of a schema of another library than TypeBox: use the optional() of that library';

/** Describes a value that was probably meant as a schema of another library, and says what to write instead. */
function foreignProblem(value: unknown): string | undefined {
  // TypeBox copies the schema, without its prototype. These are properties of Zod and of ArkType.
  const { '~optional': optional, def, innerJson } = Object(value) as Record<string, unknown>;
  if (optional && (def ?? innerJson)) return OPTIONAL;
  const found = foundInstead(value);
  return found && `not a schema, but ${found}`;
}

function foundInstead(value: unknown): string | undefined {
  if (typeof value === 'string')
    return 'a text: make a schema from it, for example with type(…) of ArkType';
  if (typeof value === 'function') {
    return `the function ${value.name}: if it makes a schema, call it, as in z.string()`;
  }
  if (typeof value !== 'object' || value === null || '~kind' in value) return undefined;
  if (Array.isArray(value))
    return 'an array: write a schema such as Type.Tuple([…]) or z.tuple([…])';
  if ('_def' in value || !isPlain(value)) {
    return `an instance of ${value.constructor?.name} without ~standard: update its library to a version that supports Standard Schema, such as Zod 3.24 or later`;
  }
  const parts = Object.entries(value).filter(([name]) => !name.startsWith('~'));
  if (parts.some(([, part]) => typeof part === 'function' && !isStandard(part))) {
    return 'a whole module: call a function of it, such as z.string()';
  }
  const [property] = parts.find(([, part]) => isStandard(part)) ?? [];
  return (
    property &&
    `an object of schemas: write z.object({ ${property}: … }), or the function of your library`
  );
}

/** Says why a schema could not check a value: see `FailureExplainer`. */
export function explainSchema(schema: StandardSchema, value: unknown, outcome: unknown): string {
  if (outcome instanceof Error) return thrown(outcome);
  if (!isThenable(outcome))
    return `it returned ${describeFound(outcome)}, without value and issues`;
  try {
    // When a check has thrown an error, Zod validates again asynchronously. `parse` throws the error of the check.
    if (schema['~standard'].vendor === 'zod') (schema as ZodSchema).parse?.(value);
  } catch (error) {
    if (!String(error).includes('Promise')) return thrown(error);
  }
  return 'it returned a promise. Use synchronous schemas, and make asynchronous checks in the method';
}

interface ZodSchema extends StandardSchema {
  parse?(value: unknown): unknown;
}

function thrown(error: unknown): string {
  return error instanceof RangeError && error.message.includes('call stack')
    ? 'the value is nested too deeply, or contains itself'
    : `it threw ${String(error)}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
