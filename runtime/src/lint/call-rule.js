import { codeOf } from './helpers.js';
import { rule } from './rule.js';

/** Creates a rule that checks each call in a class and its helpers, with the text of the callee. */
export function callRule(anchor, check) {
  return rule(anchor, (object, report) => {
    for (const node of codeOf(object))
      if (node.type === 'CallExpression')
        check(node, object.source.getText(node.callee), object, report);
  });
}
