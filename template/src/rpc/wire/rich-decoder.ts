/**
 * The general codec, second half: from what `JSON.parse` made of the text back to the value. Only
 * what the encoder writes is taken; anything else is refused, unless it does no harm, as further
 * parts of a value do none. Imports errors, parts, rich-encoder and tags.
 */
import { RpcError } from './errors.ts';
import { malformed, safeKey } from './parts.ts';
import { CALL, type Reference } from './rich-encoder.ts';
import { checkNesting, TAGS } from './tags.ts';

/** The numbers that JSON lacks. */
const ODD_NUMBERS = new Set(['NaN', 'Infinity', '-Infinity', '-0']);

/**
 * Gives the value that a reference stands for. Nothing has been looked at but that its name, whatever
 * that is, is no tag.
 */
export type Resolve = (reference: Reference) => unknown;

/**
 * @param list - what `JSON.parse` made of the text
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
  /** Whether a reference could not be resolved. */
  isUnresolved = false;
  readonly #list: unknown[];
  readonly #resolve: Resolve | undefined;
  /** What has been made of the items, or is being made. */
  readonly #values = new Map<number, unknown>();
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
    if (!Array.isArray(value) || value.length > 1) return malformed();
    if (value.length === 0) return undefined;
    const [index] = value;
    if (ODD_NUMBERS.has(index)) return Number(index);
    if (this.#values.has(index)) return this.#values.get(index);
    checkNesting(++this.#nesting);
    // Text would find what lists inherit, or an item a second time.
    const item = typeof index === 'number' && index > 0 ? this.#list[index] : malformed();
    const made = this.#make(index, item);
    this.#nesting--;
    return made;
  }

  #make(index: number, item: unknown): unknown {
    if (typeof item !== 'object' || item === null) return malformed();
    if (!Array.isArray(item)) return this.#object(index, item as Record<string, unknown>);
    const [name, ...parts] = item;
    if (Array.isArray(name)) {
      const array = this.#keep<unknown[]>(index, []);
      for (const value of name) array.push(this.#value(value));
      return array;
    }
    const tag = TAGS.get(name);
    if (!tag) return this.#keep(index, this.#reference(item as never));
    if (!tag.fill) return this.#keep(index, tag.make(this.#parts(parts) as never));
    const value = this.#keep(index, tag.make(parts as never));
    tag.fill(value as never, this.#parts(parts) as never);
    return value;
  }

  /** Before what is in a value is looked at, since that may be the value itself. */
  #keep<Value>(index: number, value: Value): Value {
    this.#values.set(index, value);
    return value;
  }

  #parts(parts: unknown[]): unknown[] {
    return parts.map((part) => this.#value(part));
  }

  #object(index: number, item: Record<string, unknown>): object {
    const object = this.#keep<Record<string, unknown>>(index, {});
    for (const key of Object.keys(item)) object[safeKey(key)] = this.#value(item[key]);
    return object;
  }

  #reference(reference: Reference): unknown {
    // Bytes that came beside the text: JSON holds no buffers.
    const [, first] = reference;
    if (first instanceof ArrayBuffer) return first;
    if (!this.#resolve) unread(reference);
    this.isUnresolved = true;
    const value = this.#resolve(reference);
    this.isUnresolved = false;
    return value;
  }
}

/** Refuses a reference that no option of the client reads. */
export function unread(reference: Reference): never {
  return malformed(`No option of the client reads a ${reference[0]}`);
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
