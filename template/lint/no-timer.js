import { rule } from './rule.js';
import { below, definition, nameOf } from './tree.js';

const TIMER = /^set(Timeout|Interval|Immediate)$/;

export const noTimer = rule('timers', ({ node, source }, report) => {
  for (const { type, callee } of below(node.body, source)) {
    if (type !== 'CallExpression') continue;
    const [owner, name] =
      callee.type === 'MemberExpression'
        ? [callee.object, nameOf(callee)]
        : [callee, nameOf(callee)];
    const isGlobal = owner.type === 'Identifier' && !definition(owner, source);
    const isTimer =
      owner === callee
        ? TIMER.test(name)
        : (/^(globalThis|self)$/.test(owner.name) && TIMER.test(name)) ||
          (owner.name === 'scheduler' && name === 'wait');
    if (isGlobal && isTimer)
      report(
        callee,
        `'${name}' keeps this object awake, and is forgotten when it is evicted or redeployed. ` +
          'Use ctx.storage.setAlarm() with alarm(), or AbortSignal.timeout() to limit a fetch.',
      );
  }
});
