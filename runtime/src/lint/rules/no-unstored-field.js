/** Finds fields that hold data which is not stored. */
import { fieldUse } from '../fields/field-use.js';
import { isRestorable } from '../fields/field-writes.js';
import { holdsData, isHandle, isTransient } from '../fields/handles.js';
import { rule } from '../rule.js';

export const noUnstoredField = rule('state', (object, report) => {
  const { writes, isKept } = fieldUse(object);
  // A field has at most one report, and none if one of its values can only be in memory, or if the contract allows its
  // loss.
  const mayBeLost = writes.filter((write) => write.isVolatile || isHandle(write, object));
  const done = new Set(mayBeLost.map(({ name }) => name));
  for (const write of writes) {
    const { name, node, isSetup } = write;
    if (isSetup || done.has(name) || isKept(name) || isTransient(name, object)) continue;
    if (!holdsData(write, object) || isRestorable(write, object)) continue;
    done.add(name);
    report(
      node,
      `'${name}' is in memory only, so hibernation, eviction and every deployment lose it. Write each ` +
        'change to storage.kv, and restore the field in the constructor. Keep data of a socket in its ' +
        'serializeAttachment().',
    );
  }
});
