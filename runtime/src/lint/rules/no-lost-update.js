/** Finds writes of a value that was computed from storage before an `await`. */
import { waitOf } from '../calls/waits.js';
import { isField } from '../classes/storage.js';
import { storedReads, storedWrites } from '../classes/stored-values.js';
import { fieldUse } from '../fields/field-use.js';
import { rule } from '../rule.js';
import {
  ancestors,
  descendants,
  isClass,
  isFunction,
  isWithin,
  nameOf,
  unwrapped,
  variableOf,
} from '../tree.js';

/** Calls that run a callback without a lock. */
const UNLOCKED =
  /^(transactionSync|forEach|map|flatMap|filter|find|some|every|reduce|sort|then|catch|finally)$/;
const LOCK = /mutex|semaphore|acquire|(?<![bc])lock/i;
const JUMP = /^(Return|Throw|Break|Continue)Statement$/;

export const noLostUpdate = rule('synchronous-methods', (object, report) => {
  const line = (node) => node.loc.start.line;
  for (const steps of methodsOf(object))
    for (const write of steps.risky ?? steps.writes) {
      const found = lostUpdate(write, steps, object);
      if (found)
        report(
          write.node,
          `This write overwrites what other calls store during the await in line ${line(found.wait.node)}: the new value ` +
            `was computed from a value that was read before the await, in line ${line(found.read.node)}. Read the value ` +
            'after the await, without another await before the write.',
        );
    }
});

/** Returns the methods whose calls can overlap, with their reads, writes and waits in order. */
function methodsOf(object) {
  const { units } = fieldUse(object);
  const all = [...units].map(([root, { isSetup, nodes }]) => {
    const found = { root, isSetup, nodes, reads: [], writes: [], waits: [] };
    for (const node of nodes) {
      for (const read of storedReads(node, object)) found.reads.push({ ...read, node });
      for (const write of storedWrites(node, object)) found.writes.push({ ...write, node });
      const wait = waitOf(node, object);
      if (wait) found.waits.push(wait);
    }
    return found;
  });
  const callersOf = (root) => [...units].filter(([, { calls }]) => calls.has(root));
  const isOfAlarm = (root, seen = []) => {
    if (nameOf(root.parent) === 'alarm') return true;
    const callers = isHidden(root) && !seen.includes(root) ? callersOf(root) : [];
    return callers.length > 0 && callers.every(([caller]) => isOfAlarm(caller, [...seen, root]));
  };
  const outsideAlarm = all.filter(({ root }) => !isOfAlarm(root)).flatMap(({ writes }) => writes);
  const methods = all.filter(
    ({ root, isSetup, waits }) => !isSetup && waits.length > 0 && !isLocked(root, units, object),
  );
  // Two runs of an alarm never overlap.
  for (const method of methods)
    if (isOfAlarm(method.root))
      method.risky = method.writes.filter(({ id }) =>
        outsideAlarm.some((other) => other.id === id),
      );
  return methods;
}

const isHidden = ({ parent }) =>
  parent.type !== 'MethodDefinition' ||
  parent.accessibility === 'private' ||
  parent.key.type === 'PrivateIdentifier';

/** Returns whether a method takes a lock, or is called in a callback that may run under a lock. */
function isLocked(root, units, { source }) {
  if (LOCK.test(source.getText(root))) return true;
  if (!isHidden(root)) return false;
  const name = nameOf(root.id ?? root.parent);
  const uses = [...units.values()]
    .flatMap(({ nodes }) => nodes)
    .filter((node) => nameOf(node) === name);
  return uses.some((use) => isInLock(use, undefined));
}

/** Returns whether a node is in a callback below `root`, and the call with the callback may wait for other calls. */
const isInLock = (node, root) =>
  pathTo(node, root).some(
    (up) =>
      isFunction(up) &&
      !/^(Method|Property)Definition$/.test(up.parent.type) &&
      up.type !== 'FunctionDeclaration' &&
      up.parent.callee !== up &&
      !(up.parent.callee && UNLOCKED.test(nameOf(unwrapped(up.parent.callee)))),
  );

function pathTo(node, root) {
  const path = [];
  for (const up of ancestors(node)) {
    if (up === root || isClass(up)) break;
    path.push(up);
  }
  return path;
}

/** Returns the read and the wait because of which a write is a lost update. */
function lostUpdate(write, method, object) {
  const { root, reads, waits } = method;
  if (isInLock(write.node, root)) return undefined;
  const origins = originsOf(write.value, write.node.range[0], object);
  for (const wait of waits) {
    const isBetween = wait.end <= write.node.range[1] && canFollow(write.node, wait, root);
    const before = reads.filter(({ node }) => node.range[1] <= wait.end);
    const isReadAgain = reads.some(
      ({ id, node }) =>
        id === write.id && node.range[0] >= wait.end && node.range[1] <= write.node.range[1],
    );
    if (!isBetween || isReadAgain) continue;
    const read = before.find(
      ({ id, node, columns }) =>
        id === write.id &&
        origins.has(node) &&
        reaches(node, wait.node) &&
        usesColumn(write.column, columns, origins),
    );
    if (read && !isClaimed(write, wait, method, object)) return { read, wait };
  }
}

/** Returns whether a write can run after a wait. */
const canFollow = (node, wait, root) =>
  wait.within
    ? isWithin(node, wait.within)
    : isWithin(node, [...ancestors(wait.node)].find(isFunction) ?? root) &&
      reaches(wait.node, node);

/**
 * Returns whether a later node can run after a node: they are not in different branches, and no `return` is in between.
 */
function reaches(from, to) {
  let isLeft = false;
  let child = from;
  for (const up of ancestors(from)) {
    if (isWithin(to, up)) {
      const isFork = /^(If|Conditional)/.test(up.type) && child !== up.test;
      return !isLeft && !isFork && (up.type !== 'SwitchStatement' || child === up.discriminant);
    }
    const last = (up.type === 'SwitchCase' ? up.consequent : up.body)?.at?.(-1);
    if (isFunction(up)) isLeft = false;
    else if (/^(Return|Throw)/.test(up.type) || JUMP.test(last?.type)) isLeft = true;
    child = up;
  }
  return false;
}

/**
 * Returns whether a method has claimed the value before a wait: it has written the same value, or has tested and set a
 * flag, as in `if (this.isBusy) return; this.isBusy = true`.
 */
function isClaimed({ id }, { end }, { nodes, reads, writes }, object) {
  const isBefore = (node) => node.range[1] <= end;
  const tests = nodes.filter((node) => node.parent.test === node && isBefore(node));
  const tested = new Set();
  for (const test of tests) originsOf(test, test.range[0], object, tested);
  const fields = [...tested].filter((node) => isField(node, object)).map(nameOf);
  const ids = new Set(reads.filter(({ node }) => tested.has(node)).map((read) => read.id));
  return (
    writes.some((write) => isBefore(write.node) && (write.id === id || ids.has(write.id))) ||
    nodes.some(
      ({ type, left }) =>
        type === 'AssignmentExpression' &&
        isBefore(left) &&
        isField(left, object) &&
        fields.some((name) => name === nameOf(left)),
    )
  );
}

/** Returns whether a value is made from the column to which it is written. */
const usesColumn = (column, columns, origins) =>
  !column ||
  columns.trim() === column ||
  [...origins].some(
    (node) => /^(Identifier|MemberExpression|Property)$/.test(node.type) && nameOf(node) === column,
  );

/** Returns the nodes from which a value at a position is computed. It follows the last values of variables. */
function originsOf(expression, position, object, seen = new Set()) {
  const isAway = (node) =>
    isClass(node) || (node.type === 'AwaitExpression' && Boolean(waitOf(node, object)));
  if (!expression || seen.has(expression) || isAway(expression)) return seen;
  for (const part of [expression, ...descendants(expression, object.source, isAway)]) {
    seen.add(part);
    const variable = part.type === 'Identifier' && variableOf(part, object.source);
    const writes = (variable?.references ?? [])
      .filter((reference) => reference.isWrite() && reference.identifier.range[0] < position)
      .toReversed();
    // `count += 1` changes an earlier value.
    const whole = writes.findIndex((reference) => !reference.isRead());
    for (const { writeExpr, identifier } of writes.slice(0, whole + 1 || writes.length)) {
      // Destructuring names a column.
      seen.add(identifier).add(identifier.parent);
      originsOf(writeExpr, identifier.range[0], object, seen);
    }
  }
  return seen;
}
