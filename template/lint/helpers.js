/** The functions of a file that a Durable Object class calls, which are as good as part of it. */
import { below, isClass, isFunction, variableOf } from './tree.js';

/**
 * The functions in the order in which they are reached, and for each of their parameters the
 * expression that the first call gives it.
 */
export function helpersOf(node, source) {
  const helpers = new Set();
  const given = new Map();
  const read = (root) => {
    for (const call of below(root, source)) {
      const helper = call.type === 'CallExpression' && functionOf(call.callee, source);
      // A function inside a method is part of the method already.
      if (!helper || helpers.has(helper) || isInside(helper, node)) continue;
      helpers.add(helper);
      helper.params.forEach((parameter, at) =>
        given.set(parameter.left ?? parameter, call.arguments[at]),
      );
      read(helper);
    }
  };
  read(node.body);
  return { helpers: [...helpers], given };
}

/** The function of the file that an identifier names. */
export function functionOf(callee, source) {
  if (callee.type !== 'Identifier') return undefined;
  const declared = variableOf(callee, source)?.defs[0]?.node;
  const value = declared?.type === 'VariableDeclarator' ? declared.init : declared;
  return isFunction(value) && !isClass(value) ? value : undefined;
}

const isInside = (inner, outer) => outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
