/** The interface of all validators, and the errors for the issues that they find. */
import type { RpcError } from '../../wire/errors.ts';
import { rejection } from '../base/rejection.ts';
import { describeFound } from './found-value.ts';

/** A problem that a validator has found in a value. */
export interface Issue {
  /** The path from the value to the problem, such as `.items[2].sku`; empty for the whole value. */
  readonly path: string;
  /** The problem in words that follow the path in a sentence, such as `must be string, got 1`. */
  readonly message: string;
}

/** The result of a validator: the value to use, or at least one issue. */
type Validation =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly [Issue, ...Issue[]] };

/** Checks values of one schema. */
export interface Validator {
  /** The title of the schema, for messages. */
  readonly title?: string | undefined;
  validate(value: unknown): Validation;
}

/**
 * Returns the validator of a value that no schema describes, such as a stream.
 *
 * @param expected - the words for an accepted value, such as `a stream`
 */
export function validatorOfKind(expected: string, fits: (value: unknown) => boolean): Validator {
  return {
    validate: (value) =>
      fits(value)
        ? { value }
        : { issues: [{ path: '', message: `must be ${expected}, got ${describeFound(value)}` }] },
  };
}

/**
 * Validates an argument, or another value that a method receives.
 *
 * @param path - the path of the value in the arguments of the method
 * @param noun - the noun for the value in messages. Default: `argument`.
 * @returns the value that the validator returned
 * @throws RpcError `INVALID_ARGUMENTS` with the path to the first issue
 */
export function validated(
  method: string,
  validator: Validator,
  value: unknown,
  path: string,
  noun = 'argument',
): unknown {
  const validation = validator.validate(value);
  if (!validation.issues) return validation.value;
  const [issue] = validation.issues;
  const what = validator.title === undefined ? noun : `${noun} ${validator.title}`;
  const place = path + issue.path;
  throw invalidArgument(method, place, `${what} ${place} ${issue.message}`);
}

/** Returns the error for an argument that a method does not take. */
export function invalidArgument(method: string, path: string, problem: string): RpcError {
  return rejection('INVALID_ARGUMENTS', `${method}: ${problem}`, { path });
}
