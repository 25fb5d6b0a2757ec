/** Creates a rule about Durable Object classes, in the form of ESLint's plugin interface. */
import { durableObjects } from './durable-objects.js';

/**
 * @param anchor the section of AGENTS.md that explains the rule
 * @param check called for each class with `report(node, what)`
 */
export function rule(anchor, check) {
  const url = `AGENTS.md#${anchor}`;
  return {
    meta: { type: 'problem', schema: [], docs: { url } },
    create: (context) => ({
      'Program:exit'() {
        // Two classes may share a helper.
        const reported = new Set();
        for (const object of durableObjects(context))
          check(object, (node, what) => {
            if (!reported.has(node)) context.report({ node, message: `${what} See ${url}.` });
            reported.add(node);
          });
      },
    }),
  };
}
