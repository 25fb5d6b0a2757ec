import { codeOf } from './helpers.js';
import { rule } from './rule.js';
import { kindOf } from './storage.js';

export const noMissingSqlite = rule('storage', (object, report) => {
  const { config, node } = object;
  for (const use of config ? codeOf(object) : [])
    // `storage.sql` and `storage.kv`.
    if (
      use.type === 'MemberExpression' &&
      kindOf(use, object) === 'sync' &&
      kindOf(use.object, object) === 'storage'
    )
      report(
        use.property,
        `This storage has no SQL and no kv: ${config} lists '${node.id.name}' in new_classes, so the ` +
          'first use throws. List the class in new_sqlite_classes; one that is deployed needs a new name.',
      );
});
