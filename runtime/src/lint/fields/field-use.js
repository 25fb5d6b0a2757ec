/** Finds how a Durable Object class uses its fields. The result is computed once for all rules. */
import { volatileMethods } from '../classes/volatile-methods.js';
import { codeUnits } from './code-units.js';
import { writeOf } from './field-writes.js';
import { keptFields } from './kept-fields.js';

const uses = new WeakMap();

/**
 * Returns the units of code, the writes to fields, and a function that checks whether a field is kept. A write has the
 * `isSetup` of its unit, and whether a volatile method makes it.
 */
export function fieldUse(object) {
  if (!uses.has(object)) uses.set(object, read(object));
  return uses.get(object);
}

function read(object) {
  const units = codeUnits(object);
  const writes = [];
  const ofVolatile = new Set();
  const addCode = (root) => {
    if (ofVolatile.has(root) || !units.has(root)) return;
    ofVolatile.add(root);
    for (const called of units.get(root).calls) addCode(called);
  };
  for (const method of volatileMethods(object)) addCode(method);
  for (const [root, { isSetup, nodes }] of units)
    for (const node of nodes) {
      const write = writeOf(node, object);
      if (write) writes.push(Object.assign(write, { isSetup, isVolatile: ofVolatile.has(root) }));
    }
  return { units, writes, isKept: keptFields(units, writes, object) };
}
