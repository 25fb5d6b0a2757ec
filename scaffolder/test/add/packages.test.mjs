/** Tests what `--add` reads from a project's package.json, and what it adds. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageManagerIn, withPackages } from '../../add/packages.mjs';
import { packageManager } from '../../packages/package-managers.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const TEMPLATE = { dependencies: { typebox: '1.4.3' } };

/** @param {object} manifest */
const facts = (manifest) => withPackages(JSON.stringify(manifest), {}, 'typebox');

/** @param {object} manifest */
const typesFile = (manifest) => facts(manifest).typesFile;

/** @param {object} manifest */
const added = (manifest) => {
  const { text, typesScript } = withPackages(JSON.stringify(manifest), TEMPLATE, 'typebox');
  const { scripts, ...rest } = JSON.parse(text);
  return { ...rest, scripts, typesScript };
};

const TYPES = { scripts: { types: 'wrangler types' }, typesScript: 'types' };

test.each([
  ['nothing', {}, { dependencies: TEMPLATE.dependencies, ...TYPES }],
  ['a dependency', { dependencies: { typebox: '^1.0.0' } }, TYPES],
  ['a development dependency', { devDependencies: { typebox: '1' } }, TYPES],
  ['a range without a version', { dependencies: { typebox: '*' } }, TYPES],
  [
    'types of the runtime from a package',
    { devDependencies: { typebox: '1', '@cloudflare/workers-types': '4' } },
    { scripts: { types: 'wrangler types --include-runtime=false' }, typesScript: 'types' },
  ],
  [
    'a script by another name',
    { dependencies: { typebox: '1' }, scripts: { cf: 'wrangler types' } },
    { typesScript: 'cf' },
  ],
  [
    'a script that compares the types',
    {
      dependencies: { typebox: '1' },
      scripts: { a: 'tsc && wrangler types --check && b', cf: 'a && wrangler types' },
    },
    { typesScript: 'cf' },
  ],
  [
    'another script by the name',
    { dependencies: { typebox: '1' }, scripts: { types: 'tsc' } },
    { typesScript: undefined },
  ],
])('adds missing packages to %s', (_, manifest, expected) => {
  expect(added(manifest)).toEqual({ ...manifest, ...expected });
});

test.each([
  ['{', 'package.json is not valid JSON.', 'Correct it and try again.'],
  ['{ "dependencies": [] }', '"dependencies" in package.json is not an object.', 'Correct it'],
  [
    '{ "dependencies": { "typebox": "~0.34.1" } }',
    'The project has typebox ~0.34.1, and the runtime needs 1.4.3.',
    'Update typebox to version 1 first.',
  ],
])('refuses %s', (text, problem, advice) => {
  const refused = () => withPackages(text, TEMPLATE, 'typebox');
  expect(refused).toThrow(`${problem}\nNothing was changed. ${advice}`);
  expect(refused).toThrow(expect.objectContaining({ exitCode: 3 }));
});

test.each([
  [{}, undefined],
  [{ '@cloudflare/vitest-plugin': '^1.0.0' }, false],
  [{ '@cloudflare/vitest-pool-workers': '^0.9.14' }, true],
  [{ '@cloudflare/vitest-pool-workers': '~0.16.20' }, true],
  [{ '@cloudflare/vitest-pool-workers': '^0.17.0' }, false],
  [{ '@cloudflare/vitest-pool-workers': '0.1' }, true],
  [{ '@cloudflare/vitest-pool-workers': 'latest' }, false],
])('the plugin of %j is too old for the tests of the examples: %s', (devDependencies, isOld) => {
  expect(facts({ devDependencies }).testPlugin?.isOld).toBe(isOld);
});

test('another library replaces TypeBox, but an unsupported major version of TypeBox is still a conflict', () => {
  const template = { dependencies: { 'lumenize-rpc': '1.0.0', ...TEMPLATE.dependencies } };
  const { text, hasNew } = withPackages('{}', template, 'zod');
  const zod = expect.any(String);
  expect(JSON.parse(text).dependencies).toEqual({ 'lumenize-rpc': '1.0.0', zod });
  expect(hasNew).toBe(true);
  const old = '{ "dependencies": { "typebox": "~0.34.1", "zod": "^4" } }';
  expect(() => withPackages(old, template, 'zod')).toThrow('The project has typebox ~0.34.1');
});

test('a project that has the runtime gets only the scripts of examples', () => {
  const text = '{ "type": "module", "dependencies": { "lumenize-rpc": "^1.0.0" } }';
  expect(withPackages(text, undefined, 'typebox').text).toBe(text);
  const scripts = { bank: 'node two-customers.ts' };
  expect(JSON.parse(withPackages(text, undefined, 'typebox', scripts).text)).toEqual({
    ...JSON.parse(text),
    scripts,
  });
});

test('an existing script is not replaced', () => {
  const refused = () =>
    withPackages('{ "scripts": { "a": "mine" } }', undefined, 'typebox', { a: 'b' });
  expect(refused).toThrow('package.json has a script "a" already.\nNothing was changed.');
});

test.each([
  [{}, []],
  [{ wrangler: '^4.0.0', typescript: '5.8.2' }, []],
  [{ wrangler: '4.0.0', typescript: '^5.0.2' }, []],
  [{ typescript: '>=5.0' }, []],
  [{ typescript: '5' }, []],
  [{ typescript: '5.7.3' }, ['typescript 5.7.3']],
  [{ typescript: '~5.6.0' }, ['typescript ~5.6.0']],
  [{ typescript: '~5.10.0' }, []],
  [{ typescript: '6.0.0' }, []],
  [{ wrangler: '*', typescript: 'latest' }, []],
  [{ wrangler: '^3.99.0', typescript: '>=4.9' }, ['typescript >=4.9', 'wrangler ^3.99.0']],
])('of %j these are too old: %j', (devDependencies, outdated) => {
  expect(facts({ devDependencies }).outdated).toEqual(outdated);
});

test.each([
  [undefined, undefined],
  [{ start: 'a' }, 'start'],
  [{ start: 'a', dev: 'b' }, 'dev'],
])('of the scripts %j, %s starts the Worker', (scripts, script) => {
  expect(facts({ scripts }).devScript).toBe(script);
});

test.each([
  [{}, { isVite: false, hasReact: false }],
  [{ react: '^19.0.0' }, { isVite: false, hasReact: true }],
  [
    { '@cloudflare/vite-plugin': '^1.0.0', vite: '^7.0.0' },
    { isVite: true, hasReact: false },
  ],
])('the packages %j tell how the pages are built', (devDependencies, expected) => {
  expect(facts({ devDependencies })).toMatchObject(expected);
});

test.each([
  [undefined, true],
  ['commonjs', true],
  ['module', false],
])('Node warns of modules in a package of the type %s: %s', (type, warns) => {
  expect(facts({ type }).isTypeless).toBe(warns);
});

test('finds the package manager by the nearest lock file', () => {
  const folder = temporaryFolder({ 'pnpm-lock.yaml': '', 'a/bun.lockb': '', 'a/b/index.ts': '' });
  const nameIn = (/** @type {string} */ path) =>
    packageManagerIn(join(folder, path), packageManager('yarn')).name;
  expect(['.', 'c', 'a', 'a/b'].map(nameIn)).toEqual(['pnpm', 'pnpm', 'bun', 'bun']);
});

test.each([
  [undefined, 'worker-configuration.d.ts'],
  ['wrangler types', 'worker-configuration.d.ts'],
  ['wrangler types --env-interface CloudflareBindings', 'worker-configuration.d.ts'],
  ['wrangler types ./src/env.d.ts --strict-vars false && tsc', 'src/env.d.ts'],
  ['wrangler types && tsc env.d.ts', 'worker-configuration.d.ts'],
])('the command %s writes %s', (command, file) => {
  expect(typesFile({ scripts: command ? { cf: command } : {} })).toBe(file);
});

test('types of the runtime that clash with those of a package are left out', () => {
  const devDependencies = { '@cloudflare/workers-types': '4' };
  expect(typesFile({ devDependencies })).toBe('worker-configuration.d.ts');
  expect(typesFile({ devDependencies, scripts: { cf: 'wrangler types' } })).toBeUndefined();
  const cf = 'wrangler types --include-runtime=false';
  expect(typesFile({ devDependencies, scripts: { cf } })).toBe('worker-configuration.d.ts');
});
