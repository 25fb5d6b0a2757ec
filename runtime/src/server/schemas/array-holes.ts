/**
 * Validates arrays with holes. TypeBox does not look at a hole, but code that reads the array gets `undefined` there.
 * So the schema has to allow `undefined`.
 */

/** A hole: an index that the array does not have. */
export type SparseIndex = readonly [array: unknown[], index: number];

/** The holes in decoded values. Most values have none, and no entry. */
const holesOf = new WeakMap<object, readonly SparseIndex[]>();

/** Stores the holes in a value, at any depth. */
export function rememberHoles(value: unknown, holes: readonly SparseIndex[]): void {
  if (holes.length > 0) holesOf.set(value as object, holes);
}

/** Adds the holes of an array to a list. */
export function collectHoles(array: unknown[], holes: SparseIndex[]): void {
  for (const index of array.keys()) if (!(index in array)) holes.push([array, index]);
}

/** Finds the holes in a value that no message contained. */
export function findHoles(value: unknown): SparseIndex[] {
  const holes: SparseIndex[] = [];
  // Iterating a Set includes what is added meanwhile.
  const parts = new Set([value]);
  for (const part of parts) {
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue;
    if (Array.isArray(part)) collectHoles(part, holes);
    const inner =
      part instanceof Map ? [...part].flat() : part instanceof Set ? part : Object.values(part);
    for (const one of inner as Iterable<unknown>) if (typeof one === 'object') parts.add(one);
  }
  return holes;
}

/**
 * Validates a value whose holes are filled with `undefined`. Afterwards they are holes again.
 *
 * @param value - for which `rememberHoles` was called, if it has holes
 * @param staysFilled - whether parts of the value are validated later
 */
export function withFilledHoles<Result>(
  value: unknown,
  validate: () => Result,
  staysFilled = false,
): Result {
  const holes = holesOf.get(value as object) ?? [];
  for (const [array, index] of holes) array[index] = undefined;
  try {
    return validate();
  } finally {
    // The length of the array stays.
    if (!staysFilled) for (const [array, index] of holes) delete array[index];
  }
}
