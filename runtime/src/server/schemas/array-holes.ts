/**
 * Validates values that are not complete yet.
 *
 * - Arrays with holes. The check of a library or of `Type.Refine` may not look at a hole, but code that reads the array gets
 *   `undefined` there. So the schema has to allow `undefined`.
 * - Objects without their contents: see `late-values.ts`.
 */
import { isLate, makeContents } from './late-values.ts';

/** The parts of a value that are not complete. */
export interface Incomplete {
  /** The arrays with holes in it. */
  readonly sparse: ReadonlySet<unknown[]>;
  /** The objects without their contents in it. */
  readonly late: readonly object[];
}

/** A hole: an index that the array does not have. */
type SparseIndex = readonly [array: unknown[], index: number];

/** The incomplete parts of decoded values. Most values are complete, and have no entry. */
const incomplete = new WeakMap<object, Incomplete>();

/** Stores the incomplete parts of a value, at any depth. */
export function rememberIncomplete(value: unknown, { sparse, late }: Incomplete): void {
  if (sparse.size > 0 || late.length > 0) incomplete.set(value as object, { sparse, late });
}

/** Finds the arrays with holes in a value that no message contained. */
export function findSparse(value: unknown): Set<unknown[]> {
  const sparse = new Set<unknown[]>();
  // The loop also visits parts that are added to the Set while it runs.
  const parts = new Set([value]);
  for (const part of parts) {
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue;
    if (Array.isArray(part) && hasHoles(part)) sparse.add(part);
    const inner =
      part instanceof Map ? [...part].flat() : part instanceof Set ? part : Object.values(part);
    for (const one of inner as Iterable<unknown>) if (typeof one === 'object') parts.add(one);
  }
  return sparse;
}

export function hasHoles(array: unknown[]): boolean {
  // `includes` is quick for most arrays, and finds a hole, too.
  return array.includes(undefined) && firstHole(array) < array.length;
}

function firstHole(array: unknown[]): number {
  let index = 0;
  while (index in array) index++;
  return index;
}

function holesOf(array: unknown[]): SparseIndex[] {
  const holes: SparseIndex[] = [];
  for (const index of array.keys()) if (!(index in array)) holes.push([array, index]);
  return holes;
}

/**
 * Validates a value. Holes read as `undefined` during the validation. The value is first validated with one hole of each
 * array, and without the contents that are late. If it fits its schema, the missing parts are made, and it is validated
 * again.
 *
 * @param value - a value; if it is incomplete, `rememberIncomplete` was called for it
 * @param staysFilled - whether parts of the value are validated later
 */
export function validateComplete<Result>(
  value: unknown,
  validate: () => Result,
  staysFilled = false,
): Result {
  const { sparse, late } = incomplete.get(value as object) ?? COMPLETE;
  const firsts = Array.from(sparse, (array): SparseIndex => [array, firstHole(array)]).filter(
    ([array, index]) => index < array.length,
  );
  const result = filled(firsts, validate);
  if (firsts.length === 0 && !late.some(isLate)) return result;
  late.forEach(makeContents);
  return filled([...sparse].flatMap(holesOf), validate, staysFilled);
}

const COMPLETE: Incomplete = { sparse: new Set(), late: [] };

function filled<Result>(
  holes: readonly SparseIndex[],
  validate: () => Result,
  staysFilled = false,
): Result {
  for (const [array, index] of holes) array[index] = undefined;
  try {
    return validate();
  } finally {
    // The length of the array stays unchanged.
    if (!staysFilled) for (const [array, index] of holes) delete array[index];
  }
}
