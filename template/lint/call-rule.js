import { rule } from './rule.js';
import { below } from './tree.js';

/** A rule that looks at each call in a class and its helpers, with the text of what is called. */
export function callRule(anchor, check) {
  return rule(anchor, (object, report) => {
    for (const root of [object.node.body, ...object.helpers])
      for (const node of below(root, object.source))
        if (node.type === 'CallExpression')
          check(node, object.source.getText(node.callee), object, report);
  });
}
