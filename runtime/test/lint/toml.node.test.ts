/** Compares the package's reader of TOML with a parser of TOML. */
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { expect, test } from 'vitest';
import { valueOfToml } from '../../src/lint/classes/toml.js';

test.each([
  '',
  '# nothing\n',
  'name = "shop" # "its" name\nmain = \'src/index.ts\'\n',
  '"quoted key" = "a"\n\'other\'.b = "c"\na.b.c = "#"\na.d = "="\n',
  '[vars]\nA = "1"\n\n[[list]]\na = "1"\n[[list]]\na = "2"\n[list.below]\nb = "3"\n[[list.lists]]\nc = "4"\n',
  'list = [\n  "a", # first\n\n  "b",\n]\nnested = [["a"], []]\n',
  'inline = { a = "b", c.d = "e", f = [{ g = "h" }] }\nempty = {}\n',
  'text = """\n[no.table]\nkey = "value" """\nraw = \'\'\'\nit\'s\'\'\'\n',
  '[exports]\r\nA.type = "durable-object"\r\nA.storage = "sqlite"\r\n',
  '[env.staging]\n[[env.staging.durable_objects.bindings]]\nname = "A"\n[env."pro duction".exports.A]\ntype = "worker"\n',
])('%j', (text) => {
  const expected = getStaticTOMLValue(parseTOML(text));
  // The parser removes the first line break of a multi-line string. The reader keeps it, because
  // names of classes have no line breaks.
  const lines = JSON.stringify(valueOfToml(text)).replaceAll(':"\\n', ':"');
  expect(JSON.parse(lines)).toEqual(expected);
});

test('numbers and dates stay as they are written', () => {
  expect(valueOfToml('a = 1.5\nb = [-1, 1_000]\nc = 2026-11-01T10:00:00.5Z\nd = true')).toEqual({
    a: '1.5',
    b: ['-1', '1_000'],
    c: '2026-11-01T10:00:00.5Z',
    d: 'true',
  });
});

test.each(['name', 'name =\nb', 'a = [', '[a\nb = 1', 'a = { b = "c" ', '= 1', 'a = "b" c = "d"'])(
  'text that cannot be read is an error: %j',
  (text) => {
    expect(() => valueOfToml(text)).toThrow();
  },
);
