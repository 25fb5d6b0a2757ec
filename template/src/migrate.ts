/** Brings an object's tables to the form that the code expects. Imports nothing. */

/** Not SQLite's own `user_version`, which Durable Objects may not set. */
const KEY = 'schema_version';

/**
 * Runs the migrations that the object has not had, all of them or none. Call it in the constructor:
 * an object may wake for the first time in years, so it catches up by itself, whichever it had last.
 *
 * @param migrations - statements, in order; one that has been deployed is never changed, only
 *   followed by another
 * @throws Error of the statement that failed; nothing has changed then
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const done = storage.kv.get<number>(KEY) ?? 0;
  if (done >= migrations.length) return;
  storage.transactionSync(() => {
    for (const statements of migrations.slice(done)) storage.sql.exec(statements);
    storage.kv.put(KEY, migrations.length);
  });
}
