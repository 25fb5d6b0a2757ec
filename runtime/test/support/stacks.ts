/** For comparing errors that were made in two places. */

/** Empties the stack of every error in a value, and gives the value back. */
export function withoutStacks(value: unknown, seen = new Set<unknown>()): unknown {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value;
  seen.add(value);
  if (value instanceof Error) {
    Reflect.defineProperty(value, 'stack', { value: '', enumerable: false, configurable: true });
    for (const part of [value.cause, ...((value as AggregateError).errors ?? [])]) {
      withoutStacks(part, seen);
    }
  }
  if (value instanceof Map) for (const entry of value) withoutStacks(entry, seen);
  else if (value instanceof Set) for (const item of value) withoutStacks(item, seen);
  else if (!ArrayBuffer.isView(value)) {
    for (const part of Object.values(value)) withoutStacks(part, seen);
  }
  return value;
}
