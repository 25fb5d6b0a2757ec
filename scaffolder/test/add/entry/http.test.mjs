/** Tests the route for plain HTTP in a Worker's main file, and forms of it that the user has to change. */
import { expect, test } from 'vitest';
import { withHttp } from '../../../add/entry/http.mjs';

const COUNTER = {
  class: 'Counter',
  binding: 'COUNTER',
  from: './counter.ts',
  isImported: false,
  hasIncrement: true,
};

/** @param {string} body - of the module, after its imports */
const withImports = (body) =>
  `import { a } from 'a';\nimport { routeDORequest } from 'lumenize-rpc/server';\n\nexport { Counter } from './counter.ts';\n\n${body}`;

/** @param {string} body */
const expected = (body) => `import { a } from 'a';
import { routeDORequest } from 'lumenize-rpc/server';
import { type HttpOptions, openApi, routeHttpRequest } from 'lumenize-rpc/http';
import { Counter } from './counter.ts';

export { Counter } from './counter.ts';

const http: HttpOptions = {
  classes: { COUNTER: Counter },
  openapi: { generator: openApi, info: { title: 'shop', version: '1.0.0' } },
};

${body}`;

const CALL = `await routeDORequest(request, env, { bindings: ['COUNTER'] })`;
const HTTP = `(await routeHttpRequest(request, env, http)) ??`;

test.each([
  [
    'a variable',
    `  const response = ${CALL};\n`,
    `  const response =\n    ${HTTP}\n    (${CALL});\n`,
  ],
  ['a first operand', `  return (${CALL}) ?? a();\n`, `  return ${HTTP}\n    (${CALL}) ?? a();\n`],
  ['a second operand', `  return b ?? (${CALL});\n`, `  return b ?? ${HTTP}\n    (${CALL});\n`],
  ['a result', `  return ${CALL};\n`, `  return ${HTTP}\n    (${CALL});\n`],
  [
    'other arguments, and a prefix',
    `  return (await routeDORequest(c.req.raw, c.env, { prefix: '/x', bindings: ['COUNTER'] })) ?? c.notFound();\n`,
    `  return (await routeHttpRequest(c.req.raw, c.env, { prefix: '/x', ...http })) ??\n    (await routeDORequest(c.req.raw, c.env, { prefix: '/x', bindings: ['COUNTER'] })) ?? c.notFound();\n`,
  ],
  [
    'hooks by name',
    `  const r = await routeDORequest(request, env, { ...all, onBeforeRequest, onBeforeConnect: onBeforeRequest });\n`,
    `  const r =\n    (await routeHttpRequest(request, env, { ...all, onBeforeRequest, onBeforeConnect: onBeforeRequest, ...http })) ??\n    (await routeDORequest(request, env, { ...all, onBeforeRequest, onBeforeConnect: onBeforeRequest }));\n`,
  ],
  [
    'options by name',
    `  const r = await routeDORequest(request, env, options);\n`,
    `  const r =\n    (await routeHttpRequest(request, env, { ...options, ...http })) ??\n    (await routeDORequest(request, env, options));\n`,
  ],
  [
    'no options',
    `  const r = await routeDORequest(request, env);\n`,
    `  const r =\n    ${HTTP}\n    (await routeDORequest(request, env));\n`,
  ],
])('is before a call that is %s', (_, before, after) => {
  const added = withHttp(withImports(before), [COUNTER], 'shop', false);
  expect(added).toEqual({ text: expected(after) });
});

test('does not repeat an import, and follows the style of the module', () => {
  const text = `import { routeDORequest } from "lumenize-rpc/server"
import { Counter } from "./counter"

export { Counter }
export default {
\tasync fetch(request: Request, env: Env) {
\t\treturn (await routeDORequest(request, env)) ?? new Response()
\t},
}
`;
  const { text: after } = withHttp(text, [{ ...COUNTER, isImported: true }], 'shop', false);
  expect(after).toBe(`import { routeDORequest } from "lumenize-rpc/server"
import { Counter } from "./counter"
import { type HttpOptions, openApi, routeHttpRequest } from "lumenize-rpc/http"

const http: HttpOptions = {
\tclasses: { COUNTER: Counter },
\topenapi: { generator: openApi, info: { title: "shop", version: "1.0.0" } },
}

export { Counter }
export default {
\tasync fetch(request: Request, env: Env) {
\t\treturn (await routeHttpRequest(request, env, http)) ??
\t\t\t(await routeDORequest(request, env)) ?? new Response()
\t},
}
`);
});

const FORM = 'its call of routeDORequest has a form that this program does not change';

test.each([
  ['is not awaited', 'return routeDORequest(request, env);', FORM],
  ['is an argument', `a(${CALL});`, FORM],
  ['is a condition', `if (${CALL}) a();`, FORM],
  ['is compared', `const a = (${CALL}) === b;`, FORM],
  ['is an operand of ||', `const a = (${CALL}) || b;`, FORM],
  ['occurs twice', `const a = ${CALL};\nconst b = ${CALL};`, FORM],
  [
    'has a hook in its options',
    'return await routeDORequest(request, env, { onBeforeRequest: (r) => a(r) });',
    FORM,
  ],
  ['has options that are made', 'return await routeDORequest(request, env, make(a));', FORM],
  ['is elsewhere', 'return a(request);', 'it does not call routeDORequest'],
  ['has a name in its way', `const http = 1;\nreturn ${CALL};`, 'it uses the name http already'],
  ['cannot be read', 'const a = `${`;', 'this program cannot read all of it'],
])('is left to the user if the call %s', (_, body, reason) => {
  const text = withImports(body);
  const added = withHttp(text, [COUNTER], 'shop', false);
  expect(added).toMatchObject({ text, reason });
  expect(added.byHand).toContain('classes: { COUNTER: Counter },');
  expect(added.byHand).toContain('await routeHttpRequest(request, env, http);');
});

test('the user inserts the lines in a module that may contain JSX', () => {
  const text = withImports(`return ${CALL};`);
  expect(withHttp(text, [COUNTER], 'shop', true)).toMatchObject({
    text,
    reason: 'this program cannot read all of it',
  });
});
