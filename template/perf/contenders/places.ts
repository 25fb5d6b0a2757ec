/**
 * What the workload with SQL does: a table with an index, and an alarm. It is the performance test's
 * own, so that the template's examples can be deleted. Imports nothing.
 */

type Place = {
  id: string;
  place: string;
  holder: string;
  expires: number | null;
};

export class Places {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS places (
        id TEXT PRIMARY KEY, place TEXT NOT NULL UNIQUE, holder TEXT NOT NULL, expires INTEGER
      ) STRICT;
      CREATE INDEX IF NOT EXISTS places_by_expiry ON places (expires) WHERE expires IS NOT NULL`);
  }

  /** Takes a place for ten minutes, and gives it free again. */
  takeAndRelease(place: string): string {
    this.#query('DELETE FROM places WHERE expires <= ?', Date.now());
    const [taken] = this.#query(
      `INSERT INTO places (id, place, holder, expires) VALUES (?, ?, ?, ?)
       ON CONFLICT (place) DO NOTHING RETURNING *`,
      crypto.randomUUID(),
      place,
      'Ada',
      Date.now() + 600_000,
    );
    if (!taken) throw new Error(`${place} is taken`);
    const [next] = this.#query(
      'SELECT * FROM places WHERE expires IS NOT NULL ORDER BY expires LIMIT 1',
    );
    if (next?.expires) void this.#storage.setAlarm(next.expires);
    const [own] = this.#query('SELECT * FROM places WHERE id = ?', taken.id);
    if (own) this.#query('DELETE FROM places WHERE id = ?', own.id);
    return taken.place;
  }

  #query(statement: string, ...bindings: SqlStorageValue[]): Place[] {
    return this.#storage.sql.exec<Place>(statement, ...bindings).toArray();
  }
}
