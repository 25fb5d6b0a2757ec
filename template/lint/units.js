/** The pieces of code of a Durable Object class: which run while it is set up, and which later. */
import { functionOf } from './helpers.js';
import { isField } from './storage.js';
import { bare, below, isFunction, nameOf, rebindsThis } from './tree.js';

/** Calls that run what they are given themselves, and keep nothing of it. */
const AT_ONCE =
  /^(blockConcurrencyWhile|transaction(Sync)?|forEach|map|flatMap|filter|find|some|every|reduce|sort|from|then|catch|finally|waitUntil|queueMicrotask|Promise)$/;

/** What the platform, or the frameworks on top of it, call before any other method. */
const SETUP = /^(constructor|on(Start|Init|Load))$/;

/**
 * Methods, helpers, and the callbacks that the setup hands to somebody, as it does a route. Each has
 * its nodes, the functions that it calls, and whether it is part of the setup: of the constructor,
 * of the value of a field, or of what these call.
 */
export function unitsOf(object) {
  const units = new Map();
  const add = (root, isSetup) => {
    if (units.has(root) || !root) return;
    const later = [];
    const skip = (node) => {
      const isLater = isSetup && isFunction(node) && isForLater(node);
      if (isLater && !rebindsThis(node)) later.push(node);
      return isLater || rebindsThis(node);
    };
    const unit = { isSetup, nodes: [...below(root, object.source, skip)] };
    unit.calls = new Set(unit.nodes.filter(isCalled).map((node) => calledBy(node, object)));
    units.set(root, unit);
    if (isSetup) for (const called of unit.calls) add(called, true);
    for (const callback of later) add(callback, false);
  };
  const methods = [...object.methods.values()].map(({ value }) => bare(value)).filter(isFunction);
  for (const method of methods) if (SETUP.test(nameOf(method.parent))) add(method, true);
  for (const { value } of [...object.fields.values()].flat())
    if (value?.parent.type === 'PropertyDefinition' && !isFunction(value)) add(value, true);
  for (const root of [...methods, ...object.helpers]) add(root, false);
  return units;
}

/** A route, a listener, `ws.onmessage = …`: a function that the setup does not run itself. */
function isForLater(node) {
  const { parent } = node;
  if (parent.callee && parent.callee !== node) return !AT_ONCE.test(nameOf(bare(parent.callee)));
  return /^(Property|AssignmentExpression)$/.test(parent.type);
}

/** `f()`, `this.f()`, `then(this.f)`, `then(this.f.bind(this))`. */
function isCalled(node) {
  const { type, callee, property } = node.parent;
  if (property?.name === 'bind') return isCalled(node.parent.parent);
  return type === 'CallExpression' && (callee === node || AT_ONCE.test(nameOf(bare(callee))));
}

function calledBy(node, object) {
  if (!isField(node, object)) return functionOf(node, object.source);
  const method = bare(object.methods.get(nameOf(bare(node)))?.value);
  return isFunction(method) ? method : undefined;
}
