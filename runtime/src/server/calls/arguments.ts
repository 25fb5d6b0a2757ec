/** Decodes the arguments of a call, and checks them against the limits. */
import { RpcError } from '../../wire/errors.ts';
import { limitExceeded } from '../../wire/limits.ts';
import { type AnswerMessage, type CallMessage, RICH } from '../../wire/messages.ts';
import { decodeRich, type Resolve } from '../../wire/values/rich-decoder.ts';
import type { Unchecked } from '../../wire/values/tags.ts';
import { hasHoles, rememberIncomplete } from '../schemas/array-holes.ts';
import { uncheckedValue } from '../schemas/late-values.ts';
import type { Limits } from '../base/limits.ts';
import { VALUE_WEIGHT } from '../base/sizes.ts';

/** The arguments of a call, and about how many bytes of memory they take. */
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
  if (!Array.isArray(args)) throw new RpcError('BAD_MESSAGE', 'Arguments must be an array');
  if (args.length > limits.argumentCount) limitExceeded('argumentCount', limits.argumentCount);
  return { args, weight: checkValue(args, unchecked, limits) };
}

/** Holes in the arguments of one call: a message of 30 characters could have any number of them. */
const MAX_HOLES = 2_000;

/**
 * Decodes the answer of a callback or an item of a stream, in the form of an answer.
 *
 * @returns `{ result }`, which `validateComplete` completes, or `{ thrown }`, which no schema describes: what its parts
 *   lack is made when they are used
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
  readonly unchecked: Unchecked;
  /** What was found in each object so far; `undefined` if no object can occur twice. */
  readonly known: Map<object, Size> | undefined;
  /** The number of objects, primitives and holes. */
  count: number;
  holes: number;
  /** The characters of the texts and keys, and the bytes of the buffers. */
  size: number;
  /** The depth of the deepest object. */
  deepest: number;
}

interface Size {
  /** The number of parts, and of their parts; 0 until all are counted. */
  count: number;
  /** How many objects are nested in the object. */
  height: number;
}

/**
 * Rejects a decoded value that is deeper or larger than the limits allow. Also rejects a property with the name
 * `__proto__`, which would change the prototype of any object that it is copied to. An object that occurs twice
 * counts twice, and a hole counts as well: code that reads the value visits them that often. But it is visited once,
 * so the time does not exceed that of decoding. Remembers what the value lacks, for the validation.
 *
 * @param unchecked - what decoding has found; `undefined` for a value from JSON.parse
 * @returns about how many bytes of memory the value takes
 * @throws RpcError `LIMIT_EXCEEDED` or `BAD_MESSAGE`
 */
function checkValue(value: unknown, unchecked: Unchecked | undefined, limits: Limits): number {
  const found = unchecked ?? COMPLETE;
  const known = found.isShared ? new Map<object, Size>() : undefined;
  const walk: Walk = {
    limits,
    unchecked: found,
    known,
    count: 1,
    holes: 0,
    size: 0,
    deepest: 0,
  };
  if (unchecked) {
    if (typeof value === 'object' && value !== null) visit(value, 0, walk);
    rememberIncomplete(value, unchecked);
  } else {
    walk.count = countTree(value, 0, walk);
    if (walk.count > limits.valueCount) limitExceeded('valueCount', limits.valueCount);
  }
  return walk.size + VALUE_WEIGHT * walk.count;
}

/** Of a value from JSON.parse. */
const COMPLETE = uncheckedValue();

/** @returns the number of objects and primitives */
function countTree(part: unknown, depth: number, walk: Walk): number {
  if (typeof part !== 'object' || part === null) {
    if (typeof part === 'string') walk.size += part.length;
    return 1;
  }
  const { limits } = walk;
  if (depth > limits.valueDepth) limitExceeded('valueDepth', limits.valueDepth);
  let count = 1;
  if (Array.isArray(part)) {
    for (let index = 0; index < part.length; index++) {
      const item: unknown = part[index];
      if (typeof item === 'object') count += countTree(item, depth + 1, walk);
      else {
        if (typeof item === 'string') walk.size += item.length;
        count++;
      }
    }
  } else {
    for (const key in part) {
      if (key === '__proto__') refuseProto();
      const inner = (part as Record<string, unknown>)[key];
      walk.size += key.length;
      if (typeof inner === 'object') count += countTree(inner, depth + 1, walk);
      else {
        if (typeof inner === 'string') walk.size += inner.length;
        count++;
      }
    }
  }
  return count;
}

function refuseProto(): never {
  throw new RpcError('BAD_MESSAGE', 'A property must not have the name __proto__');
}

/** Visits the parts of an object, which is counted already. */
function visit(object: object, depth: number, walk: Walk): void {
  const { known } = walk;
  if (!known) return visitParts(object, depth, walk);
  const found = known.get(object);
  if (found) {
    // Nothing is counted yet in an object that contains itself.
    countParts(found.count, walk);
    return reach(depth + found.height, walk);
  }
  const size: Size = { count: 0, height: 0 };
  known.set(object, size);
  const { count, deepest } = walk;
  walk.deepest = depth;
  visitParts(object, depth, walk);
  size.count = walk.count - count;
  size.height = walk.deepest - depth;
  walk.deepest = Math.max(deepest, walk.deepest);
}

function reach(depth: number, walk: Walk): void {
  const { valueDepth } = walk.limits;
  if (depth > valueDepth) limitExceeded('valueDepth', valueDepth);
  if (depth > walk.deepest) walk.deepest = depth;
}

/** An object of another class than these has no parts that can be sent. */
function visitParts(object: object, depth: number, walk: Walk): void {
  reach(depth, walk);
  if (Array.isArray(object)) return visitArray(object, depth, walk);
  const prototype = Object.getPrototypeOf(object);
  if (prototype === Object.prototype || prototype === null) {
    visitProperties(object as Record<string, unknown>, depth, walk);
  } else if (object instanceof Map) {
    visitItems([...object.keys()], depth, walk);
    visitItems([...object.values()], depth, walk);
  } else if (object instanceof Set) {
    visitItems([...object], depth, walk);
  } else if (object instanceof ArrayBuffer || ArrayBuffer.isView(object)) {
    walk.size += object.byteLength;
  } else if (object instanceof RegExp) {
    walk.size += object.source.length;
  } else if (object instanceof Error) {
    visitProperties(object as Error & Record<string, unknown>, depth, walk);
    visitItems([object.cause, (object as Error & { errors?: unknown }).errors], depth, walk);
  }
}

function visitArray(array: unknown[], depth: number, walk: Walk): void {
  const { sparse, isShared } = walk.unchecked;
  if (sparse.has(array)) {
    const items: unknown[] = Object.values(array);
    countParts(array.length, walk);
    walk.holes += array.length - items.length;
    if (walk.holes > MAX_HOLES) limitExceeded('holes', MAX_HOLES);
    return visitObjects(items, depth, walk);
  }
  visitItems(array, depth, walk);
  // The result of another call can have holes.
  if (isShared && hasHoles(array)) sparse.add(array);
}

function visitItems(items: readonly unknown[], depth: number, walk: Walk): void {
  countParts(items.length, walk);
  visitObjects(items, depth, walk);
}

/** By index: to iterate takes an object for each item, in code that is not optimized. */
function visitObjects(items: readonly unknown[], depth: number, walk: Walk): void {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item === 'string') walk.size += item.length;
    else if (typeof item === 'object' && item !== null) visit(item, depth + 1, walk);
  }
}

function countParts(parts: number, walk: Walk): void {
  walk.count += parts;
  if (walk.count > walk.limits.valueCount) limitExceeded('valueCount', walk.limits.valueCount);
}

function visitProperties(object: Record<string, unknown>, depth: number, walk: Walk): void {
  let parts = 0;
  for (const key in object) {
    if (key === '__proto__') refuseProto();
    const part = object[key];
    walk.size += key.length;
    if (typeof part === 'string') walk.size += part.length;
    else if (typeof part === 'object' && part !== null) visit(part, depth + 1, walk);
    parts++;
  }
  countParts(parts, walk);
}
