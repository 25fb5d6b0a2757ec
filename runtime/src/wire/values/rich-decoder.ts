/**
 * The second half of the general codec: turns the output of `JSON.parse` back into the value. It rejects text that the
 * encoder would not write, unless the text is harmless, such as extra parts of a value.
 */
import { fromBase64 } from './base64.ts';
import { RpcError } from '../errors.ts';
import { limitExceeded } from '../limits.ts';
import { malformed, requireText } from './part-checks.ts';
import { CALL, type Reference } from './rich-encoder.ts';
import { isMarked, MAX_NESTING, TAGS, type Unchecked } from './tags.ts';

/** Returns the value of a reference. Only the name of the reference is validated: it is a text. */
export type Resolve = (reference: Reference) => unknown;

/**
 * @param list - the output of `JSON.parse`. It is changed in place, so it can be decoded only once.
 * @param resolve - returns the value of a reference
 * @param unchecked - for a value that a client sent: collects the work that is left after its schema has accepted it
 * @throws RpcError `BAD_MESSAGE` for a malformed value, `LIMIT_EXCEEDED` when the value is nested deeper
 *   than `MAX_NESTING`, or what `resolve` throws
 */
export function decodeRich(
  list: unknown,
  resolve: Resolve = unreadableReference,
  unchecked: Pick<Unchecked, 'tags'> = { tags: TAGS },
): unknown {
  const rest = { list: list as unknown[], met: [], isUnresolved: false, resolve };
  const walk: Walk = Object.assign(unchecked as Unchecked, rest);
  try {
    return Array.isArray(list) ? read(list[0], 1, walk) : malformed();
  } catch (error) {
    if (error instanceof RpcError || walk.isUnresolved) throw error;
    // The error gets no cause, because the cause would repeat data that was sent, such as the text of a regular
    // expression.
    throw new RpcError('BAD_MESSAGE', 'Malformed value');
  }
}

/** The state of a walk through a list. For a value that no client sent, only `tags` of `Unchecked` is set. */
interface Walk extends Unchecked {
  readonly list: unknown[];
  /** The objects and items, in the order of their opening brackets. */
  readonly met: unknown[];
  /** True while `resolve` runs, so it stays true if `resolve` throws. */
  isUnresolved: boolean;
  readonly resolve: Resolve;
}

/** @param depth - the number of objects that contain the value, plus one */
function read(value: unknown, depth: number, walk: Walk): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_NESTING) limitExceeded('nesting', MAX_NESTING);
  const { met, tags } = walk;
  if (!Array.isArray(value)) {
    met.push(value);
    return readProperties(value as Record<string, unknown>, depth, walk);
  }
  if (value.length === 0) return undefined;
  const name: unknown = isMarked(value) ? value.shift() : value;
  if (typeof name === 'number') return earlier(name, walk);
  if (Array.isArray(name)) {
    met.push(name);
    return readParts(name, depth, walk);
  }
  const tag = tags.get(name as string) ?? malformed();
  // The value is created before its parts are decoded, since a part can refer to the value itself. No other type
  // accepts an array.
  const begun = tag.fill ? tag.make(value as never, walk) : value;
  const index = met.push(begun) - 1;
  readParts(value, depth, walk);
  if (!tag.fill) return (met[index] = tag.make(value as never, walk));
  tag.fill(begun as never, value as never, walk);
  return begun;
}

/** Decodes the parts in place. */
function readParts(parts: unknown[], depth: number, walk: Walk): unknown[] {
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (typeof part !== 'object') continue;
    const value = read(part, depth + 1, walk);
    if (value !== part) parts[index] = value;
  }
  return parts;
}

function readProperties(object: Record<string, unknown>, depth: number, walk: Walk): object {
  for (const key in object) {
    // Code that copies this key by assignment would change the prototype of the copy.
    if (key === '__proto__') malformed();
    const part = object[key];
    if (typeof part !== 'object') continue;
    const value = read(part, depth + 1, walk);
    if (value !== part) object[key] = value;
  }
  return object;
}

/** Returns an object that came earlier in the text, or the value of a list item. */
function earlier(index: number, walk: Walk): unknown {
  const { list, met } = walk;
  walk.isShared = true;
  if (index < 0) return -1 - index in met ? met[-1 - index] : malformed();
  const value = itemOf(list[index], walk);
  // An item occurs once. Otherwise a short message could create very many buffers.
  list[index] = undefined;
  met.push(value);
  return value;
}

/** @param item - the item. The characters of a string are read like list items, which is harmless */
function itemOf(item: unknown, walk: Walk): unknown {
  const [name, first] = item as Reference;
  // These bytes came after the text of the frame: JSON cannot contain a buffer.
  if (first instanceof ArrayBuffer) return first;
  if (name === 'ArrayBuffer') return fromBase64(requireText(first));
  requireText(name);
  walk.isUnresolved = true;
  const value = walk.resolve(item as Reference);
  walk.isUnresolved = false;
  return value;
}

/** Rejects a reference that no option of the client can resolve. */
export function unreadableReference([name]: Reference): never {
  throw new RpcError('BAD_MESSAGE', `Cannot read a ${name}: pass { capabilities }`);
}

/** Returns the ids of the calls that a list refers to, without duplicates. */
export function referencedCalls(list: unknown): number[] {
  if (!Array.isArray(list)) return [];
  let ids: Set<number> | undefined;
  for (let index = 0; index < list.length; index++) {
    const item: unknown = list[index];
    if (isReference(item)) (ids ??= new Set()).add(item[1]);
  }
  return ids ? [...ids] : [];
}

/** Returns whether an item is a reference to a call. All other items are checked when the list is decoded. */
function isReference(item: unknown): item is [name: typeof CALL, id: number] {
  return Array.isArray(item) && item[0] === CALL && Number.isSafeInteger(item[1]);
}
