import { rule } from './rule.js';
import { kindOf } from './storage.js';
import { below, nameOf } from './tree.js';

const INSTEAD = {
  get: 'storage.kv.get()',
  put: 'storage.kv.put()',
  delete: 'storage.kv.delete()',
  list: 'storage.kv.list()',
  transaction: 'storage.transactionSync()',
};

export const noAsyncStorage = rule('storage', (object, report) => {
  for (const { type, callee } of below(object.node.body, object.source)) {
    if (type !== 'CallExpression' || callee.type !== 'MemberExpression') continue;
    const name = nameOf(callee);
    if (Object.hasOwn(INSTEAD, name) && kindOf(callee.object, object) === 'storage')
      report(
        callee.property,
        `storage.${name}() is asynchronous although the data is local, so every caller must be too, and ` +
          `writes with an await between them commit apart. Use ${INSTEAD[name]} or storage.sql.`,
      );
  }
});
