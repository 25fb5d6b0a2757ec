/** Finds methods that are `async` but wait for nothing. */
import { HANDLER } from '../classes/durable-objects.js';
import { isField, kindOf } from '../classes/storage.js';
import { rule } from '../rule.js';
import {
  definition,
  descendants,
  isFunction,
  isInner,
  nameOf,
  typeText,
  unwrapped,
} from '../tree.js';

/** Matches calls whose result is never a promise. */
const SYNCHRONOUS =
  /^((Array|Date|JSON|Math|Number|Object|Response|String)(\.(?!fromAsync)\w+)?|crypto\.randomUUID)$|\.(at|filter|find|flat|flatMap|getWebSockets|has|includes|join|map|push|replace|slice|some|sort|split|to[A-Z]\w+|trim|values)$/;

export const noIdleAsync = rule('synchronous-methods', (object, report) => {
  const { node, isWhole } = object;
  // An interface, or a base class outside the file, may require promises.
  const isFree =
    isWhole && !node.implements?.some((it) => nameOf(it.expression) !== 'DurableObject');
  for (const member of isFree ? node.body.body : []) {
    const method = unwrapped(member.value);
    const isIdle =
      isFunction(method) &&
      method.async &&
      !method.generator &&
      // The platform awaits its handlers anyway.
      !HANDLER.test(nameOf(member)) &&
      !isHook(method, object) &&
      !member.static &&
      !member.override;
    if (isIdle && !waits(method, object))
      report(
        member.key,
        `'${nameOf(member)}' is async but waits for nothing: callers have to wait for a promise, and an await that is added ` +
          'later lets other calls run between its steps. Remove async, and return the value itself.',
      );
  }
});

/**
 * Returns whether a method exists to be overridden, or is not written yet: it is empty or only logs, or its parameters
 * all begin with `_`.
 */
const isHook = ({ body, params }, { source }) =>
  (params.length > 0 &&
    params.every((parameter) => (parameter.left ?? parameter).name?.startsWith('_'))) ||
  body.body?.every(
    ({ expression }) => expression && source.getText(expression).startsWith('console.'),
  );

function waits(method, object) {
  return [method.body, ...descendants(method, object.source, isInner)].some((node) => {
    if (node.type === 'AwaitExpression') return !isOfSynchronousApi(node.argument, object);
    if (node.type === 'ReturnStatement')
      return node.argument && mayBePromise(node.argument, object);
    const isResult = node === method.body && node.type !== 'BlockStatement';
    return isResult ? mayBePromise(node, object) : node.await || node.kind === 'await using';
  });
}

/** Returns whether an expression belongs to a synchronous API, such as `sql.exec().toArray()`. */
function isOfSynchronousApi(node, object) {
  const inner = unwrapped(node);
  const owner = inner.object ?? inner.callee;
  return kindOf(inner, object) === 'sync' || Boolean(owner && isOfSynchronousApi(owner, object));
}

/** Returns whether a returned value may be a promise, or contain one; true if in doubt. */
function mayBePromise(expression, object, depth = 0) {
  if (depth > 9) return true;
  return [expression, ...descendants(expression, object.source, isInner)].some((node) => {
    if (/^(TaggedTemplate|Import)Expression$/.test(node.type)) return true;
    if (node.type === 'NewExpression') return nameOf(node.callee) === 'Promise';
    if (node.type === 'CallExpression') return !isSynchronousCall(node, object);
    const isVariable = node.type === 'Identifier' && node.parent.property !== node;
    const value = isVariable && definition(node, object.source)?.node.init;
    if (value) return mayBePromise(value, object, depth + 1);
    return (
      isField(node, object) &&
      object.fields.get(nameOf(node))?.some(({ text }) => /Promise/.test(text))
    );
  });
}

function isSynchronousCall({ callee }, object) {
  if (SYNCHRONOUS.test(object.source.getText(callee))) return true;
  if (isOfSynchronousApi(callee, object)) return true;
  if (!isField(callee, object)) return false;
  const method = unwrapped(object.methods.get(nameOf(callee))?.value);
  const type = typeText(method, object.source);
  return Boolean(type) && !method.async && !/Promise/.test(type);
}
