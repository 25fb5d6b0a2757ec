/** Finds classes that use SQLite storage without having it, and classes without a migration. */
import { codeOf } from '../classes/called-functions.js';
import { kindOf } from '../classes/storage.js';
import { rule } from '../rule.js';

export const noMissingSqlite = rule('storage', (object, report) => {
  const { keyValue, unmigrated, node } = object;
  if (unmigrated)
    report(
      node.id ?? node,
      `${unmigrated.config} binds '${unmigrated.name}', but no migration there lists the class, so every ` +
        'call to it fails. List it in new_sqlite_classes of a new migration.',
    );
  for (const use of keyValue ? codeOf(object) : [])
    // `storage.sql` and `storage.kv`.
    if (
      use.type === 'MemberExpression' &&
      kindOf(use, object) === 'sync' &&
      kindOf(use.object, object) === 'storage'
    )
      report(
        use.property,
        `This storage has no SQL and no kv: ${keyValue.config} lists '${keyValue.name}' in new_classes, so ` +
          'the first use throws. List the class in new_sqlite_classes; one that is deployed needs a new name.',
      );
});
