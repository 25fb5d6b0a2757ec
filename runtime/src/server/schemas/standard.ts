/** Makes validators from schemas of other libraries than TypeBox: see `base/standard-schema.ts`. */
import { propertyPath } from '../../wire/values/paths.ts';
import type { StandardIssue, StandardSchema } from '../base/standard-schema.ts';
import type { Issue, Validator } from './validator.ts';

/** The maximum length of a library's message, in characters. A message can contain the value that a client has sent. */
const MAX_MESSAGE = 500;

/**
 * Says why a schema could not check a value, in bundles for development.
 *
 * @param outcome - the value that the schema returned, or the error that it threw
 * @returns the end of a sentence
 */
export type FailureExplainer = (schema: StandardSchema, value: unknown, outcome: unknown) => string;

/**
 * Makes the validator of a schema. The value that the schema returns replaces the argument. If the schema throws an
 * error, or returns a promise or nothing, this is an issue of the argument.
 *
 * @param explain - left out in production
 */
export function standardValidator(schema: StandardSchema, explain?: FailureExplainer): Validator {
  return {
    validate(value) {
      let outcome: unknown;
      try {
        outcome = schema['~standard'].validate(value);
        const result = Object(outcome) as Result;
        if (result.issues) return { issues: [issueOf(result.issues[0])] };
        if ('value' in result) return { value: result.value };
        // Nobody waits for the promise, so its rejection must not count as unhandled.
        Promise.resolve(outcome).catch(() => {});
      } catch (error) {
        outcome = error;
      }
      const reason = explain ? `: ${explain(schema, value, outcome)}` : '';
      return { issues: [{ path: '', message: `could not be checked by its schema${reason}` }] };
    },
  };
}

interface Result {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[] | undefined;
}

function issueOf(issue: StandardIssue | undefined): Issue {
  let path = '';
  // This does not use `map`, because the path of ArkType is an array of a class of its own.
  for (const step of issue?.path ?? []) {
    const key: unknown = Object(step).key ?? step;
    // A key of a Map can be an object. The path then leads to the Map.
    if (typeof key === 'object') break;
    path += propertyPath(String(key));
  }
  const problem = String(issue?.message ?? 'no reason was given').slice(0, MAX_MESSAGE);
  return { path, message: `is not valid: ${problem}` };
}
