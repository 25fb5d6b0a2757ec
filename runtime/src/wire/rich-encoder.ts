/**
 * The first half of the general codec: encodes any value as JSON text. The text is a list, and its first item is the
 * value. Arrays in the value represent what JSON lacks:
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
import { RpcError } from './errors.ts';
import { propertyPath } from './paths.ts';
import { isExact } from './plain.ts';
import { checkNesting, isMarked, isThenable, type Step, type Tag, tagOf, TAGS } from './tags.ts';

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
 * @param referenceOf - called for each value with another tag than a plain object or an array, or without one
 * @param isLenient - whether to write `undefined` for a value without a tag, instead of throwing. `false` for the
 *   arguments of a call: the error says how to mark a function or a stream.
 * @returns JSON text
 * @throws RpcError `UNSERIALIZABLE` with the path to the first value without a tag, or `LIMIT_EXCEEDED`
 *   when the value is nested deeper than `MAX_NESTING`
 */
export function encodeRich(value: unknown, referenceOf?: ReferenceOf, isLenient?: boolean): string {
  try {
    return JSON.stringify(new Encoder(referenceOf, isLenient).encode(value));
  } catch (cause) {
    if (cause instanceof RpcError) throw cause;
    throw new RpcError('UNSERIALIZABLE', `Cannot read a value: ${cause}`, { cause });
  }
}

/** Up to this many objects, a search through a list is faster than a Map. */
const FEW = 100;

class Encoder {
  /** The items of the list after the first. */
  readonly #others: Reference[] = [];
  /** The objects and items that can occur again. */
  readonly #met: unknown[] = [];
  /** The index of each of these, once there are many. */
  #indices: Map<unknown, number> | undefined;
  /** The path to the current value: one step for each level, from index 1. Steps beyond its depth are stale. */
  readonly #path: (Step | undefined)[] = [];
  readonly #referenceOf: ReferenceOf | undefined;
  readonly #isLenient: boolean | undefined;

  constructor(referenceOf: ReferenceOf | undefined, isLenient: boolean | undefined) {
    this.#referenceOf = referenceOf;
    this.#isLenient = isLenient;
  }

  encode(value: unknown): unknown[] {
    return this.#items([value], 0).concat(this.#others);
  }

  /**
   * @param value - not a primitive that JSON represents exactly
   * @param depth - the number of objects that contain it, plus one
   * @returns what `JSON.stringify` writes for the value; the value itself, if JSON represents all of it exactly
   */
  #value(value: unknown, depth: number): unknown {
    checkNesting(depth);
    if (value === undefined) return [];
    const index = typeof value === 'bigint' ? -1 : this.#indexOf(value);
    if (index >= 0) return [-1 - index];
    const name = tagOf(value);
    const item =
      (name !== 'Object' && name !== 'Array' && this.#referenceOf?.(value)) ||
      (name === 'ArrayBuffer' && ([name, toBase64(value as ArrayBuffer)] as const));
    if (!item && !name) return this.#refuse(value, depth);
    this.#indices?.set(value, this.#met.length);
    this.#met.push(value);
    if (item) return [this.#others.push(item)];
    if (name === 'Object') return this.#properties(value as Record<string, unknown>, depth);
    const tag = TAGS.get(name as string);
    if (tag) return [name, ...this.#items(tag.take(value as never), depth, tag.step)];
    // The step to an item is its index.
    const items = this.#items(value as unknown[], depth, Number);
    return isMarked(items) ? [items] : items;
  }

  #indexOf(object: unknown): number {
    if (this.#met.length <= FEW) return this.#met.indexOf(object);
    this.#indices ??= new Map(this.#met.map((one, index) => [one, index]));
    return this.#indices.get(object) ?? -1;
  }

  /** @param step - returns the path step to the item at an index; absent if the items have no path */
  #items(items: unknown[], depth: number, step?: Tag['step']): unknown[] {
    let made = items;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (isExact(item)) continue;
      this.#path[depth] = step?.(index, items);
      const part = this.#value(item, depth + 1);
      if (part === item) continue;
      if (made === items) made = items.slice();
      made[index] = part;
    }
    return made;
  }

  #properties(object: Record<string, unknown>, depth: number): Record<string, unknown> {
    let made = object;
    for (const key in object) {
      const value = object[key];
      if (isExact(value)) continue;
      this.#path[depth] = key;
      const part = this.#value(value, depth + 1);
      if (part === value) continue;
      if (made === object) made = { ...object };
      made[key] = part;
    }
    return made;
  }

  #refuse(value: unknown, depth: number): unknown {
    if (this.#isLenient) return [];
    const path = this.#path.slice(0, depth).map(stepText).join('');
    let message = `Cannot send ${describe(value)} at ${path || 'top'}`;
    if ((value as { body?: { tee?: unknown } }).body?.tee) message += ': send its body';
    if (isThenable(value)) message += ': await it first';
    if (this.#isLenient === false) message += markFor(value);
    throw new RpcError('UNSERIALIZABLE', message, { path });
  }
}

/** What to pass instead of a function or a stream that is not marked. A capability looks like a function. */
function markFor(value: unknown): string {
  if (typeof value === 'function') return value.length >= 0 ? ': pass callback(fn)' : '';
  const found = value as Partial<AsyncGenerator>;
  return (found[Symbol.asyncIterator] ?? found.next) ? ': pass stream(iterable)' : '';
}

function stepText(step: Step | undefined): string {
  if (step === undefined) return '';
  if (typeof step !== 'object') return propertyPath(String(step));
  const [key] = step;
  return `.get(${typeof key === 'string' ? JSON.stringify(key) : '...'})`;
}

/** Names the kind of a value for an error message, without revealing its contents. */
export function describe(value: unknown): string {
  if (isThenable(value)) return 'a promise';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const { constructor = Object } = Object.getPrototypeOf(value) ?? {};
  const name = constructor.name || Object.prototype.toString.call(value).slice(8, -1);
  return constructor === Object ? 'a custom object' : `an instance of ${name}`;
}
