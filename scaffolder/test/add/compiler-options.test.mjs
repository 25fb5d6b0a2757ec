/** Which `tsconfig.json` gets the option that allows imports with the extension `.ts`. */
import { expect, test } from 'vitest';
import { withCompilerOptions } from '../../add/compiler-options.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const NO_EMIT = '{ "compilerOptions": { "noEmit": true } }';
const ALLOWED = '{ "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": true } }';

/**
 * @param {Record<string, string>} files
 * @param {string} [main]
 */
function changesOf(files, main = 'src/index.ts') {
  const { changes, isFound } = withCompilerOptions(temporaryFolder({ ...files, [main]: '' }), main);
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
