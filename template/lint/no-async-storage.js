import { rule } from './rule.js';
import { kindOf } from './storage.js';
import { below, nameOf } from './tree.js';

/** What has a synchronous form; alarms and `deleteAll` have none. */
const REPLACED = /^(get|put|delete|list|transaction)$/;

export const noAsyncStorage = rule('storage', (object, report) => {
  for (const { type, callee } of below(object.node.body, object.source)) {
    const name = type === 'CallExpression' && callee.type === 'MemberExpression' && nameOf(callee);
    if (!REPLACED.test(name) || kindOf(callee.object, object) !== 'storage') continue;
    const instead = name === 'transaction' ? 'transactionSync' : `kv.${name}`;
    report(
      callee.property,
      `storage.${name}() is asynchronous although the data is local: every caller must be too, and ` +
        `writes with an await between them commit apart. Use storage.${instead}() or storage.sql.`,
    );
  }
});
