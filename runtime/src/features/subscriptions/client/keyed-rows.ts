/**
 * The rows of a live value whose rows have keys, as they have arrived. A row that has not changed stays the same object.
 * A patch says which rows stay. If all rows arrive, they are compared with the previous rows as text.
 */
import { malformed } from '../../../wire/values/part-checks.ts';
import { decodeRich, type Resolve } from '../../../wire/values/rich-decoder.ts';

interface Row {
  /** The text of the row as it has arrived. */
  readonly text: string;
  readonly value: unknown;
}

/** A patch. For lists by name, it also has whether they are a Map, and each name with the length of its list. */
export type Patch = [parts: unknown[], isMap?: unknown, ...namesAndLengths: unknown[]];

export class KeyedRows {
  /** The value after the last patch. */
  value: unknown;
  #rows: readonly Row[] = [];
  #lists: ReadonlyMap<unknown, unknown[]> = new Map();
  /** The names of the lists and their lengths. */
  #names: string | undefined;

  /**
   * @returns whether the value has changed
   * @throws any error for a malformed patch
   */
  patch([parts, ...names]: Patch, isWhole: boolean, resolve: Resolve | undefined): boolean {
    const before = this.#rows;
    const known = new Map(isWhole ? before.map((row) => [row.text, row]) : []);
    const rows: Row[] = [];
    for (let index = 0; index < parts.length;) {
      const part = parts[index++];
      if (typeof part === 'number') {
        const end = part + (parts[index++] as number);
        for (let place = part; place < end; place++) rows.push(before[place] ?? malformed());
      } else {
        const text = JSON.stringify(part);
        rows.push(known.get(text) ?? { text, value: decoded(part, resolve) });
      }
    }
    const named = JSON.stringify(names);
    const isNew = named !== this.#names || !isEqual(rows, before);
    this.#rows = rows;
    this.#names = named;
    // The list is always new, even if all rows stay, because the application may have sorted the previous list.
    const values = rows.map(({ value }) => value);
    this.value = names.length > 0 ? this.#byName(values, names) : values;
    return isNew;
  }

  /** Returns the lists by name. A list whose rows have all stayed remains the same array. */
  #byName(rows: unknown[], [isMap, ...names]: unknown[]): unknown {
    const lists = new Map<unknown, unknown[]>();
    let start = 0;
    for (let index = 0; index < names.length; index += 2) {
      const list = rows.slice(start, (start += names[index + 1] as number));
      const old = this.#lists.get(names[index]);
      lists.set(names[index], old && isEqual(list, old) ? old : list);
    }
    this.#lists = lists;
    return isMap ? new Map(lists) : Object.fromEntries(lists);
  }
}

function decoded(part: unknown, resolve: Resolve | undefined): unknown {
  return Array.isArray(part) ? decodeRich(part, resolve) : part;
}

function isEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}
