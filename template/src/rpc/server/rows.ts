/**
 * Where the journal's rows are. A small row is a value of the key-value storage, beside what the class
 * keeps there. A large one would make every look at the other keys slow, since SQLite reads a value
 * whole to compare its key; it goes to a table, which is made when it is first needed.
 * docs/decisions/journal-storage.md has the figures. Imports entry.
 */
import type { Row } from './entry.ts';

/** Before a client's id: the key of its row. */
const PREFIX = '__rpc_journal:';

/**
 * From how many characters and bytes of answers on a row is large. Below it a look at another key may cost a few
 * microseconds more.
 */
const LARGE = 12_000;

/** The key that says that there is a table. */
const TABLE_KEY = '__rpc_journal';

interface TableRow extends Record<string, SqlStorageValue> {
  used: number;
  answers: string;
  bytes: ArrayBuffer | null;
  rest: string;
}

/** The rows of one object, each by its client's id. */
export class Rows {
  readonly #storage: DurableObjectStorage;
  /** Whether there may be a table; not known before it is asked for. */
  #hasTable: boolean | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** A row that has grown large stays in the table, whose row counts. */
  read(client: string): { row: Row | undefined; isInTable: boolean } {
    const [found] = this.#query('SELECT * FROM __rpc_journal WHERE client = ?', client);
    if (!found) return { row: this.#storage.kv.get<Row>(PREFIX + client), isInTable: false };
    const { used, answers, bytes, rest } = found;
    const row = { ...(JSON.parse(rest) as Row), used, answers, ...(bytes && { bytes }) };
    return { row, isInTable: true };
  }

  /** @returns whether it is in the table from now on */
  write(client: string, row: Row, isInTable: boolean): boolean {
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

  /** The clients whose ids come next after one; fewer than the limit if these are the last. */
  after(client: string, limit: number): string[] {
    const options = { prefix: PREFIX, startAfter: PREFIX + client, limit };
    const inKv = Array.from(this.#storage.kv.list(options), ([key]) => key.slice(PREFIX.length));
    const statement = 'SELECT client FROM __rpc_journal WHERE client > ? ORDER BY client LIMIT ?';
    const inTable = this.#query(statement, client, limit).map((row) => row['client'] as string);
    return [...new Set([...inKv, ...inTable])].toSorted().slice(0, limit);
  }

  #writeToTable(client: string, { used, answers, bytes, ...rest }: Row): void {
    const { kv, sql } = this.#storage;
    // Each time: `deleteAll` deletes the table and the key too.
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

  /** Nothing, if there is no table. */
  #query(statement: string, ...bindings: SqlStorageValue[]): TableRow[] {
    const { kv, sql } = this.#storage;
    this.#hasTable ??= kv.get(TABLE_KEY) !== undefined;
    if (!this.#hasTable) return [];
    try {
      return sql.exec<TableRow>(statement, ...bindings).toArray();
    } catch {
      // `deleteAll` has deleted it.
      this.#hasTable = false;
      return [];
    }
  }
}
