/** Migrates an object's tables to the schema that the code expects. Imports nothing. */

/** Used instead of SQLite's `user_version`, which Durable Objects cannot set. */
const KEY = 'schema_version';

/**
 * Runs the migrations that the object has not run yet: all of them, or none if one fails. Call it in the
 * constructor: an object may wake for the first time in years, with any earlier version of its tables.
 *
 * @param migrations - statements, in order. Never change a migration after a deployment; add another one.
 * @throws the error of the statement that failed; nothing has changed then
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const done = storage.kv.get<number>(KEY) ?? 0;
  if (done >= migrations.length) return;
  storage.transactionSync(() => {
    for (const statements of migrations.slice(done)) storage.sql.exec(statements);
    storage.kv.put(KEY, migrations.length);
  });
}
