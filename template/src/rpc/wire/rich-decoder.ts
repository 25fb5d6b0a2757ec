/**
 * The general codec, second half: from what `JSON.parse` made of the text back to the value. Only
 * what the encoder writes is taken; anything else is refused, unless it does no harm, as further
 * parts of a value do none. Imports errors, parts, rich-encoder and tags.
 */
import { RpcError } from './errors.ts';
import { malformed } from './parts.ts';
import { CALL, type Reference } from './rich-encoder.ts';
import { checkNesting, TAGS } from './tags.ts';

/** The numbers that JSON lacks. */
const ODD_NUMBERS = new Set(['NaN', 'Infinity', '-Infinity', '-0']);

/**
 * Gives the value that a reference stands for. Nothing has been looked at: its name can be whatever JSON
 * can hold.
 */
export type Resolve = (reference: Reference) => unknown;

/**
 * @param list - what `JSON.parse` made of the text; the value is made of it, so it can be decoded once
 * @param resolve - gives the value that a reference stands for
 * @throws RpcError `BAD_MESSAGE` for anything that the encoder would not write, `LIMIT_EXCEEDED` when
 *   it is nested deeper than `MAX_NESTING`, or what `resolve` throws
 */
export function decodeRich(list: unknown, resolve?: Resolve): unknown {
  const decoder = new Decoder(list as unknown[], resolve);
  try {
    return decoder.decode();
  } catch (cause) {
    if (cause instanceof RpcError || decoder.isUnresolved) throw cause;
    throw new RpcError('BAD_MESSAGE', 'Malformed value', { cause });
  }
}

class Decoder {
  /** Whether whoever resolves references could not resolve one. */
  isUnresolved = false;
  readonly #list: unknown[];
  readonly #resolve: Resolve | undefined;
  /** What the items after the first stand for, where it is known. */
  readonly #resolved: unknown[] = [];
  /** The objects in the order in which they begin; nothing, for one that is being made of its parts. */
  readonly #met: unknown[] = [];
  #nesting = 0;

  constructor(list: unknown[], resolve: Resolve | undefined) {
    this.#list = list;
    this.#resolve = resolve;
  }

  decode(): unknown {
    return Array.isArray(this.#list) ? this.#value(this.#list[0]) : malformed();
  }

  #value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value) && value.length < 2) {
      const [first] = value;
      if (value.length === 0) return undefined;
      if (typeof first === 'number') return this.#earlier(first);
      if (ODD_NUMBERS.has(first)) return Number(first);
    }
    checkNesting(++this.#nesting);
    const made = Array.isArray(value)
      ? this.#tagged(value)
      : this.#properties(value as Record<string, unknown>);
    this.#nesting--;
    return made;
  }

  #tagged(value: unknown[]): unknown {
    const name = value.shift();
    if (Array.isArray(name)) {
      this.#met.push(name);
      return this.#parts(name);
    }
    const { fill, make } = TAGS.get(name as string) ?? malformed();
    // Before its parts are looked at, since one may be the value itself.
    const begun = fill && make(value as never);
    const index = this.#met.push(begun) - 1;
    this.#parts(value);
    if (!fill) return (this.#met[index] = make(value as never));
    fill(begun as never, value as never);
    return begun;
  }

  /** Gives each its value, in its place. */
  #parts(parts: unknown[]): unknown[] {
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      if (typeof part === 'object') parts[index] = this.#value(part);
    }
    return parts;
  }

  #properties(object: Record<string, unknown>): object {
    this.#met.push(object);
    for (const key in object) {
      // As a key it would change the class of whatever an object is copied into.
      if (key === '__proto__') malformed();
      const part = object[key];
      if (typeof part === 'object') object[key] = this.#value(part);
    }
    return object;
  }

  /** An object that was met, or what an item stands for. */
  #earlier(index: number): unknown {
    if (index < 0) return this.#met[-1 - index] ?? malformed();
    if (!(index in this.#resolved)) this.#resolved[index] = this.#item(this.#list[index]);
    return this.#resolved[index];
  }

  /** @param item - a text of one character after the other does no more harm than another list */
  #item(item: unknown): unknown {
    const [name, first] = item as Reference;
    // Bytes that came beside the text: JSON holds no buffers.
    if (first instanceof ArrayBuffer) return first;
    if (name === 'ArrayBuffer') return TAGS.get(name)?.make([first] as never);
    if (!this.#resolve) unread(item as Reference);
    this.isUnresolved = true;
    const value = this.#resolve(item as Reference);
    this.isUnresolved = false;
    return value;
  }
}

/** Refuses a reference that no option of the client reads. */
export function unread(reference: Reference): never {
  return malformed(`No client option for ${reference[0]}`);
}

/** The ids of the calls that a list refers to, each once. */
export function referencedCalls(list: unknown): number[] {
  if (!Array.isArray(list)) return [];
  return [...new Set(list.flatMap((item) => (isReference(item) ? [item[1]] : [])))];
}

/** Other references are refused when the list is decoded. */
function isReference(item: unknown): item is [name: typeof CALL, id: number] {
  return Array.isArray(item) && item[0] === CALL && Number.isSafeInteger(item[1]);
}
