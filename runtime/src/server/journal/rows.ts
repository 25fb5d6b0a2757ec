/**
 * Stores the rows of the journal. A small row is a value of the key-value storage, beside the values of the class. A
 * large row is in a table, which is created when it is first needed. In the key-value storage, a large row would slow
 * down every access to other keys, because SQLite reads a whole value to compare its key.
 * docs/decisions/journal-and-batching.md has the figures.
 */
import type { JournalRow } from './client-journal.ts';

/** Key prefix of a row. The client's id follows. */
const PREFIX = '__rpc_journal:';

/**
 * Size from which a row is large, in characters and bytes of its answers. A row below this size may slow down
 * the access to another key by a few microseconds.
 */
const LARGE = 12_000;

/** The key that is set once the table exists. */
const TABLE_KEY = '__rpc_journal';

interface TableRow extends Record<string, SqlStorageValue> {
  used: number;
  answers: string;
  bytes: ArrayBuffer | null;
  rest: string;
}

/** The rows of one object, by client id. */
export class JournalRows {
  readonly #storage: DurableObjectStorage;
  /** Whether the table may exist; `undefined` until it is first needed. */
  #hasTable: boolean | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** A row that has grown large stays in the table, and the table has the current version. */
  read(client: string): { row: JournalRow | undefined; isInTable: boolean } {
    const [found] = this.#query('SELECT * FROM __rpc_journal WHERE client = ?', client);
    if (!found) return { row: this.#storage.kv.get<JournalRow>(PREFIX + client), isInTable: false };
    const { used, answers, bytes, rest } = found;
    const row = { ...(JSON.parse(rest) as JournalRow), used, answers, ...(bytes && { bytes }) };
    return { row, isInTable: true };
  }

  /** @returns whether the row is in the table from now on */
  write(client: string, row: JournalRow, isInTable: boolean): boolean {
    if (isInTable || row.answers.length + (row.bytes?.byteLength ?? 0) >= LARGE) {
      this.#writeToTable(client, row);
      return true;
    }
    this.#storage.kv.put(PREFIX + client, row);
    return false;
  }

  delete(client: string): void {
    this.#storage.kv.delete(PREFIX + client);
    this.#query('DELETE FROM __rpc_journal WHERE client = ?', client);
  }

  /** The next client ids after an id, in order. Fewer than the limit if there are no more. */
  after(client: string, limit: number): string[] {
    const options = { prefix: PREFIX, startAfter: PREFIX + client, limit };
    const inKv = Array.from(this.#storage.kv.list(options), ([key]) => key.slice(PREFIX.length));
    const statement = 'SELECT client FROM __rpc_journal WHERE client > ? ORDER BY client LIMIT ?';
    const inTable = this.#query(statement, client, limit).map((row) => row['client'] as string);
    return [...new Set([...inKv, ...inTable])].toSorted().slice(0, limit);
  }

  #writeToTable(client: string, { used, answers, bytes, ...rest }: JournalRow): void {
    const { kv, sql } = this.#storage;
    // At each write, because `deleteAll` deletes the table and the key too.
    sql.exec(
      `CREATE TABLE IF NOT EXISTS __rpc_journal
       (client TEXT PRIMARY KEY, used INTEGER, answers TEXT, bytes BLOB, rest TEXT)`,
    );
    if (!kv.get(TABLE_KEY)) kv.put(TABLE_KEY, true);
    this.#hasTable = true;
    sql.exec(
      `INSERT INTO __rpc_journal VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET used = excluded.used, answers = excluded.answers, bytes = excluded.bytes,
           rest = excluded.rest`,
      client,
      used,
      answers,
      bytes ?? null,
      JSON.stringify(rest),
    );
  }

  /** Returns no rows if there is no table. */
  #query(statement: string, ...bindings: SqlStorageValue[]): TableRow[] {
    const { kv, sql } = this.#storage;
    this.#hasTable ??= kv.get(TABLE_KEY) !== undefined;
    if (!this.#hasTable) return [];
    try {
      return sql.exec<TableRow>(statement, ...bindings).toArray();
    } catch {
      // `deleteAll` has deleted the table.
      this.#hasTable = false;
      return [];
    }
  }
}
