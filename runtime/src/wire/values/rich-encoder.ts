/**
 * The first half of the general codec: encodes any value as JSON text. The text is a list, and its first item is the
 * value. Arrays in the value represent values that JSON lacks:
 *
 * - `[]`: undefined
 * - `{…}`: a plain object
 * - `[[…]]`: an array that could be mistaken for one of these forms: it has fewer than two items, or begins
 *   with a string that sorts before `[`, as the tags do. Any other array represents itself.
 * - `["Map",…]`: any other object, a bigint, or a number that JSON lacks: its tag, then its parts
 * - `[1]`: the value of the list item at that index, which is a reference or bytes
 * - `[-1]`: the first object, array, tag or item of the text again, `[-2]` the second, in the order of their
 *   opening brackets. This keeps shared objects and cycles.
 *
 *     map = new Map(); map.set('self', map)      [["Map","self",[-1]]]
 *
 * The encoder copies an array or object only if a part of it has to be replaced. `JSON.stringify` then writes the
 * text.
 */
import { toBase64 } from './base64.ts';
import { RpcError } from '../errors.ts';
import { limitExceeded } from '../limits.ts';
import { propertyPath } from './paths.ts';
import { builtInName, isExactPrimitive } from './plain.ts';
import { isMarked, isThenable, MAX_NESTING, type Step, type Tag, tagOf, TAGS } from './tags.ts';

/**
 * An item that the codec itself cannot resolve: a name, then plain data. The client and the object
 * resolve it.
 *
 * - `["Call", id, ...path]`: the result of a call, or the part of the result at that path
 * - `["Capability", className, number, ...address]`: an object that is created for each call of its methods
 * - `["Function", number]`: a function of the client that the object can call
 * - `["Stream", number]`: a stream whose items the client sends in separate messages
 */
export type Reference = readonly [name: string, ...parts: unknown[]];

/** The name of a reference to a call. */
export const CALL = 'Call';

/** The name of a reference to a capability. */
export const CAPABILITY = 'Capability';

/** The name of a reference to a function of the client. */
export const FUNCTION = 'Function';

/** The name of a reference to a stream of the client. */
export const STREAM = 'Stream';

/** Returns the reference to send instead of a value, or `undefined` to send the value. */
export type ReferenceOf = (value: unknown) => Reference | undefined;

/**
 * Records which codec the last value of a method needed. The encoder tries that codec first for the next value. The
 * text of a value does not depend on it.
 */
export interface CodecFeedback {
  /** The name of the method, for messages. */
  readonly name?: string;
  isRich?: boolean;
}

/**
 * @param referenceOf - called for each buffer, and for each value without a tag
 * @param isLenient - whether to write `undefined` for a value without a tag, instead of throwing. `false` for the
 *   arguments of a call: the error says how to mark a function or a stream.
 * @param feedback - its `isRich` is set if JSON alone does not represent the value, except in rare cases
 * @returns JSON text
 * @throws RpcError `UNSERIALIZABLE` with the path to the first value without a tag, or `LIMIT_EXCEEDED`
 *   when the value is nested deeper than `MAX_NESTING`
 */
export function encodeRich(
  value: unknown,
  referenceOf?: ReferenceOf,
  isLenient?: boolean,
  feedback: CodecFeedback = {},
): string {
  try {
    const others: Reference[] = [];
    const walk: Walk = { others, met: [], path: [], referenceOf, isLenient, feedback: feedback };
    return JSON.stringify(writeItems([value], 0, walk).concat(others));
  } catch (cause) {
    if (cause instanceof RpcError) throw cause;
    throw new RpcError('UNSERIALIZABLE', `Cannot send a value: ${cause}`, {
      cause,
    });
  }
}

/** Up to this many objects, a search through a list is faster than a Map. */
const FEW = 100;

/** The state of a walk through a value. */
interface Walk {
  /** The items of the list after the first. */
  readonly others: Reference[];
  /** The objects and items that can occur again. */
  readonly met: unknown[];
  /** The index of each of these objects and items, once there are many. */
  indices?: Map<unknown, number>;
  /** The path to the current value: one step for each level, from index 1. Steps beyond its depth are stale. */
  readonly path: (Step | undefined)[];
  readonly referenceOf: ReferenceOf | undefined;
  readonly isLenient: boolean | undefined;
  readonly feedback: CodecFeedback;
}

/**
 * @param value - a value that is not a primitive which JSON represents exactly
 * @param depth - the number of objects that contain it, plus one
 * @returns the data that `JSON.stringify` writes for the value; the value itself, if JSON represents it exactly
 */
function write(value: unknown, depth: number, walk: Walk): unknown {
  if (value === undefined) return rich([], walk);
  if (depth > MAX_NESTING) limitExceeded('nesting', MAX_NESTING);
  const { met } = walk;
  const index =
    typeof value === 'bigint' ? -1 : met.length > FEW ? indexOf(value, walk) : met.indexOf(value);
  if (index >= 0) return rich([-1 - index], walk);
  const name = tagOf(value);
  const isBare = name === 'Object' || name === 'Array';
  const tag = isBare ? undefined : TAGS.get(name as string);
  // Only a buffer, or a value without a tag, can be sent as a reference.
  const item =
    !tag &&
    !isBare &&
    (walk.referenceOf?.(value) ?? (name && ([name, toBase64(value as ArrayBuffer)] as const)));
  if (!tag && !isBare && !item) return refuse(value, depth, walk);
  walk.indices?.set(value, met.length);
  met.push(value);
  if (item) return rich([walk.others.push(item)], walk);
  if (name === 'Object') return writeProperties(value as Record<string, unknown>, depth, walk);
  if (tag) {
    const parts = writeItems(tag.take(value as never), depth, walk, tag.step);
    parts.unshift(name);
    return rich(parts, walk);
  }
  // The step to an item is its index.
  const items = writeItems(value as unknown[], depth, walk, Number);
  return isMarked(items) ? [items] : items;
}

/** Records that JSON alone does not represent the value. */
function rich(written: unknown[], { feedback: found }: Walk): unknown[] {
  found.isRich = true;
  return written;
}

function indexOf(object: unknown, walk: Walk): number {
  walk.indices ??= new Map(walk.met.map((one, index) => [one, index]));
  return walk.indices.get(object) ?? -1;
}

/** @param step - returns the path step to the item at an index; absent if the items have no path */
function writeItems(items: unknown[], depth: number, walk: Walk, step?: Tag['step']): unknown[] {
  let made = items;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (isExactPrimitive(item)) continue;
    walk.path[depth] = step?.(index, items);
    const part = write(item, depth + 1, walk);
    if (part === item) continue;
    if (made === items) made = items.slice();
    made[index] = part;
  }
  return made;
}

function writeProperties(
  object: Record<string, unknown>,
  depth: number,
  walk: Walk,
): Record<string, unknown> {
  let made = object;
  for (const key in object) {
    const value = object[key];
    if (isExactPrimitive(value)) continue;
    walk.path[depth] = key;
    const part = write(value, depth + 1, walk);
    if (part === value) continue;
    if (made === object) made = { ...object };
    made[key] = part;
  }
  return made;
}

function refuse(
  value: unknown,
  depth: number,
  { path, isLenient, feedback: { name } }: Walk,
): unknown {
  if (isLenient) return [];
  const place = path.slice(0, depth).map(stepText).join('');
  let message = `${name ? `${name}: ` : ''}Cannot send ${describeKind(value)} at ${place || 'top'}`;
  if ((value as { body?: { tee?: unknown } }).body?.tee) message += ': send its body';
  else if (isThenable(value)) message += ': await it first';
  else if (isLenient === false) message += markFor(value);
  throw new RpcError('UNSERIALIZABLE', message, { path: place });
}

/**
 * Returns the value to pass in place of a function or a stream that is not marked. A capability looks like a function.
 */
function markFor(value: unknown): string {
  if (typeof value === 'function') return value.length >= 0 ? ': pass callback(fn)' : '';
  const found = value as Partial<AsyncGenerator>;
  return (found[Symbol.asyncIterator] ?? found.next)
    ? ': pass stream(iterable)'
    : ': send plain data';
}

function stepText(step: Step | undefined): string {
  if (step === undefined) return '';
  if (typeof step !== 'object') return propertyPath(String(step));
  const [key] = step;
  return `.get(${typeof key === 'string' ? JSON.stringify(key) : '...'})`;
}

/** Names the kind of a value for an error message, without revealing its contents. */
export function describeKind(value: unknown): string {
  if (isThenable(value)) return 'a promise';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const { constructor = Object } = Object.getPrototypeOf(value) ?? {};
  const name = constructor.name || builtInName(value);
  return constructor.name === 'Object' ? 'a custom object' : `an instance of ${name}`;
}
