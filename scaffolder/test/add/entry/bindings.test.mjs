/** Tests bindings that are added to an existing route, and routes in which their place is not certain. */
import { expect, test } from 'vitest';
import { withBindings } from '../../../add/entry/bindings.mjs';

/** @param {string} options - of the call, with the comma before it */
const around = (options) => `import { routeDORequest } from 'x';
export default {
  async fetch(request, env) {
    return (await routeDORequest(request, env${options})) ?? page(request);
  },
};
`;

/** @param {string} options */
const added = (options) => withBindings(around(options), ['ROOM', 'BANK'], "'");

test.each([
  ["{ bindings: ['A'] }", "{ bindings: ['A', 'ROOM', 'BANK'] }"],
  ["{ bindings: ['A',] }", "{ bindings: ['A', 'ROOM', 'BANK',] }"],
  ["{ bindings: ['ROOM'] }", "{ bindings: ['ROOM', 'BANK'] }"],
  ['{ bindings: ["BANK", "ROOM"] }', '{ bindings: ["BANK", "ROOM"] }'],
  [
    "{ prefix: '/[', 'bindings': ['A'], b }",
    "{ prefix: '/[', 'bindings': ['A', 'ROOM', 'BANK'], b }",
  ],
  ["{ ...rest, bindings: ['A'] }", "{ ...rest, bindings: ['A', 'ROOM', 'BANK'] }"],
  [
    "{\n      bindings: [\n        'A', // one\n        'B', // two\n      ],\n    }",
    "{\n      bindings: [\n        'A', // one\n        'B', // two\n        'ROOM',\n        'BANK',\n      ],\n    }",
  ],
  [
    "{\n      bindings: [\n        'A',\n        'B' // two\n      ],\n    }",
    "{\n      bindings: [\n        'A',\n        'B', // two\n        'ROOM',\n        'BANK'\n      ],\n    }",
  ],
  ['{ bindings: [...ALL] }', "{ bindings: [...ALL, 'ROOM', 'BANK'] }"],
])('%s becomes %s', (before, after) => {
  expect(added(`, ${before}`)).toBe(around(`, ${after}`));
});

test.each([
  '',
  ", { prefix: '/__rpc' }",
  ', { onBeforeConnect: f({ bindings: [] }), async b() {} }',
])('without the option, clients can reach all bindings: %j', (options) => {
  expect(added(options)).toBe(around(options));
});

test.each([
  ['a variable', around(', options')],
  ['a spread', around(', { ...options }')],
  ['a computed name', around(", { [name]: ['A'] }")],
  ['a shorthand', around(', { bindings }')],
  ['a list elsewhere', around(', { bindings: BINDINGS }')],
  ['a list with a method', around(", { bindings: ['A'].concat(more) }")],
  ['another expression', around(", { bindings: ['A'] } satisfies Options")],
  ['two routes', around(", { bindings: ['A'] }") + around(", { prefix: '/b', bindings: ['A'] }")],
  ['no call of the router', 'export default {};'],
  ['only an import', "import { routeDORequest } from 'x';"],
  ['text that cannot be split into tokens', `${around(", { bindings: ['A'] }")}\na } / 1;`],
])('%s is left to the user', (_, text) => {
  expect(withBindings(text, ['ROOM'], "'")).toBeUndefined();
});
