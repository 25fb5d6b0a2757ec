/**
 * The second half of the general codec: turns the output of `JSON.parse` back into the value. It rejects
 * what the encoder would not write, unless that is harmless, such as extra parts of a value. Imports
 * base64, errors, parts, rich-encoder and tags.
 */
import { fromBase64 } from './base64.ts';
import { RpcError } from './errors.ts';
import { malformed, text } from './parts.ts';
import { CALL, type Reference } from './rich-encoder.ts';
import { checkNesting, isMarked, TAGS } from './tags.ts';

/**
 * Returns the value of a reference. The reference is not validated yet: even its name can be any JSON
 * value.
 */
export type Resolve = (reference: Reference) => unknown;

/**
 * @param list - the output of `JSON.parse`. It is changed in place, so it can be decoded only once.
 * @param resolve - returns the value of a reference
 * @throws RpcError `BAD_MESSAGE` for a malformed value, `LIMIT_EXCEEDED` when the value is nested deeper
 *   than `MAX_NESTING`, or what `resolve` throws
 */
export function decodeRich(list: unknown, resolve?: Resolve): unknown {
  const decoder = new Decoder(list as unknown[], resolve);
  try {
    return decoder.decode();
  } catch (error) {
    if (error instanceof RpcError || decoder.isUnresolved) throw error;
    // Not with the error as its cause: that repeats what was sent, such as the text of a regular expression.
    throw new RpcError('BAD_MESSAGE', 'Malformed value');
  }
}

class Decoder {
  /** True while `resolve` runs, so it stays true if `resolve` throws. */
  declare isUnresolved: boolean | undefined;
  readonly #list: unknown[];
  readonly #resolve: Resolve | undefined;
  /** The objects and items, in the order of their opening brackets. */
  readonly #met: unknown[] = [];

  constructor(list: unknown[], resolve: Resolve | undefined) {
    this.#list = list;
    this.#resolve = resolve;
  }

  decode(): unknown {
    return Array.isArray(this.#list) ? this.#value(this.#list[0], 1) : malformed();
  }

  /** @param depth - the number of objects that contain the value, plus one */
  #value(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    checkNesting(depth);
    if (!Array.isArray(value)) return this.#properties(value as Record<string, unknown>, depth);
    if (value.length === 0) return undefined;
    const name: unknown = isMarked(value) ? value.shift() : value;
    if (typeof name === 'number') return this.#earlier(name);
    if (Array.isArray(name)) {
      this.#met.push(name);
      return this.#parts(name, depth);
    }
    const { fill, make } = TAGS.get(name as string) ?? malformed();
    // Before its parts are decoded, since a part can refer to the value itself. No other type accepts an array.
    const begun = fill ? make(value as never) : value;
    const index = this.#met.push(begun) - 1;
    this.#parts(value, depth);
    if (!fill) return (this.#met[index] = make(value as never));
    fill(begun as never, value as never);
    return begun;
  }

  /** Decodes the parts in place. */
  #parts(parts: unknown[], depth: number): unknown[] {
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      if (typeof part !== 'object') continue;
      const value = this.#value(part, depth + 1);
      if (value !== part) parts[index] = value;
    }
    return parts;
  }

  #properties(object: Record<string, unknown>, depth: number): object {
    this.#met.push(object);
    for (const key in object) {
      // Code that copies this key by assignment would change the prototype of the copy.
      if (key === '__proto__') malformed();
      const part = object[key];
      if (typeof part !== 'object') continue;
      const value = this.#value(part, depth + 1);
      if (value !== part) object[key] = value;
    }
    return object;
  }

  /** An object that came earlier in the text, or the value of a list item. */
  #earlier(index: number): unknown {
    if (index < 0) return -1 - index in this.#met ? this.#met[-1 - index] : malformed();
    const value = this.#item(this.#list[index]);
    // An item occurs once. Otherwise a short message could create very many buffers.
    this.#list[index] = undefined;
    this.#met.push(value);
    return value;
  }

  /** @param item - may be a string: its characters are then read like list items, which is harmless */
  #item(item: unknown): unknown {
    const [name, first] = item as Reference;
    // These bytes came after the text of the frame: JSON cannot contain a buffer.
    if (first instanceof ArrayBuffer) return first;
    if (name === 'ArrayBuffer') return fromBase64(text(first));
    if (!this.#resolve) unread(item as Reference);
    this.isUnresolved = true;
    const value = this.#resolve(item as Reference);
    this.isUnresolved = false;
    return value;
  }
}

/** Rejects a reference that no option of the client can resolve. */
export function unread([name]: Reference): never {
  throw new RpcError('BAD_MESSAGE', `No client option for a ${name}: write { capabilities }`);
}

/** The ids of the calls that a list refers to, without duplicates. */
export function referencedCalls(list: unknown): number[] {
  if (!Array.isArray(list)) return [];
  return [...new Set(list.flatMap((item) => (isReference(item) ? [item[1]] : [])))];
}

/** Whether an item is a reference to a call. All other items are checked when the list is decoded. */
function isReference(item: unknown): item is [name: typeof CALL, id: number] {
  return Array.isArray(item) && item[0] === CALL && Number.isSafeInteger(item[1]);
}
