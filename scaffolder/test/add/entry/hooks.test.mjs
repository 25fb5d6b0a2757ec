/** Tests the hook of an example in a Worker's main file, and forms of it that the user has to change. */
import { expect, test } from 'vitest';
import { withHook } from '../../../add/entry/hooks.mjs';

const HOOK = { module: 'board-caller', name: 'nameCaller' };
const IMPORT = "import { nameCaller } from './board-caller.ts';";

/** @param {string} args - of the call */
const calling = (args) =>
  `import { routeDORequest } from 'lumenize-rpc/server';\n\nconst r = await routeDORequest(${args});\n`;

test.each([
  ['no options', 'request, env', 'request, env, { onBeforeConnect: nameCaller }'],
  [
    'names of bindings',
    "request, env, { bindings: ['BOARD'] }",
    "request, env, { bindings: ['BOARD'], onBeforeConnect: nameCaller }",
  ],
  [
    'a comma at the end',
    "request, env, {\n  bindings: ['BOARD'],\n}",
    "request, env, {\n  bindings: ['BOARD'], onBeforeConnect: nameCaller,\n}",
  ],
  [
    'another hook',
    'request, env, { onBeforeRequest: check }',
    'request, env, { onBeforeRequest: check, onBeforeConnect: nameCaller }',
  ],
])('it is added to a call with %s', (_, before, after) => {
  const expected = calling(after).replace('\n\n', `\n${IMPORT}\n\n`);
  expect(withHook(calling(before), HOOK, '.ts', false)).toEqual({ text: expected });
});

test.each([
  ['options by name', calling('request, env, options')],
  ['options that are spread', calling('request, env, { ...options }')],
  ['a hook of its own', calling('request, env, { onBeforeConnect: check }')],
  ['a hook by its name', calling('request, env, { onBeforeConnect }')],
  ['a method', calling('request, env, { onBeforeConnect() {} }')],
  ['no options in braces', calling('request, env, {}')],
  ['no call', "import a from 'a';\n"],
  ['two calls', calling('request, env').repeat(2)],
  ['no import', 'const r = await routeDORequest(request, env);\n'],
])('the user adds it to a main file with %s', (_, before) => {
  const { text, byHand, reason } = withHook(before, HOOK, '.ts', false);
  expect(text).toBe(before);
  expect(byHand).toContain(`${IMPORT}\n\n// In the options of routeDORequest.`);
  expect(byHand).toMatch(/\nonBeforeConnect: nameCaller,$/);
  expect(reason).toContain('routeDORequest');
});

test('the user adds it to a module with JSX', () => {
  const before = calling('request, env');
  const { text, reason } = withHook(before, HOOK, '', true);
  expect(text).toBe(before);
  expect(reason).toBe('this program cannot read all of it');
});
