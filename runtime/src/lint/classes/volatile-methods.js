/** Finds the methods that a contract lists as volatile: they change data in memory that may be lost. */
import { exportedName, nameOf, unwrapped, valueOf } from '../tree.js';

/** Returns the functions of the volatile methods of a class, by the contracts in the file. */
export function volatileMethods({ contracts, methods, source }) {
  const entries = contracts.flatMap((contract) => contract?.properties ?? []);
  return entries
    .filter(
      (entry) => entry.type === 'Property' && isVolatile(valueOf(entry.value, source), source),
    )
    .map((entry) => unwrapped(methods.get(nameOf(entry))?.value))
    .filter(Boolean);
}

/** Returns whether an entry is `volatile([…])` or `{ …, volatile: true }`. */
function isVolatile({ type, callee, properties = [] }, source) {
  if (type === 'CallExpression') return exportedName(callee, source) === 'volatile';
  return properties.some((key) => nameOf(key) === 'volatile' && key.value?.value === true);
}
