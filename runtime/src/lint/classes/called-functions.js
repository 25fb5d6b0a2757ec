/** The functions of a file that a Durable Object class calls. They count as part of the class. */
import {
  descendants,
  isClass,
  isFunction,
  isWithin,
  nameOf,
  unwrapped,
  variableOf,
} from '../tree.js';

/**
 * Returns the functions of the file that a class calls, in the order in which they are reached. `given` has, for each
 * parameter of these functions and of the methods, the expressions that calls pass.
 */
export function calledFunctions(node, source, methods) {
  const functions = new Set();
  const given = new Map();
  const read = (root) => {
    for (const call of descendants(root, source)) {
      if (call.type !== 'CallExpression') continue;
      const found = functionOf(call.callee, source);
      const called = found ?? methodOf(unwrapped(call.callee), methods);
      called?.params.forEach((parameter, at) => {
        const name = parameter.left ?? parameter;
        if (call.arguments[at]) given.set(name, [...(given.get(name) ?? []), call.arguments[at]]);
      });
      // A function inside a method is already part of the method.
      if (!found || functions.has(found) || isWithin(found, node)) continue;
      functions.add(found);
      read(found);
    }
  };
  read(node.body);
  return { functions: [...functions], given };
}

function methodOf(callee, methods) {
  const isOwn =
    callee.type === 'MemberExpression' && unwrapped(callee.object).type === 'ThisExpression';
  return isOwn ? unwrapped(methods.get(nameOf(callee))?.value) : undefined;
}

/** Yields every node of a class and of the functions that it calls. */
export function* codeOf({ node, functions, source }) {
  for (const root of [node.body, ...functions]) yield* descendants(root, source);
}

/** Returns the function of the file that an identifier names. */
export function functionOf(callee, source) {
  if (callee.type !== 'Identifier') return undefined;
  const declared = variableOf(callee, source)?.defs[0]?.node;
  const value = declared?.type === 'VariableDeclarator' ? declared.init : declared;
  return isFunction(value) && !isClass(value) ? value : undefined;
}
