/** How a Durable Object class uses its fields; computed once for all rules. */
import { codeUnits } from './code-units.js';
import { writeOf } from './field-writes.js';
import { keptFields } from './kept-fields.js';

const uses = new WeakMap();

/**
 * The units of code, the writes to fields, and a function that checks whether a field is kept. A write has
 * the `isSetup` of its unit.
 */
export function fieldUse(object) {
  if (!uses.has(object)) uses.set(object, read(object));
  return uses.get(object);
}

function read(object) {
  const units = codeUnits(object);
  const writes = [];
  for (const { isSetup, nodes } of units.values())
    for (const node of nodes) {
      const write = writeOf(node, object);
      if (write) writes.push(Object.assign(write, { isSetup }));
    }
  return { units, writes, isKept: keptFields(units, writes, object) };
}
