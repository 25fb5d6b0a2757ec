/**
 * Finds classes that use SQLite storage and do not have it, and classes that a configuration binds but does not
 * declare.
 */
import { codeOf } from '../classes/called-functions.js';
import { kindOf } from '../classes/storage.js';
import { nearest } from '../../server/diagnostics/nearest.ts';
import { rule } from '../rule.js';

/** The texts for each form of a configuration: how it declares a class, and how it gives a class the old storage. */
const FORMS = {
  exports: {
    lacks: 'its exports declare no such class',
    add: (name) => `Add to exports: "${name}": { "type": "durable-object", "storage": "sqlite" }.`,
    old: (name) => `gives '${name}' the storage "legacy-kv" in exports`,
    change: 'Give the class the storage "sqlite"',
  },
  migrations: {
    lacks: 'its migrations create no such class',
    add: () => 'List it in new_sqlite_classes of a new migration.',
    old: (name) => `lists '${name}' in new_classes`,
    change: 'List the class in new_sqlite_classes',
  },
};

export const noMissingSqlite = rule('storage', (object, report) => {
  const { keyValue, undeclared, node } = object;
  if (undeclared) {
    const { config, form, name, unbound, place = '' } = undeclared;
    const { add, lacks } = FORMS[form];
    const near = nearest(name, unbound);
    const advice = near ? `It has ${near}: did you mean that?` : add(name);
    report(
      node.id ?? node,
      `${config} binds '${name}'${place}, but ${lacks}, so every call to it fails. ${advice}`,
    );
  }
  for (const use of keyValue ? codeOf(object) : []) {
    const { config, form, name, place = '' } = keyValue;
    const { change, old } = FORMS[form];
    // This matches `storage.sql` and `storage.kv`.
    if (
      use.type === 'MemberExpression' &&
      kindOf(use, object) === 'sync' &&
      kindOf(use.object, object) === 'storage'
    )
      report(
        use.property,
        `This storage has no SQL and no kv: ${config} ${old(name)}${place}, so the first use throws. ` +
          `${change}. A class that is already deployed needs a new name.`,
      );
  }
});
