import { callRule } from './call-rule.js';
import { above, definition, nameOf } from './tree.js';

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

/**
 * Whether a timer is a pause, a deadline, or a step of the event loop. The call that waits keeps the object
 * awake anyway.
 */
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
