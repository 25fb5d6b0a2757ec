/**
 * The general codec, first half: a value as JSON text. A value becomes a list whose first item is the
 * value, as JSON, with these in it for what JSON lacks:
 *
 * - `[]`: undefined
 * - `["NaN"]`: a number that JSON lacks
 * - `[[…]]`: an array, and `{…}`, a plain object
 * - `["Map",…]`: any other object, by its tag and its parts
 * - `[-1]`: the first object of the text once more, `[-2]` the second, in the order of their opening
 *   brackets; so sharing and cycles are kept
 * - `[1]`: what the item at that index of the list stands for, a reference or bytes
 *
 *     map = new Map(); map.set('self', map)      [["Map","self",[-1]]]
 *
 * The value is made into one that JSON carries, of which whatever can stay is not copied, and JSON
 * writes it. Imports errors, paths and tags.
 */
import { RpcError } from './errors.ts';
import { propertyPath } from './paths.ts';
import { checkNesting, isThenable, type Step, type Tag, tagOf, TAGS } from './tags.ts';

/**
 * An item that stands for something which only its ends can resolve: its name, then plain data.
 *
 * - `["Call", id, ...path]`: the result of a call, or what is there when the keys are followed
 * - `["Capability", className, number, ...address]`: an object that is made anew for each call
 * - `["Function", number]`: a function of the client, which the object may call
 * - `["Stream", number]`: a stream, whose items the client sends in messages of their own
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

/** Says which values are sent as references. */
export type ReferenceOf = (value: unknown) => Reference | undefined;

/**
 * @param referenceOf - says which values are sent as references, before anything else is looked at
 * @param isLenient - whether to write `undefined` for what no tag stands for, instead of refusing it
 * @returns JSON text
 * @throws RpcError `UNSERIALIZABLE` with the path to the first value that no tag stands for, or
 *   `LIMIT_EXCEEDED` when it is nested deeper than `MAX_NESTING`
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
  /** Of the list, all but the first. */
  readonly #others: Reference[] = [];
  /** What is written for an object that has been met: its index in the list, or its number, negative. */
  readonly #places = new Map<unknown, number>();
  /** The way to what is looked at, a step for each level from 1 on; beyond those it is what it was. */
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

  /** @returns what JSON carries; the value itself, where JSON carries it as it is */
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

  /** Where whoever looks for references and bytes finds them without a walk. */
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

  /** @param step - from the list's owner to the part at an index; none, for what has no path */
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

/** What kind of value it is, and nothing of what is in it. */
export function describe(value: unknown): string {
  if (isThenable(value)) return 'a promise';
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  const { constructor = Object } = Object.getPrototypeOf(value) ?? {};
  const name = constructor.name || Object.prototype.toString.call(value).slice(8, -1);
  return constructor === Object ? 'a custom object' : `an instance of ${name}`;
}
