/** Finds the values from which a value is made, within its file. */
import { descendants, nameOf, unwrapped, variableOf } from '../tree.js';
import { functionOf } from './called-functions.js';
import { isField, kindOf } from './storage.js';

/** Maximum number of nodes. Beyond it, most of a program is connected in some way. */
const MOST = 3000;

/**
 * Returns the nodes of an expression, of its variables' values, and of the functions that it calls in the class or the
 * file.
 */
export function originsOf(expression, object, seen = new Set()) {
  if (!expression || seen.has(expression) || seen.size > MOST) return seen;
  for (const node of [expression, ...descendants(expression, object.source)]) {
    if (seen.has(node) && node !== expression) continue;
    seen.add(node);
    for (const source of sourcesOf(node, object)) originsOf(source, object, seen);
  }
  return seen;
}

function sourcesOf(node, object) {
  if (isField(node, object)) {
    const name = nameOf(unwrapped(node));
    return [(object.getters.get(name) ?? object.methods.get(name))?.value.body];
  }
  if (node.type === 'CallExpression') return [functionOf(node.callee, object.source)?.body];
  const isOther = node.type === 'Identifier' && kindOf(node, object) !== 'this';
  return isOther ? valuesOf(node, object) : [];
}

/** Returns the expressions that are assigned to a variable. */
export function valuesOf(identifier, object) {
  const variable = isVariable(identifier) && variableOf(identifier, object.source);
  const [found] = (variable && variable.defs) || [];
  if (!found) return [];
  const written = variable.references.map(({ writeExpr }) => writeExpr).filter(Boolean);
  if (found.node.type === 'VariableDeclarator') {
    const { init, parent } = found.node;
    return [init ?? parent.parent.right, ...written].filter(Boolean);
  }
  if (found.type !== 'Parameter') return written;
  // The arguments of a callback come from the object whose method gets the callback.
  const call = found.node.parent;
  const giver = call.arguments?.includes(found.node) ? unwrapped(call.callee).object : undefined;
  return [...(object.given.get(found.name) ?? []), giver, ...written].filter(Boolean);
}

/** Like `valuesOf`, but empty if the variable is only a part of a value, taken out by destructuring. */
export function wholeValuesOf(identifier, object) {
  const [found] = variableOf(identifier, object.source)?.defs ?? [];
  const isWhole = found && [found.node.id, ...(found.node.params ?? [])].includes(found.name);
  const isCallback = found?.node.parent.type === 'CallExpression';
  return isWhole && !isCallback ? valuesOf(identifier, object) : [];
}

/**
 * Returns whether `test` is true for a value, or for a part of it if it is an object literal, an array literal or a
 * `new` expression. Values that are read from other objects are not followed.
 */
export function contains(value, test, object, depth = 0) {
  const node = unwrapped(value);
  if (!node || depth > 5) return false;
  if (test(node)) return true;
  const parts = {
    Identifier: () => wholeValuesOf(node, object),
    ObjectExpression: () => node.properties,
    Property: () => [node.value],
    ArrayExpression: () => node.elements,
    NewExpression: () => node.arguments,
  }[node.type]?.();
  return Boolean(parts?.some((part) => contains(part, test, object, depth + 1)));
}

/** Returns whether a node is an identifier that names a variable, unlike the `x` of `a.x` or of `{ x: 1 }`. */
export function isVariable(node) {
  const { parent } = node;
  const isName = parent.property === node || (parent.key === node && parent.value !== node);
  return node.type === 'Identifier' && (!isName || parent.computed);
}
