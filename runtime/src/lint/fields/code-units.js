/**
 * Divides the code of a Durable Object class into units, and tells code that runs during the setup from code that runs
 * later.
 */
import { functionOf } from '../classes/called-functions.js';
import { isField } from '../classes/storage.js';
import { descendants, isFunction, nameOf, rebindsThis, unwrapped } from '../tree.js';

/** Calls that run their callbacks themselves, and do not store them. */
const AT_ONCE =
  /^(blockConcurrencyWhile|transaction(Sync)?|forEach|map|flatMap|filter|find|some|every|reduce|sort|from|then|catch|finally|waitUntil|queueMicrotask|Promise)$/;

/** Methods that the platform, or a framework on top of it, calls before any other method. */
const SETUP = /^(constructor|on(Start|Init|Load))$/;

/**
 * Units are methods, called functions, initial values of fields, and callbacks that the setup registers, such as
 * routes. Each unit has its nodes, the functions that it calls, and whether it is part of the setup. The setup is the
 * constructor, the initial values of fields, and the functions that they call.
 */
export function codeUnits(object) {
  const units = new Map();
  const add = (root, isSetup) => {
    if (units.has(root) || !root) return;
    const later = [];
    const skip = (node) => {
      const isLater = isSetup && isFunction(node) && isForLater(node);
      if (isLater && !rebindsThis(node)) later.push(node);
      return isLater || rebindsThis(node);
    };
    const unit = { isSetup, nodes: [...descendants(root, object.source, skip)] };
    unit.calls = new Set(unit.nodes.filter(isCalled).map((node) => calledBy(node, object)));
    units.set(root, unit);
    if (isSetup) for (const called of unit.calls) add(called, true);
    for (const callback of later) add(callback, false);
  };
  const methods = [...object.methods.values()]
    .map(({ value }) => unwrapped(value))
    .filter(isFunction);
  for (const method of methods) if (SETUP.test(nameOf(method.parent))) add(method, true);
  for (const { value } of [...object.fields.values()].flat())
    if (value?.parent.type === 'PropertyDefinition' && !isFunction(value)) add(value, true);
  for (const root of [...methods, ...object.functions]) add(root, false);
  return units;
}

/** Returns whether the setup does not run a function itself: a route, a listener, `ws.onmessage = …`. */
function isForLater(node) {
  const { parent } = node;
  if (parent.callee && parent.callee !== node)
    return !AT_ONCE.test(nameOf(unwrapped(parent.callee)));
  return /^(Property|AssignmentExpression)$/.test(parent.type);
}

/** Returns whether a node is a called function: `f()`, `this.f()`, `then(this.f)`, `then(this.f.bind(this))`. */
function isCalled(node) {
  const { type, callee, property } = node.parent;
  if (property?.name === 'bind') return isCalled(node.parent.parent);
  return type === 'CallExpression' && (callee === node || AT_ONCE.test(nameOf(unwrapped(callee))));
}

function calledBy(node, object) {
  if (!isField(node, object)) return functionOf(node, object.source);
  const method = unwrapped(object.methods.get(nameOf(unwrapped(node)))?.value);
  return isFunction(method) ? method : undefined;
}
