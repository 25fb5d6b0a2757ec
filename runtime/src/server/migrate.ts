/** Migrates an object's tables to the schema that the code expects. */

/** The key of the number of migrations that have run. Durable Objects cannot set SQLite's `user_version`. */
const KEY = 'schema_version';

/**
 * Runs the migrations that an object has not run yet. If a migration fails, none of them takes effect. Call it in the
 * constructor, because an object may wake with any earlier version of its tables. The number of migrations that have run
 * is stored under the key `schema_version`.
 *
 * @param storage - the storage of an object with SQLite: `"storage": "sqlite"` in the Wrangler configuration's `exports`
 * @param migrations - texts with one or more SQL statements, in order. Never change a migration after a deployment. Add
 *   another migration instead.
 * @throws the error of the statement that failed
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
