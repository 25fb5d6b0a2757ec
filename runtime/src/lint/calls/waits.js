/**
 * Finds where a method of a Durable Object waits for something outside of the object, so that other calls run in
 * between.
 */
import { functionOf } from '../classes/called-functions.js';
import { valuesOf } from '../classes/origins.js';
import { isField, kindOf } from '../classes/storage.js';
import { definition, descendants, isFunction, isInner, nameOf, unwrapped } from '../tree.js';
import { isRemoteCall } from './clients.js';

/** Matches methods that read the body of a request, of a response or of a stream. */
const BODY = /^(json|text|arrayBuffer|formData|blob|bytes|read)$/;
/** Functions that only compute, although they return promises. */
const COMPUTING = /hash|digest|sign|verify|crypt|sha\d|hmac|migrate/i;

/**
 * Returns the position at which a node stops waiting. If a callback runs after the wait, returns the callback, too.
 * Returns undefined if the node does not wait, or waits only for storage or a computation.
 */
export function waitOf(node, object) {
  if (node.type === 'AwaitExpression')
    return isOutside(node.argument, object) ? { node, end: node.range[1] } : undefined;
  const callee = node.type === 'CallExpression' && unwrapped(node.callee);
  if (!/^(then|catch|finally)$/.test(callee.object && nameOf(callee))) return undefined;
  const isWait = isOutside(callee.object, object);
  return isWait ? { node: callee, end: callee.range[1], within: node } : undefined;
}

/** Returns whether an expression is surely a promise of something outside of the object. */
function isOutside(expression, object, depth = 0) {
  const node = unwrapped(expression);
  if (!node || depth > 5) return false;
  const isToo = (other) => isOutside(other, object, depth + 1);
  if (node.type === 'Identifier') return valuesOf(node, object).some(isToo);
  if (node.type === 'NewExpression') return nameOf(node.callee) === 'Promise';
  if (node.type === 'ArrayExpression') return node.elements.some(isToo);
  if (node.type !== 'CallExpression') return false;
  const callee = unwrapped(node.callee);
  const name = nameOf(callee) ?? '';
  if (kindOf(callee.object ?? callee, object) && !isField(callee, object)) return false;
  if (node.arguments.some((argument) => kindOf(argument, object))) return false;
  if (isField(callee, object)) return waitsOutside(object.methods.get(name)?.value, isToo, object);
  const own = functionOf(callee, object.source);
  if (own) return waitsOutside(own, isToo, object);
  const text = object.source.getText(callee);
  if (/^Promise\.(all|allSettled|any|race)$/.test(text)) {
    const [list] = node.arguments;
    return (
      isToo(list) ||
      (list && list.callee && list.arguments.some((it) => waitsOutside(it, isToo, object)))
    );
  }
  if (/^(then|catch|finally)$/.test(name)) return isToo(callee.object);
  if (/^(fetch|scheduler\.wait)$/.test(text)) return true;
  if (COMPUTING.test(text)) return false;
  return (
    (BODY.test(name) && Boolean(callee.object)) ||
    isRemoteCall(node, object.source) ||
    isElsewhere(callee, object)
  );
}

/** Returns whether a function waits for something outside of the object, or returns a promise of it. */
function waitsOutside(value, isOutsideToo, { source }) {
  const made = unwrapped(value);
  if (!isFunction(made)) return false;
  const nodes = [made.body, ...descendants(made.body, source, isInner)];
  const isBlock = made.body.type === 'BlockStatement';
  return (
    (!isBlock && isOutsideToo(made.body)) ||
    nodes.some(({ type, argument }) => /^(Await|Return)/.test(type) && isOutsideToo(argument))
  );
}

/** Returns whether an expression is, or belongs to, a binding or an export of a module. */
function isElsewhere(expression, object, depth = 0) {
  const node = unwrapped(expression);
  if (!node || depth > 9) return false;
  const isToo = (other) => isElsewhere(other, object, depth + 1);
  if (nameOf(node) === 'env') return true;
  if (isField(node, object))
    return (object.fields.get(nameOf(node)) ?? []).some(({ value }) => isToo(value));
  if (node.type === 'Identifier')
    return (
      definition(node, object.source)?.type === 'ImportBinding' ||
      valuesOf(node, object).some(isToo)
    );
  return isToo(node.object ?? node.callee ?? (node.type === 'AwaitExpression' && node.argument));
}
