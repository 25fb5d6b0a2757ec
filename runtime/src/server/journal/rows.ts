/**
 * The rows of the journal, one for each client. A row is a value of the key-value storage, beside the values of the
 * class. A large value would slow down every access to other keys, because SQLite reads a whole value to compare its
 * key, so large answers are in segments. docs/decisions/journal-and-batching.md has the figures.
 */
import type { JournalRow } from './client-journal.ts';

/** Key prefix of a row. The client's id follows. */
const PREFIX = '__rpc_journal:';

/** The size of a row is counted in steps of this many bytes. Nearly all rows take one step. */
const ROW_STEP = 512;

/** A row, and the largest size that it has had. */
export interface SizedRow extends JournalRow {
  /** The largest size of the row, in bytes. It is left out if it is `ROW_STEP`. */
  largest?: number;
}

export class JournalRows {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  read(client: string): SizedRow | undefined {
    return this.#storage.kv.get<SizedRow>(PREFIX + client);
  }

  /**
   * @param known - the largest size that the row has had, in bytes; 0 for a new row
   * @returns the largest size now
   */
  write(client: string, row: SizedRow, known: number): number {
    const largest = Math.max(known, sizeOf(client, row));
    if (largest > ROW_STEP) row.largest = largest;
    this.#storage.kv.put(PREFIX + client, row);
    return largest;
  }

  delete(client: string): void {
    this.#storage.kv.delete(PREFIX + client);
  }

  /**
   * Returns the rows that follow a client's row, in the order of their ids, until they take `bytes` together.
   *
   * @returns `isLast` if there are no more
   */
  after(
    client: string,
    bytes: number,
  ): { rows: [client: string, row: SizedRow][]; isLast: boolean } {
    const limit = bytes / ROW_STEP;
    const options = { prefix: PREFIX, startAfter: PREFIX + client, limit };
    const rows: [string, SizedRow][] = [];
    let left = bytes;
    for (const [key, row] of this.#storage.kv.list<SizedRow>(options)) {
      rows.push([key.slice(PREFIX.length), row]);
      left -= largestOf(row);
      if (left <= 0) return { rows, isLast: false };
    }
    return { rows, isLast: true };
  }
}

/** Returns how many rows an object has, but at most `limit`. */
export function countRows({ kv }: DurableObjectStorage, limit: number): number {
  return [...kv.list({ prefix: PREFIX, limit })].length;
}

/** Returns the largest size that a stored row has had. */
export function largestOf({ largest = ROW_STEP }: SizedRow): number {
  return largest;
}

/** Estimates the bytes that a row takes: two for a character, nine for a number. The row is never larger. */
function sizeOf(client: string, { answers, bytes, begun, owner, segments }: JournalRow): number {
  const characters = client.length + answers.length + (owner?.length ?? 0);
  const numbers = begun.length + (segments?.length ?? 0);
  const size = 2 * characters + 9 * numbers + (bytes?.byteLength ?? 0);
  return Math.ceil((size + 100) / ROW_STEP) * ROW_STEP;
}
