/** Tests of the extension in added imports of the project's own files. */
import { expect, test } from 'vitest';
import { importExtension } from '../../../add/entry/import-extension.mjs';
import { temporaryFolder } from '../../support/folders.mjs';

/**
 * @param {string} entry
 * @param {object} [compilerOptions]
 */
function extensionIn(entry, compilerOptions) {
  const files = compilerOptions && { 'tsconfig.json': JSON.stringify({ compilerOptions }) };
  const project = temporaryFolder({ 'src/index.ts': entry, ...files });
  return importExtension(project, 'src/index.ts', entry);
}

test.each([
  ["import { a } from './a.ts';", '.ts'],
  ["import type { A } from '../types/a.mts';", '.ts'],
  ['export * from "./a.js"', '.js'],
  ["import './side-effect.mjs';", '.js'],
  ["import { a } from './a';", ''],
  ["import { a } from './a.b/c';", ''],
  // Imports of other kinds of files and of packages have no influence.
  ["import page from './page.html';\nimport { a } from './a.ts';", '.ts'],
  ["import a from 'a/b.js';\nimport { b } from './b.ts';", '.ts'],
  ["import a from 'a/b.js';", ''],
])('in %j it is %j', (entry, extension) => {
  expect(extensionIn(entry)).toBe(extension);
});

test.each([
  [undefined, ''],
  [{ module: 'es2022', moduleResolution: 'bundler' }, ''],
  [{ allowImportingTsExtensions: true }, '.ts'],
  [{ rewriteRelativeImportExtensions: true, module: 'nodenext' }, '.ts'],
  [{ module: 'NodeNext' }, '.js'],
  [{ module: 'node16', moduleResolution: 'bundler' }, ''],
  [{ moduleResolution: 'node' }, ''],
])('without such an import, the compiler options %j make it %j', (options, extension) => {
  expect(extensionIn("import { Hono } from 'hono';", options)).toBe(extension);
  expect(extensionIn("import { a } from './a.js';", options)).toBe('.js');
});
