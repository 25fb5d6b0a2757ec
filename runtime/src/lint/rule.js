/** Makes rules in the form of ESLint's plugin interface. */
import { codeOf } from './classes/called-functions.js';
import { durableObjects } from './classes/durable-objects.js';

/**
 * Makes a rule that checks whole files.
 *
 * @param anchor - the section of AGENTS.md that explains the rule
 * @param check - called for each file with its context and `report(node, what, fix)`
 * @param more - more properties of the rule's `meta`
 */
export function fileRule(anchor, check, more = {}) {
  const url = `AGENTS.md#${anchor}`;
  return {
    meta: { type: 'problem', schema: [], docs: { url }, ...more },
    create: (context) => ({
      'Program:exit'() {
        // Two classes may call the same function, whose problem is reported once.
        const reported = new Set();
        check(context, (node, what, fix) => {
          if (!reported.has(node))
            context.report({ node, message: `${what} See ${url}.`, ...(fix && { fix }) });
          reported.add(node);
        });
      },
    }),
  };
}

/** Makes a rule that checks each Durable Object class, with `report(node, what)`. */
export function rule(anchor, check) {
  return fileRule(anchor, (context, report) => {
    for (const object of durableObjects(context)) check(object, report);
  });
}

/** Makes a rule that checks each call in a class and the functions that it calls, with the text of the callee. */
export function callRule(anchor, check) {
  return rule(anchor, (object, report) => {
    for (const node of codeOf(object))
      if (node.type === 'CallExpression')
        check(node, object.source.getText(node.callee), object, report);
  });
}
