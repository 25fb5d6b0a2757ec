/** Finds fields that hold data which no storage backs. */
import { fieldUse } from '../fields/field-use.js';
import { isRestorable } from '../fields/field-writes.js';
import { holdsData, isHandle, isTransient } from '../fields/handles.js';
import { rule } from '../rule.js';

export const noUnstoredField = rule('state', (object, report) => {
  const { writes, isKept } = fieldUse(object);
  // At most one report for a field, and none if any of its values can only be in memory, or may be lost by the contract.
  const mayBeLost = writes.filter((write) => write.isVolatile || isHandle(write, object));
  const done = new Set(mayBeLost.map(({ name }) => name));
  for (const write of writes) {
    const { name, node, isSetup } = write;
    if (isSetup || done.has(name) || isKept(name) || isTransient(name, object)) continue;
    if (!holdsData(write, object) || isRestorable(write, object)) continue;
    done.add(name);
    report(
      node,
      `'${name}' is in memory only: hibernation, eviction and every deploy lose it. Keep it in ` +
        'storage.kv (a copy: write it through, restore it in the constructor), or in the ' +
        'serializeAttachment() of the socket it belongs to.',
    );
  }
});
