/** Finds timers, which keep an object awake and end with its memory. */
import { isField } from '../classes/storage.js';
import { callRule } from '../rule.js';
import { ancestors, definition, nameOf, unwrapped, valueOf } from '../tree.js';

const TIMER = /^((globalThis|self)\.)?set(Timeout|Interval|Immediate)$|^scheduler\.wait$/;
/** The shortest period, in milliseconds, for which an alarm can replace an interval. */
const SHORTEST = 100;

export const noTimer = callRule('timers', (call, text, object, report) => {
  const { callee } = call;
  if (!TIMER.test(text) || definition(callee.object ?? callee, object.source)) return;
  const isFine = text.endsWith('Interval') ? isLoopOrPing : isPartOfWait;
  if (!isFine(call, object, text))
    report(
      callee,
      `${text} keeps this object awake, and is forgotten when the object is evicted or redeployed. Use ` +
        'ctx.storage.setAlarm() with alarm(), or AbortSignal.timeout() to limit the time of a fetch.',
    );
});

/**
 * Returns whether a timer is a pause, a deadline, or a step of the event loop. The call that waits keeps the object
 * awake anyway.
 */
function isPartOfWait(call, { source }, text) {
  if (text === 'scheduler.wait') return call.parent.type === 'AwaitExpression';
  const [callback, delay] = call.arguments;
  const ends =
    /^(\(\)|\w+) => (\{\s*)?(void )?[\w.]*(resolve|reject|abort)\w*(\?\.)?\([^;]*\);?(\s*\})?$/i;
  return (
    !delay ||
    delay.value === 0 ||
    [...ancestors(call)].some(
      ({ type, callee }) => type === 'NewExpression' && nameOf(callee) === 'Promise',
    ) ||
    ends.test(source.getText(callback))
  );
}

/**
 * Returns whether an interval is the loop of a game, or writes to an open response or to a socket without hibernation.
 * Such a connection keeps the object awake anyway, and ends with its memory.
 */
function isLoopOrPing({ arguments: [callback, period] }, object) {
  const { node, source } = object;
  const text = callback ? source.getText(callback) : '';
  return (
    numberOf(period, object) < SHORTEST ||
    /\.enqueue\(|\bwriter\s*\.write\(/.test(text) ||
    (/\.send\(/.test(text) && !/\bacceptWebSocket\b/.test(source.getText(node)))
  );
}

/** Returns the value of a numeric constant, also as a product or quotient, or held in a field; otherwise NaN. */
function numberOf(expression, object, depth = 0) {
  const value = expression && valueOf(expression, object.source);
  if (!value || depth > 3) return NaN;
  if (value.type === 'BinaryExpression') {
    const [left, right] = [value.left, value.right].map((side) =>
      numberOf(side, object, depth + 1),
    );
    return { '*': left * right, '/': left / right }[value.operator];
  }
  if (!isField(value, object)) return typeof value.value === 'number' ? value.value : NaN;
  const held = (object.fields.get(nameOf(unwrapped(value))) ?? []).filter((field) => field.value);
  return held.length === 1 ? numberOf(held[0].value, object, depth + 1) : NaN;
}
