/** Describes a value that does not fit its schema, and words the error. */
import { propertyPath } from '../../wire/values/paths.ts';
import { describeFound } from './found-value.ts';
import type { Issue } from './validator.ts';

/** The words for a value that a keyword of a schema accepts. */
export interface Expectation {
  /** Says what a value must be, such as `must be >= 1`. */
  says?(operand: never, value: unknown): string;
  /** Lists the values that are allowed, in place of `says`. */
  options?(operand: never): string[];
  /** Says what the value is instead. Default: the kind of the value and its size. */
  got?(value: never): string;
}

/** A value, or a part of it, that does not fit its schema. */
export interface Failure {
  readonly expectation: Expectation;
  /** The value of the keyword. */
  readonly operand: unknown;
  readonly value: unknown;
  /** The step to the part that does not fit. */
  readonly key: string | number | undefined;
  /** The failure of the part, or of the name of a property. */
  readonly inner: Failure | undefined;
  /** The failures of a union's members. Its operand is the list of their checks. */
  readonly members: readonly Failure[] | undefined;
  /** True if the value could not be checked. The value then does not match a schema with `not` either. */
  readonly isFatal: boolean;
}

export function failed(
  expectation: Expectation,
  operand: unknown,
  value: unknown,
  isFatal = false,
  inner?: Failure,
  key?: string | number,
  members?: readonly Failure[],
): Failure {
  return { expectation, operand, value, isFatal, inner, key, members };
}

/** Returns the failure of a value whose part does not fit. */
export function failedAt(key: string | number, inner: Failure, expectation = PART): Failure {
  return failed(expectation, key, key, inner.isFatal, inner, key);
}

/** Returns the failure of a value that fits no member of a union. */
export function failedAll(members: Failure[], value: unknown, operand: unknown): Failure {
  const isFatal = members.some((member) => member.isFatal);
  const options = members.map((member) =>
    member.inner ? undefined : member.expectation.options?.(member.operand as never),
  );
  // Members that are constants or types are listed.
  const expectation = options.includes(undefined)
    ? UNION
    : { options: () => options.flat() as string[] };
  return failed(expectation, operand, value, isFatal, undefined, undefined, members);
}

const PART: Expectation = {};
/** The expectation for the name of a property. */
export const NAME: Expectation = {};
const UNION: Expectation = { says: () => 'must fit a schema of its union' };
export const REQUIRED: Expectation = { says: () => 'is required', got: () => '' };
export const NOT_ALLOWED: Expectation = { says: () => 'is not allowed', got: () => '' };

/** Words a failure as an issue. */
export function issueOf(failure: Failure): Issue {
  let path = '';
  let prefix = '';
  let found = failure;
  for (; found.inner; found = found.inner) {
    if (found.key !== undefined) path += propertyPath(String(found.key));
    if (found.expectation === NAME) prefix = 'has a name that ';
  }
  return { path, message: prefix + messageOf(found) };
}

function messageOf({ expectation, operand, value }: Failure): string {
  const { options, says, got = describeFound } = expectation;
  const expected = options
    ? `must be ${listed(options(operand as never))}`
    : says?.(operand as never, value);
  const instead = got(value as never);
  return instead ? `${expected}, got ${instead}` : `${expected}`;
}

/** The maximum number of allowed values that an error lists. Further values are counted. */
const MAX_SHOWN = 10;

function listed(values: string[]): string {
  const shown = [...new Set(values)];
  const more = shown.splice(MAX_SHOWN).length;
  if (more > 0) shown.push(more === 1 ? '1 other value' : `${more} other values`);
  const last = shown.pop();
  return shown.length > 0 ? `${shown.join(', ')} or ${last}` : `${last}`;
}
