/** Finds the clients and stubs of a file, and their calls. */
import { functionOf } from '../classes/called-functions.js';
import {
  ancestors,
  definition,
  descendants,
  exportedName,
  isClass,
  isFunction,
  isInner,
  nameOf,
  typeText,
  unwrapped,
  valueOf,
  variableOf,
} from '../tree.js';

const CLIENT = /^(createRpcClient|useRpcClient|withOptions)$/;
const TYPE = /^:\s*(RpcClient|DurableObjectStub)\b/;
/** Members of clients and stubs that return no promise. */
const LOCAL = /^(close|reconnect|dup|connect)$/;
/** A file without these words has no clients. */
export const MENTION = /RpcClient|withOptions|getByName|DurableObjectStub|idFrom|newUniqueId/;

/** Returns whether a node is a call of a method of a client or a stub, which returns a promise. */
export function isRemoteCall(node, source) {
  const callee = node.type === 'CallExpression' && unwrapped(node.callee);
  return (
    callee.type === 'MemberExpression' &&
    !LOCAL.test(nameOf(callee)) &&
    isClient(callee.object, source)
  );
}

/** Returns whether every value that an expression can have is a client or a stub. */
function isClient(expression, source, depth = 0) {
  const node = unwrapped(expression);
  if (!node || depth > 9) return false;
  const isMade = (value) => isClient(value, source, depth + 1);
  const areMade = (values) => values.length > 0 && values.every(isMade);
  switch (node.type) {
    case 'CallExpression':
      return (
        CLIENT.test(importedName(node.callee, source)) ||
        isStub(node, source) ||
        areMade(resultsOf(node, source))
      );
    case 'Identifier': {
      const declared = definition(node, source);
      if (TYPE.test(typeText(declared?.name, source))) return true;
      const isPlain = declared?.node.type === 'VariableDeclarator' && declared.node.id.name;
      return Boolean(isPlain) && areMade(writesOf(variableOf(node, source)));
    }
    case 'MemberExpression':
      return areMade(valuesOfField(node, source));
    case 'AssignmentExpression':
      return isMade(node.right);
    case 'ConditionalExpression':
      return isMade(node.consequent) && isMade(node.alternate);
    case 'LogicalExpression':
      return isMade(node.left) && isMade(node.right);
  }
  return false;
}

/** Returns the name of a function as its module exports it; undefined for a function of the file. */
export function importedName(callee, source) {
  if (functionOf(callee, source)) return undefined;
  return exportedName(callee, source);
}

/** Returns whether a call is `env.ROOM.getByName(…)`, or `env.ROOM.get(id)` with an id of the namespace. */
function isStub(call, source) {
  const callee = unwrapped(call.callee);
  const name = nameOf(callee);
  if (callee.type !== 'MemberExpression' || !/^get(ByName)?$/.test(name)) return false;
  const id = call.arguments[0] && valueOf(call.arguments[0], source);
  const isId =
    id?.type === 'CallExpression' && /^(idFrom\w+|newUniqueId)$/.test(nameOf(unwrapped(id.callee)));
  return isBinding(callee.object, source) && (name === 'getByName' || isId);
}

/** Returns whether an expression is `env.X` or `this.env.X`, also taken out by destructuring. */
function isBinding(expression, source) {
  const node = valueOf(expression, source);
  if (node?.type === 'MemberExpression') return isEnv(node.object);
  const declared = node?.type === 'Identifier' && definition(node, source);
  if (!declared) return false;
  const isTyped = /\bDurableObjectNamespace\b/.test(typeText(declared.name, source));
  return isTyped || Boolean(declared.node.init && isEnv(declared.node.init));
}

const isEnv = (node) => nameOf(unwrapped(node)) === 'env';

/** Returns the values that a function of the file returns. It also follows the function that `useMemo` receives. */
export function resultsOf({ callee, arguments: given }, source) {
  const isMemo = nameOf(callee) === 'useMemo';
  const called = isMemo ? unwrapped(given[0]) : functionOf(callee, source);
  if (!isFunction(called) || called.async || called.generator) return [];
  if (called.body.type !== 'BlockStatement') return [called.body];
  return [...descendants(called.body, source, isInner)]
    .filter(({ type }) => type === 'ReturnStatement')
    .map(({ argument }) => argument);
}

/** Returns the values that are written to a variable, without `null` and `undefined`. */
const writesOf = (variable) =>
  withoutNothing(variable.references.map(({ writeExpr }) => writeExpr).filter(Boolean));

const withoutNothing = (values) =>
  values.filter((value) => value.raw !== 'null' && value.name !== 'undefined');

/** Returns the values that a class gives its field `this.x`. */
function valuesOfField(member, source) {
  const name = nameOf(member);
  if (!name || unwrapped(member.object).type !== 'ThisExpression') return [];
  const owner = [...ancestors(member)].find(isClass);
  const values = [...(owner ? descendants(owner.body, source) : [])].flatMap((node) => {
    if (node.type === 'PropertyDefinition') return nameOf(node) === name ? [node.value] : [];
    const left = node.type === 'AssignmentExpression' && unwrapped(node.left);
    const isField = left?.object && unwrapped(left.object).type === 'ThisExpression';
    return isField && nameOf(left) === name ? [node.right] : [];
  });
  return withoutNothing(values.filter(Boolean));
}
