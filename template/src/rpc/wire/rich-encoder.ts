/**
 * The first half of the general codec: encodes any value as JSON text. The text is a list, and its first
 * item is the value. Arrays in the value represent what JSON lacks:
 *
 * - `[]`: undefined
 * - `["NaN"]`: a number that JSON lacks
 * - `[[…]]`: an array; `{…}`: a plain object
 * - `["Map",…]`: any other object: its tag, then its parts
 * - `[-1]`: the first object of the text again, `[-2]` the second, in the order of their opening
 *   brackets; this keeps shared objects and cycles
 * - `[1]`: the value of the list item at that index, which is a reference or bytes
 *
 *     map = new Map(); map.set('self', map)      [["Map","self",[-1]]]
 *
 * The encoder copies an array or object only if a part of it has to be replaced. `JSON.stringify` then
 * writes the text. Imports errors, paths and tags.
 */
import { RpcError } from './errors.ts';
import { propertyPath } from './paths.ts';
import { checkNesting, isThenable, type Step, type Tag, tagOf, TAGS } from './tags.ts';

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
 * @param referenceOf - called for each object or function, before its tag is looked up
 * @param isLenient - whether to write `undefined` for a value without a tag, instead of throwing
 * @returns JSON text
 * @throws RpcError `UNSERIALIZABLE` with the path to the first value without a tag, or `LIMIT_EXCEEDED`
 *   when the value is nested deeper than `MAX_NESTING`
 */
export function encodeRich(value: unknown, referenceOf?: ReferenceOf, isLenient = false): string {
  try {
    return JSON.stringify(new Encoder(referenceOf, isLenient).encode(value));
  } catch (cause) {
    if (cause instanceof RpcError) throw cause;
    throw new RpcError('UNSERIALIZABLE', `Cannot read a value: ${cause}`, { cause });
  }
}

class Encoder {
  /** The items of the list after the first. */
  readonly #others: Reference[] = [];
  /** How to refer to an encoded object: its index in the list, or its negative number. */
  readonly #places = new Map<unknown, number>();
  /** The path to the current value: one step for each level, from index 1. Steps after `#nesting` are stale. */
  readonly #path: (Step | undefined)[] = [];
  readonly #referenceOf: ReferenceOf | undefined;
  readonly #isLenient: boolean;
  #met = 0;
  #nesting = 0;

  constructor(referenceOf: ReferenceOf | undefined, isLenient: boolean) {
    this.#referenceOf = referenceOf;
    this.#isLenient = isLenient;
  }

  encode(value: unknown): unknown[] {
    return [this.#value(value), ...this.#others];
  }

  /** @returns what `JSON.stringify` writes for the value: the value itself, if JSON represents it exactly */
  #value(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (Object.is(value, -0)) return ['-0'];
        return Number.isFinite(value) ? value : [String(value)];
      case 'undefined':
        return [];
      default:
        return value === null ? null : this.#object(value);
    }
  }

  #object(object: unknown): unknown {
    const place = this.#places.get(object);
    if (place !== undefined) return [place];
    const reference = this.#referenceOf?.(object);
    if (reference) return this.#listed(object, reference);
    const name = tagOf(object);
    if (name === undefined) return this.#refuse(object);
    if (name === 'ArrayBuffer') {
      const { take } = TAGS.get(name) as Tag;
      return this.#listed(object, [name, ...take(object as never)]);
    }
    this.#places.set(object, --this.#met);
    checkNesting(++this.#nesting);
    const made = this.#made(name, object);
    this.#nesting--;
    return made;
  }

  /** Adds an item to the list. Readers find references and bytes there without walking the value. */
  #listed(object: unknown, item: Reference): [index: number] {
    const index = this.#others.push(item);
    this.#places.set(object, index);
    return [index];
  }

  #made(name: string, object: unknown): unknown {
    if (name === 'Object') return this.#properties(object as Record<string, unknown>);
    if (name === 'Array') return [this.#items(object as unknown[], itself)];
    const { take, step } = TAGS.get(name) as Tag;
    const parts = this.#items(take(object as never), step);
    parts.unshift(name);
    return parts;
  }

  /** @param step - returns the path step to the item at an index; absent if the items have no path */
  #items(items: unknown[], step: Tag['step']): unknown[] {
    let made = items;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      this.#path[this.#nesting] = step?.(index, items);
      const part = this.#value(item);
      if (part === item) continue;
      if (made === items) made = items.slice();
      made[index] = part;
    }
    return made;
  }

  #properties(object: Record<string, unknown>): Record<string, unknown> {
    let made = object;
    for (const key of Object.keys(object)) {
      const value = object[key];
      this.#path[this.#nesting] = key;
      const part = this.#value(value);
      if (part === value) continue;
      if (made === object) made = { ...object };
      made[key] = part;
    }
    return made;
  }

  #refuse(value: unknown): unknown {
    if (this.#isLenient) return [];
    const path = this.#path
      .slice(0, this.#nesting + 1)
      .map(stepText)
      .join('');
    let message = `Cannot send ${describe(value)} at ${path || 'top'}`;
    if ((value as { body?: unknown }).body) message += ': send its body';
    throw new RpcError('UNSERIALIZABLE', message, { path });
  }
}

function itself(index: number): number {
  return index;
}

function stepText(step: Step | undefined): string {
  if (step === undefined) return '';
  if (typeof step === 'string') return propertyPath(step);
  if (typeof step === 'number') return `[${step}]`;
  const [key] = step;
  return `.get(${typeof key === 'string' ? JSON.stringify(key) : '...'})`;
}

/** Names the kind of a value for an error message, without revealing its contents. */
export function describe(value: unknown): string {
  if (isThenable(value)) return 'a promise';
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  const { constructor = Object } = Object.getPrototypeOf(value) ?? {};
  const name = constructor.name || Object.prototype.toString.call(value).slice(8, -1);
  return constructor === Object ? 'a custom object' : `an instance of ${name}`;
}
