/** Which `tsconfig.json` gets the options that the runtime needs. */
import { expect, test } from 'vitest';
import { withCompilerOptions } from '../../add/compiler-options.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const NO_EMIT = '{ "compilerOptions": { "noEmit": true } }';
const ALLOWED = '{ "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": true } }';

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

test.each([
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
    'one that has it from a package',
    {
      'tsconfig.json': '{ "extends": "@x/base/strict.json" }',
      'node_modules/@x/base/strict.json': ALLOWED,
    },
    {},
  ],
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
  ['a new library', { 'tsconfig.json': options('"lib": ["es2023", "es2020"]') }, {}],
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
  [
    'an old library, from one that is changed',
    {
      'tsconfig.json': options('"lib": ["es2021"]'),
      'tsconfig.build.json': '{ "extends": "./tsconfig.json" }',
    },
    { 'tsconfig.json': options('"lib": ["es2023"]') },
  ],
])('%s', (_, files, expected, main = 'src/index.ts') => {
  expect(changesOf(/** @type {Record<string, string>} */ (files), main)).toEqual({
    ...expected,
    isFound: true,
  });
});

test.each([
  ['none', {}],
  ['one for other files', { 'tsconfig.json': '{ "include": ["app/**/*", "src/*.d.ts"] }' }],
  ['one that leaves it out', { 'tsconfig.json': '{ "exclude": ["src"] }' }],
  ['one whose options are no object', { 'tsconfig.json': '{ "compilerOptions": 1 }' }],
])('%s: nothing is found, and nothing changed', (_, files) => {
  expect(changesOf(/** @type {Record<string, string>} */ (files))).toEqual({ isFound: false });
});

/** @param {string} own */
const allowed = (own) =>
  `{ "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": true }, ${own} }`;

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
    options('"types": ["./env.d.ts"]').replace(/ \}$/, ', "include": ["src"] }'),
    undefined,
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
