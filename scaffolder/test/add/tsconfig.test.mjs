/**
 * Tests which `tsconfig.json` applies to the Worker's main file: it includes the types of the bindings, and has the
 * options.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compilerOptionsOf, withBindingTypes } from '../../add/tsconfig.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const MAIN = 'src/index.ts';
const TYPES = 'env.d.ts';

/** @typedef {[name: string, files: Record<string, string>, expected: Record<string, string>, main?: string]} Row */

/**
 * @param {Record<string, string>} files
 * @param {string} [main]
 */
function changesOf(files, main = MAIN) {
  const project = temporaryFolder({ ...files, [main]: '' });
  return Object.fromEntries(withBindingTypes(project, main, TYPES));
}

/** @param {string} patterns */
const including = (patterns) => `{ "include": [${patterns}] }`;

/** @type {Row[]} */
const CHANGED = [
  ...[
    ['src/'],
    ['src/**/*.ts'],
    ['src/inde?.ts'],
    ['src/*'],
    ['src/**/*.ts', 'src/deep/er/index.ts'],
    ['src/(app)', 'src/(app)/index.ts'],
    ['**/index.ts', 'src/deep/er/index.ts'],
  ].map(
    ([pattern, main]) =>
      /** @type {Row} */ ([
        `one that includes ${pattern}`,
        { 'tsconfig.json': including(`"${pattern}"`) },
        { 'tsconfig.json': including(`"${pattern}", "${TYPES}"`) },
        main,
      ]),
  ),
  [
    'one with a list of files, and a comment',
    { 'tsconfig.json': '{\n  "files": [\n    "src/index.ts" // mine\n  ]\n}' },
    { 'tsconfig.json': '{\n  "files": [\n    "src/index.ts", // mine\n    "env.d.ts"\n  ]\n}' },
  ],
  ['one that has it', { 'tsconfig.json': including('"src", "*.d.ts"') }, {}],
  ['one that includes all', { 'tsconfig.json': '{}' }, {}],
  ['one that includes all, by its name', { 'tsconfig.json': including('"."') }, {}],
  [
    'one whose types have it',
    {
      'tsconfig.json':
        '{ "compilerOptions": { "types": ["node", "./env.d.ts"] }, "include": ["src"] }',
    },
    {},
  ],
  [
    'one whose types are others',
    { 'tsconfig.json': '{ "compilerOptions": { "types": ["node"] }, "include": ["src"] }' },
    {
      'tsconfig.json':
        '{ "compilerOptions": { "types": ["node"] }, "include": ["src", "env.d.ts"] }',
    },
  ],
  [
    'a reference to one elsewhere, and to some that are not there',
    {
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./config/worker.json" }, { "path": "./gone" }, { "path": "./tsconfig.gone.json" }] }',
      'config/worker.json': '{ "extends": "../base", "include": ["../src"] }',
      'base.json': '{ "compilerOptions": { "noEmit": true } }',
    },
    { 'config/worker.json': '{ "extends": "../base", "include": ["../src", "../env.d.ts"] }' },
  ],
  [
    'references, of which one has the Worker',
    {
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./worker" }] }',
      'tsconfig.app.json': including('"src"'),
      'worker/tsconfig.json': '{ "compilerOptions": {} }',
    },
    {
      'worker/tsconfig.json': '{ "compilerOptions": {}, "include": ["**/*", "../env.d.ts"] }',
    },
    'worker/index.ts',
  ],
  [
    'one in the folder of the Worker',
    { 'tsconfig.json': '{ "files": [] }', 'src/server/tsconfig.json': including('"."') },
    { 'src/server/tsconfig.json': including('".", "../../env.d.ts"') },
    'src/server/index.ts',
  ],
  [
    'a list that another configuration has, which is changed once',
    {
      'tsconfig.json': including('"src"'),
      'tsconfig.build.json': '{ "extends": "./tsconfig.json" }',
    },
    { 'tsconfig.json': including('"src", "env.d.ts"') },
  ],
  [
    'a list from one that does not count',
    { 'tsconfig.json': '{ "extends": "./base" }', 'base.json': '{ "files": ["src/index.ts"] }' },
    {},
  ],
  ['none', {}, {}],
  [
    'one for other files',
    { 'tsconfig.json': '{ "include": ["app/**/*", "src/*.d.ts"], "exclude": [] }' },
    {},
  ],
  ['one that leaves it out', { 'tsconfig.json': '{ "exclude": ["dist", "src"] }' }, {}],
  ['one with a pattern for shorter names', { 'tsconfig.json': including('"src/?.ts"') }, {}],
  ['one for a folder further down', { 'tsconfig.json': including('"src/*/index.ts"') }, {}],
  ['one whose name is almost the same', { 'tsconfig.json': including('"sr.", "src/index"') }, {}],
  ['one that is not JSON', { 'tsconfig.json': '{' }, {}],
];

test.each(CHANGED)('the types of the bindings, with %s', (_, files, expected, main) => {
  expect(changesOf(files, main)).toEqual(expected);
});

/**
 * @param {Record<string, string>} files
 * @param {string} [folder]
 */
function strictIn(files, folder = '.') {
  const project = temporaryFolder({ ...files, [join(folder, MAIN)]: '' });
  return compilerOptionsOf(join(project, folder), MAIN)['strict'];
}

const STRICT = '{ "compilerOptions": { "strict": true } }';
const LAX = '{ "compilerOptions": { "strict": false } }';

test.each([
  ['its own', { 'tsconfig.json': STRICT }, true],
  ['of another', { 'tsconfig.json': '{ "extends": "./base" }', 'base.json': STRICT }, true],
  [
    'its own, in place of those of another',
    { 'tsconfig.json': LAX.replace('{', '{ "extends": "./base",'), 'base.json': STRICT },
    false,
  ],
  [
    'of several, of which the last counts',
    { 'tsconfig.json': '{ "extends": ["./one", "./two"] }', 'one.json': LAX, 'two.json': STRICT },
    true,
  ],
  [
    'of several, of which the last extends another',
    {
      'tsconfig.json': '{ "extends": ["./one", "./two"] }',
      'one.json': LAX,
      'two.json': '{ "extends": "./three" }',
      'three.json': STRICT,
    },
    true,
  ],
  [
    'of some that extend each other in a circle',
    {
      'tsconfig.json': '{ "extends": "./a" }',
      'a.json': STRICT.replace('{', '{ "extends": "./tsconfig",'),
    },
    true,
  ],
  ...['@x/base', '@x/base/tsconfig', '@x/base/tsconfig.json'].map(
    (name) =>
      /** @type {[string, Record<string, string>, boolean]} */ ([
        `of a package, by the name ${name}`,
        {
          'tsconfig.json': `{ "extends": "${name}" }`,
          'node_modules/@x/base/tsconfig.json': STRICT,
        },
        true,
      ]),
  ),
  ['of a package that is not there', { 'tsconfig.json': '{ "extends": "@x/base" }' }, undefined],
  ['none that are an object', { 'tsconfig.json': '{ "compilerOptions": 1 }' }, undefined],
  ['not known', {}, undefined],
])('the options are %s', (_, files, strict) => {
  expect(strictIn(/** @type {Record<string, string>} */ (files))).toBe(strict);
});

test('finds the options in a package above the project', () => {
  const files = {
    'node_modules/@x/base/strict.json': STRICT,
    'apps/shop/tsconfig.json': '{ "extends": "@x/base/strict" }',
  };
  expect(strictIn(files, 'apps/shop')).toBe(true);
});
