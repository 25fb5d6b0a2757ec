/**
 * The assertions of the conformance suite. It runs in Node, in the Workers runtime and in a page,
 * so it cannot use the assertions of a test runner.
 */

export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Compares structure and class, and numbers as `Object.is` does. */
export function equal(actual: unknown, expected: unknown): void {
  const difference = differenceAt('value', actual, expected);
  if (difference) throw new Error(difference);
}

/**
 * @param properties - the properties that the reason has to have, compared as `equal` does
 * @returns the reason
 */
export async function rejects(promise: PromiseLike<unknown>, properties = {}): Promise<unknown> {
  const outcome = await settle(promise);
  check('reason' in outcome, 'It was fulfilled instead of rejected');
  for (const [key, expected] of Object.entries(properties)) {
    const actual = (outcome.reason as Record<string, unknown> | undefined)?.[key];
    const difference = differenceAt(`reason.${key}`, actual, expected);
    if (difference) throw new Error(`${difference}, in ${String(outcome.reason)}`);
  }
  return outcome.reason;
}

export async function settle(
  promise: PromiseLike<unknown>,
): Promise<{ value: unknown } | { reason: unknown }> {
  try {
    return { value: await promise };
  } catch (reason) {
    return { reason };
  }
}

/** @returns the first difference of two values and its path; `undefined` if they are equal */
function differenceAt(path: string, actual: unknown, expected: unknown): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  const differ = `${path} is ${show(actual)}, and should be ${show(expected)}`;
  if (typeof actual !== 'object' || typeof expected !== 'object') return differ;
  if (actual === null || expected === null) return differ;
  if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return differ;
  if (actual instanceof Date) return differenceAt(path, +actual, +(expected as Date));
  if (actual instanceof Map || actual instanceof Set) {
    return differenceAt(path, [...actual], [...(expected as Iterable<unknown>)]);
  }
  const keys = Object.keys(expected);
  if (Object.keys(actual).length !== keys.length) return differ;
  for (const key of keys) {
    if (!Object.hasOwn(actual, key)) return `${path} has no ${key}`;
    const [left, right] = [actual, expected] as [Record<string, unknown>, Record<string, unknown>];
    const difference = differenceAt(`${path}.${key}`, left[key], right[key]);
    if (difference) return difference;
  }
  return undefined;
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
  return `${value.constructor?.name} ${text}`.slice(0, 500);
}
