/** Migrates an object's tables to the schema that the code expects. */

/** Used instead of SQLite's `user_version`, which Durable Objects cannot set. */
const KEY = 'schema_version';

/**
 * Runs the migrations, a list of SQL statements, that an object has not run yet: all of them, or none if one fails.
 * Call it in the constructor, because an object may wake with any earlier version of its tables. How many have run is
 * stored under the key `schema_version`.
 *
 * @param storage - of the object, which has SQLite: `"storage": "sqlite"` in the Wrangler configuration's `exports`
 * @param migrations - statements, in order. Never change a migration after a deployment; add another one.
 * @throws the error of the statement that failed; nothing has changed then
 * @example
 * constructor(ctx: DurableObjectState, env: Env) {
 *   super(ctx, env);
 *   migrate(ctx.storage, ['CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT) STRICT']);
 * }
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const done = storage.kv.get<number>(KEY) ?? 0;
  if (done >= migrations.length) return;
  storage.transactionSync(() => {
    for (const statements of migrations.slice(done)) storage.sql.exec(statements);
    storage.kv.put(KEY, migrations.length);
  });
}
