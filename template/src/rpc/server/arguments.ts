/** Takes the arguments out of a call, if they are within the limits; and sizes. Imports limits and wire/. */
import { RpcError } from '../wire/errors.ts';
import { exceeded } from '../wire/limits.ts';
import { argsOf, type CallMessage } from '../wire/messages.ts';
import type { Resolve } from '../wire/rich-decoder.ts';
import type { Limits } from './limits.ts';

/**
 * @param resolve - gives the value that a reference to another call stands for; none, if there are none
 * @throws RpcError `BAD_MESSAGE` or `LIMIT_EXCEEDED`
 */
export function decodeArgs(message: CallMessage, limits: Limits, resolve?: Resolve): unknown[] {
  if (message.length === 2) return [];
  const args = argsOf(message, resolve);
  if (!Array.isArray(args)) throw new RpcError('BAD_MESSAGE', 'Arguments must be an array');
  if (args.length > limits.argumentCount) exceeded('argumentCount', limits.argumentCount);
  checkValue(args, message.length === 3, limits);
  return args;
}

/** A walk through a value. */
interface Walk {
  readonly limits: Limits;
  /** The objects that the walk is inside of, from the outermost; those beyond its depth are left over. */
  readonly ancestors: object[];
  count: number;
}

/**
 * Refuses a decoded value that is deeper or larger than the limits allow, or that has a `__proto__`
 * of its own, which would change the class of whatever it is copied into. An object that occurs
 * twice is counted twice and a hole counts too, since whoever looks at the value meets them so.
 *
 * @param isTree - true for what JSON.parse made, in which no object is inside itself
 * @throws RpcError `LIMIT_EXCEEDED` or `BAD_MESSAGE`
 */
export function checkValue(value: unknown, isTree: boolean, limits: Limits): void {
  if (!isTree) visit(value, 0, { limits, ancestors: [], count: 0 });
  else if (countTree(value, 0, limits) > limits.valueCount) {
    exceeded('valueCount', limits.valueCount);
  }
}

/** @returns how many objects and primitives there are */
function countTree(part: unknown, depth: number, limits: Limits): number {
  if (typeof part !== 'object' || part === null) return 1;
  if (depth > limits.valueDepth) exceeded('valueDepth', limits.valueDepth);
  let count = 1;
  if (Array.isArray(part)) {
    for (const item of part) count += countTree(item, depth + 1, limits);
  } else {
    for (const key in part) {
      if (key === '__proto__') refuseProto();
      count += countTree((part as Record<string, unknown>)[key], depth + 1, limits);
    }
  }
  return count;
}

function refuseProto(): never {
  throw new RpcError('BAD_MESSAGE', 'A property must not have the name __proto__');
}

function visit(part: unknown, depth: number, walk: Walk): void {
  const { limits, ancestors } = walk;
  if (++walk.count > limits.valueCount) exceeded('valueCount', limits.valueCount);
  if (typeof part !== 'object' || part === null) return;
  if (ancestors.lastIndexOf(part, depth - 1) >= 0) return;
  if (depth > limits.valueDepth) exceeded('valueDepth', limits.valueDepth);
  ancestors[depth] = part;
  if (Array.isArray(part)) {
    if (part.length > limits.valueCount) exceeded('valueCount', limits.valueCount);
    for (const item of part) visit(item, depth + 1, walk);
  } else if (Object.getPrototypeOf(part) === Object.prototype) {
    visitProperties(part as Record<string, unknown>, depth + 1, walk);
  } else if (part instanceof Map || part instanceof Set) {
    for (const [key, item] of part.entries()) {
      visit(key, depth + 1, walk);
      if (part instanceof Map) visit(item, depth + 1, walk);
    }
  } else if (!ArrayBuffer.isView(part) && !isBoxedText(part)) {
    // Of those two every element and every character would be a property.
    visitProperties(part as Record<string, unknown>, depth + 1, walk);
    if (part instanceof Error) {
      visit(part.cause, depth + 1, walk);
      visit((part as Error & { errors?: unknown }).errors, depth + 1, walk);
    }
  }
}

function isBoxedText(object: object): boolean {
  return Object.prototype.toString.call(object) === '[object String]';
}

function visitProperties(object: Record<string, unknown>, depth: number, walk: Walk): void {
  for (const key of Object.keys(object)) {
    if (key === '__proto__') refuseProto();
    visit(object[key], depth, walk);
  }
}

/** No message of a client is as deep as that, as JSON. */
const MAX_DEPTH = 2_100;

/**
 * How large a part of a message is: about as many characters as its text had, and bytes beside it; never more, so that no client of
 * ours exceeds a limit.
 */
export function sizeOf(part: unknown, depth = 0): number {
  if (typeof part === 'string') return part.length;
  if (typeof part !== 'object' || part === null) return 1;
  if (part instanceof ArrayBuffer) return part.byteLength;
  if (depth > MAX_DEPTH) return Infinity;
  let size = 2;
  if (Array.isArray(part)) {
    for (const inner of part) size += sizeOf(inner, depth + 1);
  } else {
    for (const [key, inner] of Object.entries(part)) size += key.length + sizeOf(inner, depth + 1);
  }
  return size;
}
