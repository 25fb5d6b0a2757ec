/** Finds calls of the asynchronous storage API for which a synchronous form exists. */
import { kindOf } from '../classes/storage.js';
import { callRule } from '../rule.js';
import { nameOf } from '../tree.js';

/** Matches the methods that have a synchronous form. Alarms and `deleteAll` have none. */
const REPLACED = /^(get|put|delete|list|transaction)$/;

export const noAsyncStorage = callRule('storage', ({ callee }, text, object, report) => {
  const name = callee.type === 'MemberExpression' && nameOf(callee);
  // Without SQLite there is no synchronous form.
  if (object.keyValue || object.hasUnknownStorage) return;
  if (!REPLACED.test(name) || kindOf(callee.object, object) !== 'storage') return;
  const instead = name === 'transaction' ? 'transactionSync' : `kv.${name}`;
  report(
    callee.property,
    `storage.${name}() is asynchronous although the data is local. So every caller has to be asynchronous, too, and ` +
      `writes with an await between them are committed separately. Use storage.${instead}() or storage.sql. ` +
      'They need SQLite: list the class in wrangler.jsonc with "storage": "sqlite" in exports, or in new_sqlite_classes.',
  );
});
