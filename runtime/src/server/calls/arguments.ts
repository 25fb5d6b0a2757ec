/** Decodes the arguments of a call, and checks them against the limits. */
import { RpcError } from '../../wire/errors.ts';
import { limitExceeded } from '../../wire/limits.ts';
import { argsOf, type CallMessage } from '../../wire/messages.ts';
import type { Resolve } from '../../wire/values/rich-decoder.ts';
import { collectHoles, type SparseIndex, rememberHoles } from '../schemas/array-holes.ts';
import type { Limits } from '../base/limits.ts';
import { VALUE_WEIGHT } from '../base/sizes.ts';

/** The arguments of a call, and about how many bytes of memory they take. */
export interface DecodedArgs {
  args: unknown[];
  weight: number;
}

/**
 * @param resolve - returns the value of a reference; left out for a call that contains no references
 * @throws RpcError `BAD_MESSAGE` or `LIMIT_EXCEEDED`
 */
export function decodeArgs(message: CallMessage, limits: Limits, resolve?: Resolve): DecodedArgs {
  if (message.length === 2) return { args: [], weight: 0 };
  const args = argsOf(message, resolve);
  if (!Array.isArray(args)) throw new RpcError('BAD_MESSAGE', 'Arguments must be an array');
  if (args.length > limits.argumentCount) limitExceeded('argumentCount', limits.argumentCount);
  return { args, weight: checkValue(args, message.length === 3, limits) };
}

/** The state of a walk through a value. */
interface Walk {
  readonly limits: Limits;
  /** The objects that contain the current part, outermost first. Entries beyond the current depth are stale. */
  readonly ancestors: object[];
  readonly holes: SparseIndex[];
  count: number;
  /** The characters of the texts and keys, and the bytes of the buffers. */
  size: number;
}

/**
 * Rejects a decoded value that is deeper or larger than the limits allow. Also rejects a property with the name
 * `__proto__`, which would change the prototype of any object that it is copied to. An object that occurs twice
 * counts twice, and a hole counts as well: code that reads the value visits them that often. Remembers the holes for
 * the validation.
 *
 * @param isTree - true for a value from JSON.parse, in which no object contains itself
 * @returns about how many bytes of memory the value takes
 * @throws RpcError `LIMIT_EXCEEDED` or `BAD_MESSAGE`
 */
export function checkValue(value: unknown, isTree: boolean, limits: Limits): number {
  const walk: Walk = { limits, ancestors: [], holes: [], count: 1, size: 0 };
  if (isTree) {
    walk.count = countTree(value, 0, walk);
    if (walk.count > limits.valueCount) limitExceeded('valueCount', limits.valueCount);
  } else {
    if (typeof value === 'object' && value !== null) visit(value, 0, walk);
    rememberHoles(value, walk.holes);
  }
  return walk.size + VALUE_WEIGHT * walk.count;
}

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

/**
 * Visits the parts of an object, which is counted already. An object of another class than these has no parts
 * that can be sent.
 */
function visit(object: object, depth: number, walk: Walk): void {
  const { limits, ancestors } = walk;
  for (let level = depth - 1; level >= 0; level--) if (ancestors[level] === object) return;
  if (depth > limits.valueDepth) limitExceeded('valueDepth', limits.valueDepth);
  ancestors[depth] = object;
  if (Array.isArray(object)) {
    visitItems(object, depth, walk);
    if (object.includes(undefined)) collectHoles(object, walk.holes);
    return;
  }
  const prototype = Object.getPrototypeOf(object);
  if (prototype === Object.prototype || prototype === null) {
    visitProperties(object as Record<string, unknown>, depth, walk);
  } else if (prototype === Map.prototype) {
    visitItems([...(object as Map<unknown, unknown>).keys()], depth, walk);
    visitItems([...(object as Map<unknown, unknown>).values()], depth, walk);
  } else if (prototype === Set.prototype) {
    visitItems([...(object as Set<unknown>)], depth, walk);
  } else if (object instanceof ArrayBuffer || ArrayBuffer.isView(object)) {
    walk.size += object.byteLength;
  } else if (object instanceof Error) {
    visitProperties(object as Error & Record<string, unknown>, depth, walk);
    visitItems([object.cause, (object as Error & { errors?: unknown }).errors], depth, walk);
  }
}

/** By index: to iterate takes an object for each item, in code that is not optimized. */
function visitItems(items: readonly unknown[], depth: number, walk: Walk): void {
  countParts(items.length, walk);
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
