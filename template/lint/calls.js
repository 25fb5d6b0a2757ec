/** Rules against calls that have a better one in a Durable Object. */
import { rule } from './rule.js';
import { kindOf } from './storage.js';
import { above, below, definition, isFunction, nameOf } from './tree.js';

/** A rule that looks at each call in a class and its helpers, with the text of what is called. */
function callRule(anchor, check) {
  return rule(anchor, (object, report) => {
    for (const root of [object.node.body, ...object.helpers])
      for (const node of below(root, object.source))
        if (node.type === 'CallExpression')
          check(node, object.source.getText(node.callee), object, report);
  });
}

const TIMER = /^((globalThis|self)\.)?set(Timeout|Interval|Immediate)$|^scheduler\.wait$/;

export const noTimer = callRule('timers', (call, text, { source }, report) => {
  const { callee } = call;
  if (!TIMER.test(text) || definition(callee.object ?? callee, source)) return;
  if (text.endsWith('Interval') || !isPartOfWait(call, text, source))
    report(
      callee,
      `${text} keeps this object awake, and is forgotten when it is evicted or redeployed. Use ` +
        'ctx.storage.setAlarm() with alarm(), or AbortSignal.timeout() to limit a fetch.',
    );
});

/** A pause, a deadline, or a step of the event loop: the call that waits keeps the object awake anyway. */
function isPartOfWait(call, text, source) {
  if (text === 'scheduler.wait') return call.parent.type === 'AwaitExpression';
  const [callback, delay] = call.arguments;
  const ends =
    /^(\(\)|\w+) => (\{\s*)?(void )?[\w.]*(resolve|reject|abort)\w*(\?\.)?\([^;]*\);?(\s*\})?$/i;
  return (
    !delay ||
    delay.value === 0 ||
    [...above(call)].some(
      ({ type, callee }) => type === 'NewExpression' && nameOf(callee) === 'Promise',
    ) ||
    ends.test(source.getText(callback))
  );
}

/** What has a synchronous form; alarms and `deleteAll` have none. */
const REPLACED = /^(get|put|delete|list|transaction)$/;

export const noAsyncStorage = callRule('storage', ({ callee }, text, object, report) => {
  const name = callee.type === 'MemberExpression' && nameOf(callee);
  // Without SQLite there is no synchronous form.
  if (object.config || !REPLACED.test(name) || kindOf(callee.object, object) !== 'storage') return;
  const instead = name === 'transaction' ? 'transactionSync' : `kv.${name}`;
  report(
    callee.property,
    `storage.${name}() is asynchronous although the data is local: every caller must be too, and ` +
      `writes with an await between them commit apart. Use storage.${instead}() or storage.sql; the ` +
      'class needs SQLite, so wrangler.jsonc lists it in new_sqlite_classes, not in new_classes.',
  );
});

const ID =
  /^_?(id|uuid|key|token|secret)$|_(id|key|token)$|[a-z\d](Id|ID|Uuid|UUID|Key|Token|Secret)$/;
const WHY = {
  'Date.now()': 'the clock stands still while code runs, so two calls can get the same value',
  'Math.random()': 'its values can be guessed, and short ones repeat',
};
/** What passes a value on, from one of its children. */
const PASSING = /^(TemplateLiteral|LogicalExpression|TSAsExpression|ChainExpression)$/;

export const noGuessableId = callRule('ids', (node, text, object, report) => {
  const from = `${text}()`;
  if (!Object.hasOwn(WHY, from) || definition(node.callee.object, object.source)) return;
  if (becomesId(node, from === 'Date.now()', object))
    report(node, `${from} makes no id: ${WHY[from]}. Use crypto.randomUUID().`);
});

/** Follows a value upwards to what takes it. */
function becomesId(call, isTime, object) {
  for (let node = call, up = call.parent; ; node = up, up = up.parent) {
    if (up.type === 'VariableDeclarator') return ID.test(nameOf(up.id));
    if (up.type === 'AssignmentExpression') return up.right === node && ID.test(nameOf(up.left));
    if (up.type.startsWith('Property')) return up.value === node && ID.test(nameOf(up));
    if (up.type === 'ReturnStatement' || isFunction(up)) return ID.test(makerName(node));
    if (up.type === 'CallExpression' && up.callee !== node) {
      if (up.arguments[0] === node && isKeyOfWrite(up, object)) return true;
      const rounds = isTime ? /^String$/ : /^(String|Math\.(floor|round|trunc))$/;
      if (!rounds.test(object.source.getText(up.callee))) return false;
    } else if (up.type === 'BinaryExpression') {
      // A shifted or divided time is a deadline or a bucket; text that contains a time is an id.
      const isPassing = isTime ? /['"`]|toString/.test(object.source.getText(up)) : true;
      if (!isPassing || !/^[-+*/]$/.test(up.operator)) return false;
    } else if (up.type === 'MemberExpression') {
      if (up.object !== node) return false;
    } else if (up.type === 'ConditionalExpression') {
      if (up.test === node) return false;
    } else if (up.type !== 'CallExpression' && !PASSING.test(up.type)) return false;
  }
}

function isKeyOfWrite({ callee }, object) {
  return (
    callee.type === 'MemberExpression' &&
    nameOf(callee) === 'put' &&
    /^(storage|sync)$/.test(kindOf(callee.object, object))
  );
}

/** The name of the function that returns a value. */
function makerName(node) {
  for (const up of above(node))
    if (isFunction(up)) return nameOf(up.id ?? up.parent.id ?? up.parent);
}
