/** What does not fit a schema, and how an error says it. */
import { propertyPath } from '../../wire/values/paths.ts';
import { describeFound } from './found-value.ts';
import type { Issue } from './validator.ts';

/** What a keyword of a schema expects, in words. */
export interface Expectation {
  /** What a value must be, such as `must be >= 1`. */
  says?(operand: never, value: unknown): string;
  /** What a value can be, in place of `says`. */
  options?(operand: never): string[];
  /** What the value is instead. Default: its kind and size. */
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
  /** What does not fit in the part, or in the name of a property. */
  readonly inner: Failure | undefined;
  /** The failures of a union's members. Its operand is the list of their checks. */
  readonly members: readonly Failure[] | undefined;
  /** True if the value could not be checked, so that it also fits no schema that says `not`. */
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

/** The failure of a part of a value. */
export function failedAt(key: string | number, inner: Failure, expectation = PART): Failure {
  return failed(expectation, key, key, inner.isFatal, inner, key);
}

/** The failure of a value that fits no member of a union. */
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
/** The name of a property does not fit. */
export const NAME: Expectation = {};
const UNION: Expectation = { says: () => 'must fit a schema of its union' };
export const REQUIRED: Expectation = { says: () => 'is required', got: () => '' };
export const NOT_ALLOWED: Expectation = { says: () => 'is not allowed', got: () => '' };

/** Says what does not fit. */
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

/** Values of a schema that an error lists; further ones are counted. */
const MAX_SHOWN = 10;

function listed(values: string[]): string {
  const shown = [...new Set(values)];
  const more = shown.splice(MAX_SHOWN).length;
  if (more > 0) shown.push(more === 1 ? '1 other value' : `${more} other values`);
  const last = shown.pop();
  return shown.length > 0 ? `${shown.join(', ')} or ${last}` : `${last}`;
}
