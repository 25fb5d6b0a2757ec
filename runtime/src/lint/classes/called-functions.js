/** The functions of a file that a Durable Object class calls. They count as part of the class. */
import { bare, below, isClass, isFunction, nameOf, variableOf } from '../tree.js';

/**
 * Returns the functions in the order in which they are reached. `given` has, for each parameter of these
 * functions and of the methods, the expressions that calls pass.
 */
export function helpersOf(node, source, methods) {
  const helpers = new Set();
  const given = new Map();
  const read = (root) => {
    for (const call of below(root, source)) {
      if (call.type !== 'CallExpression') continue;
      const helper = functionOf(call.callee, source);
      const called = helper ?? methodOf(bare(call.callee), methods);
      called?.params.forEach((parameter, at) => {
        const name = parameter.left ?? parameter;
        if (call.arguments[at]) given.set(name, [...(given.get(name) ?? []), call.arguments[at]]);
      });
      // A function inside a method is already part of the method.
      if (!helper || helpers.has(helper) || isInside(helper, node)) continue;
      helpers.add(helper);
      read(helper);
    }
  };
  read(node.body);
  return { helpers: [...helpers], given };
}

function methodOf(callee, methods) {
  const isOwn = callee.type === 'MemberExpression' && bare(callee.object).type === 'ThisExpression';
  return isOwn ? bare(methods.get(nameOf(callee))?.value) : undefined;
}

/** Every node of a class and of its helpers. */
export function* codeOf({ node, helpers, source }) {
  for (const root of [node.body, ...helpers]) yield* below(root, source);
}

/** The function of the file that an identifier names. */
export function functionOf(callee, source) {
  if (callee.type !== 'Identifier') return undefined;
  const declared = variableOf(callee, source)?.defs[0]?.node;
  const value = declared?.type === 'VariableDeclarator' ? declared.init : declared;
  return isFunction(value) && !isClass(value) ? value : undefined;
}

const isInside = (inner, outer) =>
  outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
