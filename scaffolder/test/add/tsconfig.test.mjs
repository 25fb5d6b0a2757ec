/** Which `tsconfig.json` gets the options that the runtime needs. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withCompilerOptions } from '../../add/compiler-options.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const NO_EMIT = '{ "compilerOptions": { "noEmit": true } }';
const ALLOWED = '{ "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": true } }';

/** @typedef {[name: string, files: Record<string, string>, expected: Record<string, string>, main?: string]} Row */

/** @param {string} own */
const allowed = (own) =>
  `{ "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": true }, ${own} }`;

/** @param {string} own */
const options = (own) => `{ "compilerOptions": { "allowImportingTsExtensions": true, ${own} } }`;

/**
 * @param {Record<string, string>} files
 * @param {string} [main]
 * @param {string} [types]
 */
function changesOf(files, main = 'src/index.ts', types) {
  const project = temporaryFolder({ ...files, [main]: '' });
  const { changes, isFound } = withCompilerOptions(project, main, types);
  return { ...Object.fromEntries(changes), isFound };
}

/** @type {Row[]} */
const CHANGED = [
  ['one for all', { 'tsconfig.json': NO_EMIT }, { 'tsconfig.json': ALLOWED }],
  ['one that allows it', { 'tsconfig.json': ALLOWED }, {}],
  [
    'one that emits',
    { 'tsconfig.json': '{\n  "include": ["src/**/*.ts"] // mine\n}' },
    {
      'tsconfig.json':
        '{\n  "include": ["src/**/*.ts"], // mine\n  "compilerOptions": {\n    "rewriteRelativeImportExtensions": true\n  }\n}',
    },
  ],
  [
    'one that has what it needs from another',
    { 'tsconfig.json': '{ "extends": "./base", "include": ["src"] }', 'base.json': ALLOWED },
    {},
  ],
  [
    'one that emits declarations alone',
    { 'tsconfig.json': '{ "compilerOptions": { "emitDeclarationOnly": true } }' },
    {
      'tsconfig.json':
        '{ "compilerOptions": { "emitDeclarationOnly": true, "allowImportingTsExtensions": true } }',
    },
  ],
  [
    'one that forbids what another allows',
    {
      'tsconfig.json':
        '{ "extends": "./base", "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": false }, "include": ["src"] }',
      'base.json': ALLOWED,
    },
    {
      'tsconfig.json':
        '{ "extends": "./base", "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": true }, "include": ["src"] }',
    },
  ],
  [
    'one that extends several, of which the last counts',
    {
      'tsconfig.json': '{ "extends": ["./one", "./two"], "include": ["src"] }',
      'one.json': options('"noEmit": true').replace('true', 'false'),
      'two.json': ALLOWED,
    },
    {},
  ],
  [
    'one that extends several, of which the last extends another',
    {
      'tsconfig.json': '{ "extends": ["./one", "./two"], "include": ["src"] }',
      'one.json': options('"noEmit": true').replace('true', 'false'),
      'two.json': '{ "extends": "./three" }',
      'three.json': ALLOWED,
    },
    {},
  ],
  ...['@x/base', '@x/base/tsconfig', '@x/base/tsconfig.json'].map(
    (name) =>
      /** @type {Row} */ ([
        `one that has it from a package, by the name ${name}`,
        {
          'tsconfig.json': `{ "extends": "${name}" }`,
          'node_modules/@x/base/tsconfig.json': ALLOWED,
        },
        {},
      ]),
  ),
  [
    'a reference to one elsewhere, and to some that are not there',
    {
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./config/worker.json" }, { "path": "./gone" }, { "path": "./tsconfig.gone.json" }] }',
      'config/worker.json': '{ "extends": "../base", "include": ["../src"] }',
      'base.json': '{ "compilerOptions": { "noEmit": true } }',
    },
    {
      'config/worker.json':
        '{ "compilerOptions": { "allowImportingTsExtensions": true }, "extends": "../base", "include": ["../src"] }',
    },
  ],
  ...[
    ['src/'],
    ['.'],
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
        { 'tsconfig.json': `{ "compilerOptions": { "noEmit": true }, "include": ["${pattern}"] }` },
        { 'tsconfig.json': allowed(`"include": ["${pattern}"]`) },
        main,
      ]),
  ),
  [
    'references, of which one has the Worker',
    {
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./worker" }] }',
      'tsconfig.app.json': '{ "include": ["src"] }',
      'worker/tsconfig.json': NO_EMIT,
    },
    { 'worker/tsconfig.json': ALLOWED },
    'worker/index.ts',
  ],
  [
    'one in the folder of the Worker',
    { 'tsconfig.json': '{ "files": [] }', 'src/server/tsconfig.json': NO_EMIT },
    { 'src/server/tsconfig.json': ALLOWED },
    'src/server/index.ts',
  ],
  [
    'one that extends one that is changed',
    { 'tsconfig.json': NO_EMIT, 'tsconfig.build.json': '{ "extends": "./tsconfig.json" }' },
    { 'tsconfig.json': ALLOWED },
  ],
  [
    'an old library, with a comment',
    {
      'tsconfig.json': options('"lib": [\n    "DOM", // mine\n    "ES2021"\n  ]'),
    },
    { 'tsconfig.json': options('"lib": [\n    "DOM", // mine\n    "ES2023"\n  ]') },
  ],
  ['a new library', { 'tsconfig.json': options('"lib": ["es2025", "es2020"]') }, {}],
  ['the newest library', { 'tsconfig.json': options('"lib": ["ESNext"]') }, {}],
  ['no version in the library', { 'tsconfig.json': options('"lib": ["dom", "es2022.error"]') }, {}],
  [
    'an old library, from a file that is not changed',
    {
      'tsconfig.json': '{ "extends": "./base", "include": ["src"] }',
      'base.json': options('"lib": ["es2022", "dom"]'),
    },
    {
      'tsconfig.json':
        '{ "compilerOptions": { "lib": ["es2023", "dom"] }, "extends": "./base", "include": ["src"] }',
    },
  ],
  ...['"es2023"', '"esnext"', '"dom"'].map(
    (lib) =>
      /** @type {Row} */ ([
        `nothing old in a library from a file that is not changed: ${lib}`,
        {
          'tsconfig.json': '{ "extends": "./base", "include": ["src"] }',
          'base.json': options(`"lib": [${lib}]`),
        },
        {},
      ]),
  ),
  [
    'an old library, from one that is changed',
    {
      'tsconfig.json': options('"lib": ["es2021"]'),
      'tsconfig.build.json': '{ "extends": "./tsconfig.json" }',
    },
    { 'tsconfig.json': options('"lib": ["es2023"]') },
  ],
];

test.each(CHANGED)('%s', (_, files, expected, main = 'src/index.ts') => {
  expect(changesOf(files, main)).toEqual({ ...expected, isFound: true });
});

test('one that has it from a package above the project', () => {
  const folder = temporaryFolder({
    'node_modules/@x/base/strict.json': ALLOWED,
    'apps/shop/tsconfig.json': '{ "extends": "@x/base/strict" }',
    'apps/shop/src/index.ts': '',
  });
  const { changes, isFound } = withCompilerOptions(join(folder, 'apps/shop'), 'src/index.ts');
  expect({ changes: [...changes], isFound }).toEqual({ changes: [], isFound: true });
});

test.each([
  ['none', {}],
  ['one for other files', { 'tsconfig.json': '{ "include": ["app/**/*", "src/*.d.ts"] }' }],
  ['one that leaves it out', { 'tsconfig.json': '{ "exclude": ["dist", "src"] }' }],
  ['one with a pattern for shorter names', { 'tsconfig.json': '{ "include": ["src/?.ts"] }' }],
  ['one for a folder further down', { 'tsconfig.json': '{ "include": ["src/*/index.ts"] }' }],
  ['one whose name is almost the same', { 'tsconfig.json': '{ "include": ["sr.", "src/index"] }' }],
  ['one that is not JSON', { 'tsconfig.json': '{' }],
  [
    'one that extends a package that is not there',
    { 'tsconfig.json': '{ "extends": "@x/base", "files": [] }' },
  ],
  ['one whose options are no object', { 'tsconfig.json': '{ "compilerOptions": 1 }' }],
])('%s: nothing is found, and nothing changed', (_, files) => {
  expect(changesOf(/** @type {Record<string, string>} */ (files))).toEqual({ isFound: false });
});

test.each([
  ['a list of folders', allowed('"include": ["src"]'), allowed('"include": ["src", "env.d.ts"]')],
  [
    'a list of files',
    allowed('"files": ["src/index.ts"]'),
    allowed('"files": ["src/index.ts", "env.d.ts"]'),
  ],
  ['a list that has it', allowed('"include": ["src", "*.d.ts"]'), undefined],
  ['no list', ALLOWED, undefined],
  [
    'types that have it',
    options('"types": ["node", "./env.d.ts"]').replace(/ \}$/, ', "include": ["src"] }'),
    undefined,
  ],
  [
    'types of others',
    options('"types": ["node"]').replace(/ \}$/, ', "include": ["src"] }'),
    options('"types": ["node"]').replace(/ \}$/, ', "include": ["src", "env.d.ts"] }'),
  ],
])('the types of the bindings, with %s', (_, before, after) => {
  expect(changesOf({ 'tsconfig.json': before }, 'src/index.ts', 'env.d.ts')).toEqual({
    ...(after && { 'tsconfig.json': after }),
    isFound: true,
  });
});

test('the types of the bindings are above the folder of the configuration', () => {
  expect(changesOf({ 'worker/tsconfig.json': ALLOWED }, 'worker/index.ts', 'env.d.ts')).toEqual({
    'worker/tsconfig.json': ALLOWED.replace(/ \}$/, ', "include": ["**/*", "../env.d.ts"] }'),
    isFound: true,
  });
});

test('a list of files from one that is not changed stays', () => {
  const files = {
    'tsconfig.json': '{ "extends": "./base" }',
    'base.json': allowed('"files": ["src/index.ts"]'),
  };
  expect(changesOf(files, 'src/index.ts', 'env.d.ts')).toEqual({ isFound: true });
});

test('a list that another configuration has is changed there, once', () => {
  const files = {
    'tsconfig.json': allowed('"include": ["src"]'),
    'tsconfig.build.json': '{ "extends": "./tsconfig.json" }',
  };
  expect(changesOf(files, 'src/index.ts', 'env.d.ts')).toEqual({
    'tsconfig.json': allowed('"include": ["src", "env.d.ts"]'),
    isFound: true,
  });
});
