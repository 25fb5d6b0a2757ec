/**
 * A live value whose rows have keys: a list, or lists by name. Each row is encoded by itself. A patch has the rows that
 * are new or have changed, and says which rows of the previous value stay. The key only serves to find a row that has
 * moved. The text decides whether a row has changed, so a patch is right for any keys.
 */
import type { EncodingOptions } from '../../../wire/frame-codec.ts';
import { isExactPrimitive, isObject, isPlain } from '../../../wire/values/plain.ts';
import { encodeRich, type ReferenceOf } from '../../../wire/values/rich-encoder.ts';
import { tagOf } from '../../../wire/values/tags.ts';
import { encodePatch } from '../../subscriptions/wire.ts';
import type { LiveValue, Update } from './live-value.ts';

/** The memory that a row takes besides its characters, in bytes, for its key and the header of its text. */
const ROW_OVERHEAD = 40;

/**
 * @param limit - the maximum size of all rows
 * @returns `undefined` for a value that is no list, and for rows that cannot be encoded one by one: rows that are too
 *   large, or a row that cannot be sent. Only the error of the whole value has the path to such a row
 */
export function keyedValueOf(
  value: unknown,
  key: string,
  { referenceOf }: EncodingOptions,
  limit: number,
): KeyedValue | undefined {
  const found = listsIn(value);
  if (!found) return undefined;
  const keys: unknown[] = [];
  const texts: string[] = [];
  let length = 0;
  try {
    for (const list of found.lists) {
      for (const row of list) {
        const text = encodeRow(row, referenceOf);
        keys.push((row as Record<string, unknown> | null | undefined)?.[key]);
        texts.push(text);
        length += text.length + 1;
        // A row that refers to all other rows is encoded together with all of them.
        if (length > limit) return undefined;
      }
    }
    return new KeyedValue(keys, texts, length, found.names);
  } catch {
    return undefined;
  }
}

export class KeyedValue implements LiveValue {
  readonly size: number;
  readonly #keys: readonly unknown[];
  /** The rows of all lists, encoded. */
  readonly #texts: readonly string[];
  readonly #names: string;

  constructor(keys: readonly unknown[], texts: readonly string[], length: number, names: string) {
    this.size = length + names.length + texts.length * ROW_OVERHEAD;
    this.#keys = keys;
    this.#texts = texts;
    this.#names = names;
  }

  updateFrom(sent: LiveValue | undefined): Update | undefined {
    const base = sent instanceof KeyedValue ? sent : undefined;
    if (base && this.#isSame(base)) return undefined;
    const patch = base && this.#patchFrom(base);
    const rows = patch ?? this.#texts.join();
    return (receiver) => {
      receiver.patches = patch === undefined ? 0 : receiver.patches + 1;
      return encodePatch(receiver.subscriptionId, receiver.patches, rows, this.#names);
    };
  }

  #isSame(other: KeyedValue): boolean {
    const texts = this.#texts;
    if (this.#names !== other.#names || texts.length !== other.#texts.length) return false;
    return texts.every((text, index) => text === other.#texts[index]);
  }

  /**
   * @returns the parts of a patch, separated by commas. They are never longer than all rows, because a row that contains
   *   its key is longer than the two numbers which say that it stays.
   */
  #patchFrom(base: KeyedValue): string {
    const oldKeys = base.#keys;
    const oldTexts = base.#texts;
    const parts: string[] = [];
    let places: Map<unknown, number> | undefined;
    /** The index of the first of the rows that stay, up to the current row. `count` is their number. */
    let start = 0;
    let count = 0;
    /** The previous index of the next row, if no row has moved. */
    let next = 0;
    const endRun = (): void => {
      if (count > 0) parts.push(`${start},${count}`);
      count = 0;
    };
    for (let index = 0; index < this.#texts.length; index++) {
      const text = this.#texts[index] as string;
      const key = this.#keys[index];
      let place: number | undefined = next;
      if (oldTexts[next] !== text && oldKeys[next] !== key) {
        places ??= new Map(oldKeys.map((old, at) => [old, at]));
        place = places.get(key);
      }
      if (place === undefined || oldTexts[place] !== text) {
        endRun();
        parts.push(text);
      } else {
        if (place !== start + count) endRun();
        if (count++ === 0) start = place;
      }
      if (place !== undefined) next = place + 1;
    }
    endRun();
    return parts.join();
  }
}

interface Lists {
  readonly lists: readonly (readonly unknown[])[];
  /** The end of a message: the names of the lists with their lengths; empty for one list. */
  readonly names: string;
}

/** @returns `undefined` for a value that is neither a list nor lists by name */
function listsIn(value: unknown): Lists | undefined {
  if (!isObject(value)) return undefined;
  if (isList(value)) return { lists: [value], names: '' };
  const tag = tagOf(value);
  if (tag !== 'Object' && tag !== 'Map') return undefined;
  const isMap = tag === 'Map';
  const named = isMap ? [...(value as ReadonlyMap<unknown, unknown>)] : Object.entries(value);
  const lists: (readonly unknown[])[] = [];
  let names = `,${isMap}`;
  for (const [name, list] of named) {
    if (!isExactPrimitive(name) || !isList(list)) return undefined;
    lists.push(list);
    names += `,${JSON.stringify(name)},${list.length}`;
  }
  return { lists, names };
}

/** Returns whether a value is an array without holes. */
function isList(value: unknown): value is readonly unknown[] {
  return isObject(value) && tagOf(value) === 'Array';
}

/** Returns a row as a part of a patch: an object, or the list of the general codec. */
function encodeRow(row: unknown, referenceOf: ReferenceOf | undefined): string {
  if (isObject(row) && !Array.isArray(row) && isPlain(row)) return JSON.stringify(row);
  return encodeRich(row, referenceOf);
}
