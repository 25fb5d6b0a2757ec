/** Tests reading and extending a project's wrangler configuration. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extended, mainOf, readConfiguration } from '../../add/configuration.mjs';
import { temporaryFolder } from '../support/folders.mjs';

const BINDING = { name: 'B', class_name: 'Two' };
const CLASS = { type: 'durable-object', storage: 'sqlite' };
/** @type {Parameters<typeof extended>[2]} */
const ADDITIONS = [
  { list: ['durable_objects', 'bindings'], item: BINDING },
  { list: ['compatibility_flags'], item: 'rpc' },
  { property: ['exports', 'Two'], value: CLASS },
];

test('reads the first configuration that exists', () => {
  const files = { 'wrangler.json': '{ "a": 1 }', 'wrangler.jsonc': '{ "a": 2, }' };
  expect(readConfiguration(temporaryFolder(files))).toEqual({
    file: 'wrangler.json',
    text: '{ "a": 1 }',
    value: { a: 1 },
  });
  const { 'wrangler.jsonc': second } = files;
  const others = temporaryFolder({ 'wrangler.jsonc': second, 'wrangler.toml': 'a = 3' });
  expect(readConfiguration(others)?.value).toEqual({ a: 2 });
  expect(readConfiguration(temporaryFolder())).toBeUndefined();
});

test.each([
  ['wrangler.jsonc', 'JSON'],
  ['wrangler.toml', 'TOML'],
])('%s that is not valid is refused', (file, language) => {
  const project = temporaryFolder({ [file]: '{' });
  expect(() => readConfiguration(project)).toThrow(
    `${join(project, file)} is not valid ${language}.\nNothing was changed. Correct it and try again.`,
  );
});

test.each([
  ['src/index.ts', 'src/index.ts'],
  ['././src/index.ts', 'src/index.ts'],
  [String.raw`.\src\index.ts`, 'src/index.ts'],
  ['src/gr\u00C3\u00B6\u00C3\u009Fe.ts', 'src/größe.ts'],
  [1, ''],
  [undefined, ''],
])('the main file %j is %j', (main, path) => {
  expect(mainOf({ main })).toBe(path);
});

test.each([
  ['wrangler.jsonc', '{}\n'],
  ['wrangler.jsonc', '{ "durable_objects": { "bindings": [] }, "compatibility_flags": ["a"] }'],
  ['wrangler.toml', ''],
  ['wrangler.toml', 'name = "x"\ncompatibility_flags = []\n[durable_objects]\nbindings = []\n'],
])('%s is extended: %j', (file, text) => {
  const result = extended(file, text, ADDITIONS);
  const { value } = readConfiguration(temporaryFolder({ [file]: result })) ?? {};
  expect(value.durable_objects.bindings).toEqual([BINDING]);
  expect(value.compatibility_flags.at(-1)).toBe('rpc');
  expect(value.exports.Two).toEqual(CLASS);
});

test.each([
  [
    'wrangler.jsonc',
    '{ "exports": [] }',
    'exports.Two: {"type":"durable-object","storage":"sqlite"}',
  ],
  ['wrangler.jsonc', '{ "exports": { "Two": {} } }', 'exports.Two: '],
  [
    'wrangler.toml',
    'exports = 1\n',
    '[exports.Two]\n  type = "durable-object"\n  storage = "sqlite"',
  ],
  ['wrangler.toml', '[[exports]]\na = 1\n', '[exports.Two]'],
  ['wrangler.toml', '[exports.Two]\na = 1\n', '[exports.Two]'],
])('%s is not extended if a class cannot be added: %j', (file, text, addition) => {
  expect(() => extended(file, text, ADDITIONS)).toThrow(`Add this yourself:\n  ${addition}`);
});

test.each([
  ['wrangler.jsonc', '{ "durable_objects": 1 }'],
  ['wrangler.jsonc', '{ "durable_objects": null }'],
  ['wrangler.jsonc', '{ "durable_objects": "x" }'],
  ['wrangler.jsonc', '{ "durable_objects": { "bindings": {} } }'],
  ['wrangler.jsonc', '{ "durable_objects": {}, "durable_objects": { "bindings": [] } }'],
  ['wrangler.toml', 'durable_objects = 1\n'],
  ['wrangler.toml', 'durable_objects = {}\n'],
  ['wrangler.toml', '[durable_objects.bindings]\na = 1\n'],
])('%s is not extended, and the message says how to add the class: %j', (file, text) => {
  expect(() => extended(file, text, ADDITIONS)).toThrow(
    `${file} cannot be extended.\nNothing was changed. Add this yourself:\n` +
      (file.endsWith('toml')
        ? '  [[durable_objects.bindings]]\n  name = "B"\n  class_name = "Two"'
        : '  durable_objects.bindings: {"name":"B","class_name":"Two"}'),
  );
});
