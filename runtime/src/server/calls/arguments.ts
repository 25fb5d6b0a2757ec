/** Decodes the arguments of a call, and checks them against the limits. */
import { badMessage } from '../base/rejection.ts';
import { limitExceeded } from '../../wire/limits.ts';
import { type AnswerMessage, type CallMessage, RICH } from '../../wire/messages.ts';
import { decodeRich, type Resolve } from '../../wire/values/rich-decoder.ts';
import type { Unchecked } from '../../wire/values/tags.ts';
import { hasHoles, rememberIncomplete } from '../schemas/array-holes.ts';
import { uncheckedValue } from '../schemas/late-values.ts';
import type { Limits } from '../base/limits.ts';
import { VALUE_WEIGHT } from '../base/sizes.ts';

/** The arguments of a call, and an estimate of the bytes of memory that they take. */
export interface DecodedArgs {
  args: unknown[];
  weight: number;
}

/**
 * @param resolve - returns the value of a reference; left out for a call that contains no references
 * @returns arguments that `validateComplete` completes
 * @throws RpcError `BAD_MESSAGE` or `LIMIT_EXCEEDED`
 */
export function decodeArgs(message: CallMessage, limits: Limits, resolve?: Resolve): DecodedArgs {
  if (message.length === 2) return { args: [], weight: 0 };
  const unchecked = message.length > 3 ? uncheckedValue() : undefined;
  const args = unchecked ? decodeRich(message[3], resolve, unchecked) : message[2];
  if (!Array.isArray(args)) badMessage('Arguments must be an array');
  if (args.length > limits.argumentCount) limitExceeded('argumentCount', limits.argumentCount);
  return { args, weight: checkValue(args, unchecked, limits) };
}

/**
 * The maximum number of array holes in the arguments of one call, because 30 characters can name any number of holes.
 */
const MAX_HOLES = 2_000;

/**
 * Decodes the answer of a callback or an item of a stream, in the form of an answer.
 *
 * @returns `{ result }`, which `validateComplete` completes; or `{ thrown }`, which no schema describes, so the missing
 *   contents of its parts are made when they are used
 * @throws RpcError `BAD_MESSAGE` or `LIMIT_EXCEEDED`
 */
export function decodeSent(
  message: AnswerMessage,
  limits: Limits,
): { result: unknown } | { thrown: unknown } {
  const [, form, list] = message as [number, unknown, unknown];
  if (message.length < 3) {
    checkValue(form, undefined, limits);
    return { result: form };
  }
  const unchecked = uncheckedValue();
  // `decodeRich` rejects an unknown form, since it is not a list.
  const value = decodeRich(form === RICH || form === 'error' ? list : form, undefined, unchecked);
  checkValue(value, unchecked, limits);
  return form === RICH ? { result: value } : { thrown: value };
}

/** The state of a walk through a value. */
interface Walk {
  readonly limits: Limits;
  /** The findings of the decoder; `undefined` for a value from JSON.parse, whose objects are plain and occur once. */
  readonly unchecked: Unchecked | undefined;
  /** The size of each object that was visited; `undefined` if no object can occur twice. */
  readonly known: Map<object, Size> | undefined;
  holes: number;
  /** The characters of the texts and keys, and the bytes of the buffers. */
  size: number;
  /** The depth of the deepest object, if objects can occur twice. */
  deepest: number;
}

interface Size {
  /** The number of values in the object, itself included; 1 until all are counted. */
  count: number;
  /** The number of objects that are nested in the object. */
  height: number;
}

/**
 * Rejects a decoded value that is deeper or larger than the limits allow. Also rejects a property with the name
 * `__proto__`, which would change the prototype of any object that it is copied to. An object that occurs twice
 * counts twice, and a hole counts as well, because code that reads the value visits them that often. This check visits
 * each object once, so it takes no longer than decoding. It remembers the missing contents of the value for the
 * validation.
 *
 * @param unchecked - the findings of the decoder; `undefined` for a value from JSON.parse
 * @returns an estimate of the bytes of memory that the value takes
 * @throws RpcError `LIMIT_EXCEEDED` or `BAD_MESSAGE`
 */
function checkValue(value: unknown, unchecked: Unchecked | undefined, limits: Limits): number {
  const known = unchecked?.isShared ? new Map<object, Size>() : undefined;
  const walk: Walk = { limits, unchecked, known, holes: 0, size: 0, deepest: 0 };
  const count = countValues(value, 0, walk);
  if (count > limits.valueCount) limitExceeded('valueCount', limits.valueCount);
  if (unchecked) rememberIncomplete(value, unchecked);
  return walk.size + VALUE_WEIGHT * count;
}

/**
 * @param isVisited - whether `part` is visited already, and has the form of plain data
 * @returns the number of objects, primitives and holes
 */
function countValues(part: unknown, depth: number, walk: Walk, isVisited = false): number {
  if (typeof part !== 'object' || part === null) {
    if (typeof part === 'string') walk.size += part.length;
    return 1;
  }
  const { limits } = walk;
  if (depth > limits.valueDepth) limitExceeded('valueDepth', limits.valueDepth);
  if (walk.unchecked && !isVisited) return visit(part, depth, walk, walk.unchecked);
  let count = 1;
  if (Array.isArray(part)) {
    for (let index = 0; index < part.length; index++) {
      const item: unknown = part[index];
      if (typeof item === 'object') count += countValues(item, depth + 1, walk);
      else {
        if (typeof item === 'string') walk.size += item.length;
        count++;
      }
    }
  } else {
    for (const key in part) {
      if (key === '__proto__') badMessage('A property must not have the name __proto__');
      const inner = (part as Record<string, unknown>)[key];
      walk.size += key.length;
      if (typeof inner === 'object') count += countValues(inner, depth + 1, walk);
      else {
        if (typeof inner === 'string') walk.size += inner.length;
        count++;
      }
    }
  }
  return count;
}

/** Counts an object of any class, which can occur twice. */
function visit(object: object, depth: number, walk: Walk, unchecked: Unchecked): number {
  const { known, deepest } = walk;
  if (!known) return countParts(object, depth, walk, unchecked);
  const found = known.get(object);
  if (found) {
    const { valueDepth } = walk.limits;
    if (depth + found.height > valueDepth) limitExceeded('valueDepth', valueDepth);
    walk.deepest = Math.max(deepest, depth + found.height);
    return found.count;
  }
  const size: Size = { count: 1, height: 0 };
  known.set(object, size);
  walk.deepest = depth;
  size.count = countParts(object, depth, walk, unchecked);
  size.height = walk.deepest - depth;
  walk.deepest = Math.max(deepest, walk.deepest);
  return size.count;
}

/** Counts the parts of an object. An object of a class that is not named here has no parts that can be sent. */
function countParts(object: object, depth: number, walk: Walk, unchecked: Unchecked): number {
  const plain = (part: object): number => countValues(part, depth, walk, true);
  if (Array.isArray(object)) {
    checkHoles(object, walk, unchecked);
    return plain(object);
  }
  const prototype = Object.getPrototypeOf(object);
  if (prototype === Object.prototype || prototype === null) return plain(object);
  if (object instanceof Map) return plain([...object.keys(), ...object.values()]);
  if (object instanceof Set) return plain([...object]);
  if (object instanceof Error) {
    const { cause, errors } = object as Error & { errors?: unknown };
    return plain(object) + plain([cause, errors]) - 1;
  }
  if (object instanceof ArrayBuffer || ArrayBuffer.isView(object)) walk.size += object.byteLength;
  else if (object instanceof RegExp) walk.size += object.source.length;
  return 1;
}

function checkHoles(array: unknown[], walk: Walk, { sparse, isShared }: Unchecked): void {
  if (sparse.has(array)) {
    const { valueCount } = walk.limits;
    if (array.length > valueCount) limitExceeded('valueCount', valueCount);
    walk.holes += array.length - Object.keys(array).length;
    if (walk.holes > MAX_HOLES) limitExceeded('holes', MAX_HOLES);
  } else if (isShared && hasHoles(array)) {
    // The result of another call can have holes.
    sparse.add(array);
  }
}
