import { rule } from './rule.js';
import { kindOf } from './storage.js';
import { below } from './tree.js';

export const noMissingSqlite = rule('storage', (object, report) => {
  const { config, node, helpers, source } = object;
  if (!config) return;
  for (const root of [node.body, ...helpers])
    for (const use of below(root, source))
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
