/** Finds the asynchronous storage API, where a synchronous form exists. */
import { kindOf } from '../classes/storage.js';
import { callRule } from '../rule.js';
import { nameOf } from '../tree.js';

/** Methods that have a synchronous form. Alarms and `deleteAll` have none. */
const REPLACED = /^(get|put|delete|list|transaction)$/;

export const noAsyncStorage = callRule('storage', ({ callee }, text, object, report) => {
  const name = callee.type === 'MemberExpression' && nameOf(callee);
  // Without SQLite there is no synchronous form.
  if (object.keyValue || object.hasUnknownStorage) return;
  if (!REPLACED.test(name) || kindOf(callee.object, object) !== 'storage') return;
  const instead = name === 'transaction' ? 'transactionSync' : `kv.${name}`;
  report(
    callee.property,
    `storage.${name}() is asynchronous although the data is local: every caller must be too, and ` +
      `writes with an await between them commit apart. Use storage.${instead}() or storage.sql; the ` +
      'class needs SQLite, so wrangler.jsonc has it with "storage": "sqlite" in exports, or in new_sqlite_classes.',
  );
});
