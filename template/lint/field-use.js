/** How the code of a Durable Object class uses its fields; read once for the rules that ask. */
import { writeOf } from './field-writes.js';
import { keptFields } from './kept-fields.js';
import { unitsOf } from './units.js';

const uses = new WeakMap();

/** The writes of fields, each with whether it is part of the setup, and which fields are kept. */
export function fieldUse(object) {
  if (!uses.has(object)) uses.set(object, read(object));
  return uses.get(object);
}

function read(object) {
  const units = unitsOf(object);
  const writes = [];
  for (const { isSetup, nodes } of units.values())
    for (const node of nodes) {
      const write = writeOf(node, object);
      if (write) writes.push(Object.assign(write, { isSetup }));
    }
  return { units, writes, isKept: keptFields(units, writes, object) };
}
