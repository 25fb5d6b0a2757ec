/** Tells in development that a volatile method has written to the storage. */
import { isLocal } from '../base/development.ts';
import type { Run } from '../base/pending.ts';

/** The methods that were reported. */
const reported = new WeakSet<object>();

/**
 * Returns a wrapper for a volatile method, which prints a warning if the method has written a row before it returned. Rows
 * that an asynchronous method writes after an `await` cannot be told from the rows of other methods.
 *
 * @param instance - the object
 * @param method - a warning is printed once for each method
 * @returns `undefined` for other methods, and where the Worker is deployed
 */
export function watchWrites(
  instance: object,
  method: { readonly name: string; readonly volatile: boolean },
): ((run: Run) => Run) | undefined {
  if (!method.volatile) return undefined;
  const { ctx } = instance as { ctx?: DurableObjectState };
  if (!ctx || reported.has(method) || !isLocal()) return undefined;
  return (run) =>
    function (this: unknown, ...args) {
      const before = changesIn(ctx);
      try {
        return Reflect.apply(run, this, args);
      } finally {
        if (changesIn(ctx) !== before) {
          reported.add(method);
          console.warn(
            `${method.name} is volatile, but has written to the storage. If the connection is lost during a call, the ` +
              'client does not learn whether the call has run. Remove volatile from its entry, so that each call runs once',
          );
        }
      }
    };
}

/** Returns the number of rows that were written since the object woke; 0 for an object without SQLite. */
function changesIn({ storage }: DurableObjectState): number {
  try {
    return storage.sql.exec('SELECT total_changes() AS changes').one()['changes'] as number;
  } catch {
    return 0;
  }
}
