/** Finds ids made from the clock or from `Math.random()`. */
import { kindOf } from '../classes/storage.js';
import { callRule } from '../rule.js';
import { ancestors, definition, isFunction, nameOf, unwrapped } from '../tree.js';

const ID =
  /^_?(id|uuid|key|token|secret)$|_(id|key|token)$|[a-z\d](Id|ID|Uuid|UUID|Key|Token|Secret)$/;
const WHY = {
  'Date.now()': 'the clock stands still while code runs, so two calls can get the same value',
  'Math.random()': 'its values can be guessed, and short ones repeat',
};
/** Matches the parts of an id: the calls in `WHY`, and calls that are random enough. */
const PART = /Date\.now\(\)|Math\.random\(\)|\b(randomUUID|getRandomValues|nanoid|ulid|uuid\w*)\(/g;
/** Matches expressions that pass on the value of a child. */
const PASSING = /^(TemplateLiteral|TSAsExpression|ChainExpression)$/;

export const noGuessableId = callRule('ids', (node, text, object, report) => {
  const from = `${text}()`;
  if (!Object.hasOwn(WHY, from) || definition(node.callee.object, object.source)) return;
  const id = idMadeOf(node, from === 'Date.now()', object);
  const parts = id ? [...object.source.getText(id).matchAll(PART)] : [];
  // One part that is random enough suffices, as in `${Date.now()}-${crypto.randomUUID()}`.
  if (!id || parts.some(([part]) => !Object.hasOwn(WHY, part))) return;
  const [first] = parts.toSorted(([a], [b]) => (a < b ? 1 : -1));
  if (first[0] === 'Date.now()' && tellsApart(id, object)) return;
  if (id.range[0] + first.index === node.range[0])
    report(node, `${from} does not make a safe id: ${WHY[from]}. Use crypto.randomUUID().`);
});

/** Follows a value upwards to where it is used. Returns the whole value if it is used as an id. */
function idMadeOf(call, isTime, object) {
  const ifId = (node, name) => (ID.test(name) ? node : undefined);
  for (let node = call, up = call.parent; ; node = up, up = up.parent) {
    if (up.type === 'VariableDeclarator') return ifId(node, nameOf(up.id));
    if (up.type === 'AssignmentExpression')
      return up.right === node ? ifId(node, nameOf(up.left)) : undefined;
    if (up.type.startsWith('Property'))
      return up.value === node ? ifId(node, nameOf(up)) : undefined;
    if (up.type === 'ReturnStatement' || isFunction(up)) return ifId(node, makerName(node));
    if (up.type === 'CallExpression' && up.callee !== node) {
      if (up.arguments[0] === node && isKeyOfWrite(up, object)) return node;
      const rounds = isTime ? /^String$/ : /^(String|Math\.(floor|round|trunc))$/;
      if (!rounds.test(object.source.getText(up.callee))) return undefined;
    } else if (up.type === 'BinaryExpression') {
      // A shifted or divided time is a deadline or a bucket; text that contains a time is an id.
      const isPassing = isTime ? /['"`]|toString/.test(object.source.getText(up)) : true;
      if (!isPassing || !/^[-+*/]$/.test(up.operator)) return undefined;
    } else if (up.type === 'MemberExpression') {
      if (up.object !== node) return undefined;
    } else if (up.type === 'ConditionalExpression') {
      if (up.test === node) return undefined;
    } else if (up.type === 'LogicalExpression') {
      if (up.right === node && isOwnId(up.left, object)) return undefined;
    } else if (up.type !== 'CallExpression' && !PASSING.test(up.type)) return undefined;
  }
}

/** Returns whether the left side of `a || b` is always set, because it is or ends in `this.ctx.id`. */
function isOwnId(expression, object) {
  const last = unwrapped(expression.right ?? expression);
  const callee = last.type === 'CallExpression' && unwrapped(last.callee);
  const id = unwrapped(callee && nameOf(callee) === 'toString' ? callee.object : last);
  return nameOf(id) === 'id' && kindOf(id.object, object) === 'ctx';
}

/** Returns whether another value than the time makes ids differ, as in `${seat}-${Date.now()}`. */
function tellsApart(node, object) {
  const parts = node.expressions ?? (node.type === 'BinaryExpression' && [node.left, node.right]);
  if (parts) return parts.some((part) => tellsApart(part, object));
  const value = definition(node, object.source)?.node.init ?? node;
  const isConstant = value.type === 'Literal' || /^[A-Z_\d]+$/.test(node.name);
  return !isConstant && !object.source.getText(value).includes('Date.now()');
}

function isKeyOfWrite({ callee }, object) {
  return (
    callee.type === 'MemberExpression' &&
    nameOf(callee) === 'put' &&
    /^(storage|sync)$/.test(kindOf(callee.object, object))
  );
}

/** Returns the name of the function that returns a value. */
function makerName(node) {
  for (const up of ancestors(node))
    if (isFunction(up)) return nameOf(up.id ?? up.parent.id ?? up.parent);
}
