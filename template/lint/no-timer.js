import { rule } from './rule.js';
import { below, definition } from './tree.js';

const TIMER = /^((globalThis|self)\.)?set(Timeout|Interval|Immediate)$|^scheduler\.wait$/;

export const noTimer = rule('timers', ({ node, source }, report) => {
  for (const { type, callee } of below(node.body, source)) {
    const name = type === 'CallExpression' ? source.getText(callee) : '';
    if (TIMER.test(name) && !definition(callee.object ?? callee, source))
      report(
        callee,
        `${name} keeps this object awake, and is forgotten when it is evicted or redeployed. Use ` +
          'ctx.storage.setAlarm() with alarm(), or AbortSignal.timeout() to limit a fetch.',
      );
  }
});
