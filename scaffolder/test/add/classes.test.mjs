/** Tests of how a configuration declares its classes, at the top level and in environments. */
import { expect, test } from 'vitest';
import { environmentsWithOwn, formOf, freeTag } from '../../add/classes.mjs';

const LIVE = { type: 'durable-object', storage: 'sqlite' };
const EXPORTS = { exports: { A: LIVE } };
const MIGRATIONS = { migrations: [{ tag: 'v1', new_sqlite_classes: ['A'] }] };
/** These exports describe no Durable Object, and are compatible with migrations. */
const OTHER_EXPORTS = { exports: { default: { type: 'worker' }, Flow: { type: 'workflow' } } };

test.each([
  ['nothing', {}, 'exports', 'migrations'],
  ['exports', EXPORTS, 'exports', 'exports'],
  ['migrations', MIGRATIONS, 'migrations', 'migrations'],
  ['an empty table', { exports: {} }, 'exports', 'migrations'],
  ['an empty list', { migrations: [] }, 'migrations', 'migrations'],
  ['exports, and an empty list', { ...EXPORTS, migrations: [] }, 'exports', 'exports'],
  ['migrations, and an empty table', { ...MIGRATIONS, exports: {} }, 'migrations', 'migrations'],
  ['exports of another kind', OTHER_EXPORTS, 'exports', 'migrations'],
  ['both, of different kinds', { ...OTHER_EXPORTS, ...MIGRATIONS }, 'migrations', 'migrations'],
  [
    'a deleted class',
    { exports: { A: { type: 'durable-object', state: 'deleted' } } },
    'exports',
    'exports',
  ],
  ['an environment with exports', { env: { a: {}, b: EXPORTS } }, 'exports', 'exports'],
  ['an environment with migrations', { env: { a: MIGRATIONS } }, 'migrations', 'migrations'],
  [
    'an environment with migrations, but exports at the top',
    { ...EXPORTS, env: { a: { ...MIGRATIONS, exports: {} } } },
    'exports',
    'exports',
  ],
  ['wrong values', { exports: [], migrations: {}, env: { a: null } }, 'exports', 'migrations'],
])('of a configuration with %s', (_, value, current, old) => {
  const configuration = { file: 'wrangler.jsonc', text: '', value };
  expect([formOf(configuration, true), formOf(configuration, false)]).toEqual([current, old]);
});

test('environments in different forms are refused, because they inherit the form at the top level', () => {
  const value = { env: { a: EXPORTS, b: {}, c: MIGRATIONS } };
  expect(() => formOf({ file: 'wrangler.toml', text: '', value }, true)).toThrow(
    'In wrangler.toml, the environment a declares classes in "exports", and the environment c in "migrations".\n' +
      'Nothing was changed. Use one of the two everywhere,',
  );
});

test.each([
  ['exports', { a: {}, b: EXPORTS }, { b: 'exports' }],
  ['exports', { a: { exports: {} } }, { a: 'exports' }],
  ['exports', { a: { migrations: [] } }, {}],
  ['exports', { a: { ...MIGRATIONS, exports: {} } }, { a: 'migrations' }],
  ['migrations', { a: {}, b: MIGRATIONS }, { b: 'migrations' }],
  ['migrations', { a: { migrations: [] } }, { a: 'migrations' }],
  ['migrations', { a: { ...EXPORTS, migrations: [] } }, { a: 'exports' }],
  ['migrations', { a: OTHER_EXPORTS, b: null }, {}],
])('with %s at the top, the environments %j do not inherit: %j', (form, env, expected) => {
  const found = environmentsWithOwn(/** @type {any} */ (form), { env }, ['B']);
  expect(Object.fromEntries(found.map(({ name, form: own }) => [name, own]))).toEqual(expected);
});

test.each([
  [undefined, 'v1'],
  [[], 'v1'],
  [['v1', 'v2'], 'v3'],
  [['v2', 'v1'], 'v3'],
  [['2026-009'], '2026-010'],
  [['first'], 'lumenize-rpc-1'],
  [['lumenize-rpc-1', 'first'], 'lumenize-rpc-2'],
])('after the migrations %j comes %s', (tags, next) => {
  expect(freeTag(tags?.map((tag) => ({ tag })))).toBe(next);
});
