/**
 * The general codec, second half: from what `JSON.parse` made of the text back to the value. Only
 * what the encoder writes is taken; anything else is refused, unless it does no harm, as further
 * parts of a value do none. Imports errors, parts and tags.
 */
import { RpcError } from './errors.ts';
import { safeKey } from './parts.ts';
import type { CallReference } from './rich-encoder.ts';
import { CALL, checkNesting, TAGS } from './tags.ts';

/** The numbers that JSON lacks, by their names. */
const ODD_NUMBERS = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
]);

type Resolve = (call: CallReference) => unknown;

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
    const message = `A value is malformed: ${(cause as Error).message}`;
    throw new RpcError('BAD_MESSAGE', message, { cause });
  }
}

class Decoder {
  /** Whether a reference could not be resolved. */
  isUnresolved = false;
  readonly #list: unknown[];
  /** What has been made of the items, or is being made. */
  readonly #values = new Map<number, unknown>();
  readonly #resolve: Resolve | undefined;
  #nesting = 0;

  constructor(list: unknown[], resolve: Resolve | undefined) {
    this.#list = list;
    this.#resolve = resolve;
  }

  decode(): unknown {
    if (!Array.isArray(this.#list)) throw new TypeError('not a list');
    return this.#value(this.#list[0]);
  }

  #value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value) || value.length > 1)
      throw new TypeError('neither a value nor an index');
    if (value.length === 0) return undefined;
    const [index] = value;
    if (ODD_NUMBERS.has(index)) return ODD_NUMBERS.get(index);
    if (this.#values.has(index)) return this.#values.get(index);
    checkNesting(++this.#nesting);
    const made = this.#item(index);
    this.#nesting--;
    return made;
  }

  #item(index: number): unknown {
    const item = this.#list[index];
    // Text would find what lists inherit, or an item a second time.
    if (typeof index !== 'number' || index === 0 || typeof item !== 'object' || item === null)
      throw new TypeError('no such item');
    if (!Array.isArray(item)) return this.#object(index, item as Record<string, unknown>);
    const [name, ...parts] = item;
    if (Array.isArray(name)) return this.#array(index, name);
    if (name === CALL) return this.#reference(index, parts as CallReference);
    const tag = TAGS.get(name);
    if (!tag) throw new TypeError('no such type');
    if (!tag.fill) {
      const value = tag.make(this.#parts(parts) as never);
      this.#values.set(index, value);
      return value;
    }
    const value = tag.make(parts as never);
    this.#values.set(index, value);
    tag.fill(value as never, this.#parts(parts) as never);
    return value;
  }

  #parts(parts: unknown[]): unknown[] {
    return parts.map((part) => this.#value(part));
  }

  #array(index: number, values: unknown[]): unknown[] {
    const array: unknown[] = [];
    this.#values.set(index, array);
    for (const value of values) array.push(this.#value(value));
    return array;
  }

  #object(index: number, properties: Record<string, unknown>): object {
    const object: Record<string, unknown> = {};
    this.#values.set(index, object);
    for (const key of Object.keys(properties)) {
      object[safeKey(key)] = this.#value(properties[key]);
    }
    return object;
  }

  #reference(index: number, reference: CallReference): unknown {
    const [id, ...path] = reference;
    if (
      !this.#resolve ||
      !Number.isSafeInteger(id) ||
      path.some((key) => typeof key !== 'string')
    ) {
      throw new TypeError('not a reference to a call');
    }
    this.isUnresolved = true;
    const value = this.#resolve(reference);
    this.isUnresolved = false;
    this.#values.set(index, value);
    return value;
  }
}

/** The ids of the calls that a list refers to, each once. */
export function referencedCalls(list: unknown): number[] {
  if (!Array.isArray(list)) return [];
  return [...new Set(list.flatMap((item) => (isReference(item) ? [item[1]] : [])))];
}

/** Other references are refused when the list is decoded. */
function isReference(item: unknown): item is [name: string, id: number] {
  return Array.isArray(item) && item[0] === CALL && Number.isSafeInteger(item[1]);
}
