/**
 * The rows of a live value whose rows have keys, as they have arrived. A row that has not changed is the same object as
 * before: of a patch, which says what stays, and of all rows, which are compared as text.
 */
import { type AnswerMessage, decodeAnswer } from '../../../wire/messages.ts';
import { malformed } from '../../../wire/values/part-checks.ts';
import { decodeRich, type Resolve } from '../../../wire/values/rich-decoder.ts';

interface Row {
  readonly value: unknown;
  /** The text of a row that was decoded. Any other row is its text as JSON. */
  readonly text?: string;
}

type Lists = Map<unknown, unknown> | Record<string, unknown>;

export class KeyedRows {
  /** What the last patch has made. */
  value: unknown;
  #rows: readonly Row[] = [];
  #lengths: string | undefined;

  /**
   * @param parts - of a patch: rows, and pairs of numbers
   * @param lengths - the end of the message, with the lengths of several lists
   * @returns whether the value is another one than before
   * @throws any error for a malformed patch
   */
  patch(
    parts: unknown[],
    isWhole: boolean,
    lengths: unknown[],
    resolve: Resolve | undefined,
  ): boolean {
    const before = this.#rows;
    const known = new Map(isWhole ? before.map((row) => [textOf(row), row]) : []);
    const rows: Row[] = [];
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      if (typeof part === 'number') {
        const end = part + (parts[++index] as number);
        for (let place = part; place < end; place++) rows.push(before[place] ?? malformed());
      } else rows.push(rowOf(part, known, resolve));
    }
    const lengthsText = JSON.stringify(lengths);
    const isSame =
      lengthsText === this.#lengths &&
      rows.length === before.length &&
      rows.every((row, index) => row === before[index]);
    this.#rows = rows;
    this.#lengths = lengthsText;
    const values = rows.map(({ value }) => value);
    // Not the list of before, even if all rows stay: the application may have sorted that list.
    this.value = lengths.length > 0 ? this.#named(values, lengths) : values;
    return !isSame;
  }

  /** The rows as lists by name. A list whose rows have stayed is the same array as before. */
  #named(rows: unknown[], lengths: unknown[]): unknown {
    const { result } = decodeAnswer([0, ...lengths] as AnswerMessage) as { result: Lists };
    const before = this.value;
    let start = 0;
    const take = (length: unknown, old: unknown): unknown => {
      const list = rows.slice(start, (start += length as number));
      const isKept =
        Array.isArray(old) && old.length === length && list.every((row, at) => row === old[at]);
      return isKept ? old : list;
    };
    if (result instanceof Map) {
      const old = before instanceof Map ? before : undefined;
      for (const [name, length] of result) result.set(name, take(length, old?.get(name)));
    } else {
      const old = Object(before) as Record<string, unknown>;
      for (const name in result) result[name] = take(result[name], old[name]);
    }
    return result;
  }
}

/** @param known - rows by their text */
function rowOf(
  part: unknown,
  known: ReadonlyMap<string | undefined, Row>,
  resolve: Resolve | undefined,
): Row {
  const isRich = Array.isArray(part);
  if (!isRich && known.size === 0) return { value: part };
  const text = JSON.stringify(part);
  return known.get(text) ?? (isRich ? { value: decodeRich(part, resolve), text } : { value: part });
}

/** @returns `undefined` for a row to which the application has added what JSON lacks */
function textOf({ text, value }: Row): string | undefined {
  try {
    return text ?? JSON.stringify(value);
  } catch {
    return undefined;
  }
}
