/** Finds the fields of a Durable Object class whose values are also in storage. */
import { isVariable, originsOf, wholeValuesOf } from '../classes/origins.js';
import { isField, kindOf } from '../classes/storage.js';
import { descendants, nameOf, unwrapped, variableOf } from '../tree.js';
import { accessOf, textsIn } from './data-access.js';

/**
 * Returns a function that checks whether a field is kept. A field is kept if some code stores the field or a value that
 * is assigned to it, assigns a value that was read to it, or names it in a key or in SQL.
 */
export function keptFields(units, writes, object) {
  const nodes = [...units.values()].flatMap((unit) => unit.nodes);
  const stores = nodes.filter((node) => accessOf(node, object) === 'writes').map(unwrapped);
  const given = stores.flatMap((node) => node.arguments ?? node.quasi.expressions);
  const stored = new Set();
  for (const value of given) originsOf(value, object, stored);
  if ([...stored].some((node) => isAll(node, object))) return () => true;

  const texts = stores.flatMap((node) => textsIn(node, object)).join('\n');
  const variables = new Set();
  for (const value of given) for (const part of partsOf(value, object)) variables.add(part);
  const kept = new Set(
    [...stored].filter((node) => isField(node, object)).map((node) => nameOf(unwrapped(node))),
  );
  for (const { name, values } of writes)
    if (values.some((value) => isRead(value, object) || isShared(value, variables, object)))
      kept.add(name);
  return (name) => kept.has(name) || names(texts, name);
}

/** Returns whether a node is `this` itself, and not the `this` of `this.x`. */
function isAll(node, object) {
  return kindOf(node, object) === 'this' && node.parent.object !== node;
}

/** Returns whether a value was read from storage, from an attachment, or from another service. */
const isRead = (value, object) =>
  [...originsOf(value, object)].some(
    (node) => accessOf(node, object) || (isField(node, object) && nameOf(node) === 'env'),
  );

const names = (texts, name) =>
  new RegExp(`(^|[^a-z])${name.replace(/^[#_]+/, '').replaceAll('$', '\\$')}([^a-z]|$)`, 'i').test(
    texts,
  );

function isShared(value, parts, object) {
  for (const part of partsOf(value, object)) {
    const [id, property] = part.split('.');
    if (parts.has(part) || parts.has(`${id}.`)) return true;
    if (!property && [...parts].some((other) => other.startsWith(part))) return true;
  }
  return false;
}

const ids = new WeakMap();
let next = 0;

/**
 * Yields the variables in an expression, as `<id>.`, or as `<id>.x` for `data.x`; and the variables that they were made
 * from. A destructured variable, as in `const { a, b } = message`, shares nothing.
 */
function* partsOf(expression, object, seen = new Set()) {
  for (const node of [expression, ...descendants(expression, object.source)]) {
    const variable = isVariable(node) && variableOf(node, object.source);
    if (!variable || seen.has(variable) || /^(module|global)$/.test(variable.scope.type)) continue;
    if (!ids.has(variable)) ids.set(variable, (next += 1));
    const isInside = node.parent.object === node && node.parent.parent.callee !== node.parent;
    yield `${ids.get(variable)}.${isInside ? (nameOf(node.parent) ?? '') : ''}`;
    if (isInside) continue;
    seen.add(variable);
    for (const value of wholeValuesOf(node, object)) yield* partsOf(value, object, seen);
  }
}
