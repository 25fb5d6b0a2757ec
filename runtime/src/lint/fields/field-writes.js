/** Finds where a Durable Object class fills its fields, and with which values. */
import { valuesOf } from '../classes/origins.js';
import { isField } from '../classes/storage.js';
import {
  ancestors,
  descendants,
  isFunction,
  isWithin,
  nameOf,
  outermostAccess,
  unwrapped,
} from '../tree.js';

const FILLING = /^(add|push|set|unshift)$/;
const CONTAINER = /\[\]|\b(Map|Set|Array|Record)\b|^\[|^: \{|^\{/;
/** Matches values that empty a field on purpose. After such a write there is nothing to lose. */
const EMPTY = /^(undefined|null|void 0|false|-?[01]|''|""|\[\]|\{\}|new (Map|Set)(<.*>)?\(\))$/s;

/** Returns the write to the field that `node` names, with the assigned values; undefined if there is no write. */
export function writeOf(node, object) {
  if (!isField(node, object) || isField(node.parent, object)) return undefined;
  const name = nameOf(unwrapped(node));
  const whole = outermostAccess(node);
  const isInside = whole !== node && unwrapped(whole) !== node;
  const isContainer = object.fields.get(name)?.some(({ text }) => CONTAINER.test(text));
  if (!name || name === 'constructor' || (isInside && !isContainer)) return undefined;
  const { type, left, right, callee, arguments: given = [] } = whole.parent;
  const keys = isInside && whole.computed ? [whole.property] : [];
  if (type === 'AssignmentExpression' && left === whole)
    return isEmptying(right, object) && !isInside
      ? undefined
      : { node, name, values: [right, ...keys] };
  if (type === 'UpdateExpression') return { node, name, values: keys };
  const called = isInside && callee === whole ? nameOf(unwrapped(whole)) : undefined;
  // `splice(at, 1)` only removes items.
  const isFilling = called === 'splice' ? given.length > 2 : FILLING.test(called);
  if (isFilling || (given[0] === whole && isAssign(callee))) return { node, name, values: given };
  return undefined;
}

const isEmptying = (value, { source }) => EMPTY.test(source.getText(value));

const isAssign = (callee) => nameOf(callee) === 'assign' && callee.object?.name === 'Object';

/**
 * Returns whether the value of a write can be created again after a loss: `this.x ??= …`, `if (!this.x) this.x = …`,
 * the same through a variable that was read from the field, or a value that lasts only until a promise settles or the
 * function's `finally` runs.
 */
export function isRestorable({ node, name }, object) {
  const ups = [...ancestors(node)];
  const root = ups.findLast((up) => isFunction(up) || up.type === 'MethodDefinition');
  return (
    isOfEachRequest(node, object) ||
    /^(\?\?|\|\|)=$/.test(outermostAccess(node).parent.operator) ||
    ups.some(({ type, callee }) => type === 'NewExpression' && nameOf(callee) === 'Promise') ||
    [...descendants(root, object.source)].some(
      (other) =>
        (other.type === 'IfStatement' && isForMissing(other, node, name, object)) ||
        (other.type === 'TryStatement' && isEmptiedAfter(other, name, object)),
    )
  );
}

/**
 * Returns whether a write is a statement of `fetch` without a condition, as in `fetch(request) { this.origin = …`. Such
 * a write runs again before any use of the field.
 */
function isOfEachRequest({ parent }, { methods }) {
  const body = parent.type === 'AssignmentExpression' && parent.parent.parent;
  return body && body === methods.get('fetch')?.value.body;
}

/** Returns whether `if (!this.x) { … }` stands around a write, or `if (this.x) return` before it. */
function isForMissing({ test, consequent }, node, name, object) {
  const isAround = isWithin(node, consequent);
  const exits = [consequent, ...(consequent.body ?? [])].some(({ type }) =>
    /^(Return|Throw|Continue)/.test(type),
  );
  return operandsOf(test).some((operand) => {
    const { isNegated, subject } = readTest(operand);
    const isAsked = isNegated
      ? isAround
      : exits && !isAround && consequent.range[1] <= node.range[0];
    return isAsked && asks(subject, name, object);
  });
}

const operandsOf = (test) =>
  test.type === 'LogicalExpression'
    ? [...operandsOf(test.left), ...operandsOf(test.right)]
    : [test];

/**
 * Returns whether a condition tests a field: `!x`, `x == null` and `x === undefined` test for a missing value, `x` for
 * an existing value.
 */
function readTest(test) {
  if (test.type === 'UnaryExpression') return { isNegated: true, subject: test.argument };
  if (test.type !== 'BinaryExpression') return { isNegated: false, subject: test };
  const isNothing = /^(null|undefined|false)$/.test(test.right.name ?? test.right.raw);
  return { isNegated: test.operator.startsWith('=='), subject: isNothing ? test.left : undefined };
}

/** Returns whether an expression is the field, a lookup in it, or a variable with either. */
function asks(subject, name, object) {
  const node = unwrapped(subject);
  if (!node) return false;
  if (isField(node, object)) return nameOf(node) === name;
  if (node.type === 'Identifier')
    return valuesOf(node, object).some(
      (value) => value !== node && isLookup(unwrapped(value), name, object),
    );
  return isLookup(node, name, object);
}

function isLookup(node, name, object) {
  if (node.type === 'CallExpression')
    return (
      /^(has|get|find|includes|some)$/.test(nameOf(unwrapped(node.callee))) &&
      isLookup(unwrapped(node.callee).object, name, object)
    );
  if (isField(node, object)) return nameOf(unwrapped(node)) === name;
  return node.type === 'MemberExpression' && isLookup(unwrapped(node.object), name, object);
}

/**
 * Returns whether a `finally` block empties the field again: `try { … } finally { this.x = undefined;
 * this.y.delete(key); }`
 */
function isEmptiedAfter({ finalizer }, name, object) {
  return (
    Boolean(finalizer) &&
    [...descendants(finalizer, object.source)].some(
      (node) => isField(node, object) && nameOf(unwrapped(node)) === name,
    )
  );
}
