/**
 * Chooses the failure of a value to report, in bundles for development. A value that fits no member of a union has a
 * failure for each member, and the first failure is often about a member that was not meant.
 */
import { failedAt, type Failure, REQUIRED } from '../schemas/failures.ts';
import { type Check, KEYWORDS } from '../schemas/keywords.ts';
import { remembering } from '../schemas/references.ts';

/**
 * The descriptions of checks. A schema is described by the checks of its properties, and a reference by the check that
 * it leads to.
 */
const described = new WeakMap<Check, Description>();

type Description = readonly (readonly [name: string, Check])[] | (() => Check);

/** Remembers the properties of a schema. `likelyFailure` looks among them for a property such as `kind`. */
export function describeCheck(check: Check, description: Description): void {
  described.set(check, description);
}

/** Follows the members of unions that were most likely meant. */
export function likelyFailure(failure: Failure): Failure {
  return remembering(() => likely(failure));
}

function likely(failure: Failure): Failure {
  const { inner, key, members, value, expectation } = failure;
  if (inner && key !== undefined) return failedAt(key, likely(inner), expectation);
  if (!members) return failure;
  const refusals: Failure[] = [];
  const meant: Failure[] = [];
  for (const [index, found] of members.entries()) {
    const member = found.members ? likely(found) : found;
    const refusal = isRefusal(member)
      ? member
      : refusalOf((failure.operand as readonly Check[])[index], value);
    if (refusal) refusals.push(refusal);
    else meant.push(member);
  }
  const best = meant.find((member) => member.inner?.expectation !== REQUIRED) ?? meant[0];
  return best ? likely(best) : together(refusals, failure);
}

/** Returns whether a failure shows that a member was not meant: the value is of another type, or another constant. */
function isRefusal({ expectation, inner }: Failure): boolean {
  return inner === undefined && expectation.options !== undefined;
}

/** Returns the failure of a property such as `kind` that has the value of another member, so this member was not meant. */
function refusalOf(check: Check | undefined, value: unknown): Failure | undefined {
  for (const [name, property] of propertiesOf(check)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) continue;
    const failure = property((value as Record<string, unknown>)[name]);
    if (failure && isRefusal(failure) && failure.expectation !== KEYWORDS['type']) {
      return failedAt(name, failure);
    }
  }
  return undefined;
}

function propertiesOf(check: Check | undefined): readonly (readonly [string, Check])[] {
  const description = check && described.get(check);
  return typeof description === 'function' ? propertiesOf(description()) : (description ?? []);
}

/**
 * Joins the refusals of all members into one failure. Refusals about a property say more than other refusals, so only
 * they count if there are any.
 */
function together(refusals: readonly Failure[], union: Failure): Failure {
  const deepest = refusals.find(({ inner }) => inner) ?? refusals[0];
  if (!deepest) return union;
  const alike = refusals.filter(({ key }) => key === deepest.key);
  const leaves = alike.map((refusal) => refusal.inner ?? refusal);
  const options = leaves.flatMap(
    ({ expectation, operand }) => expectation.options?.(operand as never) ?? [],
  );
  const leaf = { ...(deepest.inner ?? deepest), expectation: { options: () => options } };
  return deepest.key === undefined ? leaf : failedAt(deepest.key, leaf);
}
