/** Tests additions to TOML: all other text stays, byte for byte. */
import { expect, test } from 'vitest';
import { appendTo, setProperty, shown, valueOf } from '../../../add/text/toml.mjs';

const PATH = ['durable_objects', 'bindings'];
const NEW = { name: 'B', class_name: 'Two' };
const TABLE = '[[durable_objects.bindings]]\nname = "B"\nclass_name = "Two"';

test.each([
  ['nothing of the kind', 'name = "x" # mine\n', `name = "x" # mine\n\n${TABLE}\n`],
  ['no line end at the end', 'name = "x"', `name = "x"\n\n${TABLE}`],
  [
    'tables of the kind',
    '[[durable_objects.bindings]]\nname = "A" # first\n\n[vars]\nA = 1\n',
    `[[durable_objects.bindings]]\nname = "A" # first\n\n${TABLE}\n\n[vars]\nA = 1\n`,
  ],
  [
    'a table with a list on one line',
    '[durable_objects]\nbindings = [{ name = "A" }]\n',
    '[durable_objects]\nbindings = [{ name = "A" }, { name = "B", class_name = "Two" }]\n',
  ],
  [
    'a list on a line that would be too long',
    `[durable_objects]\nbindings = [{ name = "${'A'.repeat(60)}" }]\n`,
    `[durable_objects]\nbindings = [\n  { name = "${'A'.repeat(60)}" },\n  { name = "B", class_name = "Two" }\n]\n`,
  ],
  [
    'a list over several lines, with comments',
    '[durable_objects]\nbindings = [\n\t{ name = "A" }, # ] , first\n\t# the end\n]\n',
    '[durable_objects]\nbindings = [\n\t{ name = "A" }, # ] , first\n\t{ name = "B", class_name = "Two" },\n\t# the end\n]\n',
  ],
  [
    'a list with commas first, and comments',
    '[durable_objects]\nbindings = [\n\t{ name = "A" } # one\n\t, # , two\n]\n',
    '[durable_objects]\nbindings = [\n\t{ name = "A" } # one\n\t, # , two\n\t{ name = "B", class_name = "Two" },\n]\n',
  ],
  [
    'a dotted key in quotes',
    `'durable_objects' . "bindings" = [\n  { name = "#" }\n]\n`,
    `'durable_objects' . "bindings" = [\n  { name = "#" },\n  { name = "B", class_name = "Two" }\n]\n`,
  ],
  [
    'a list of an environment',
    '[env.production]\ndurable_objects.bindings = []\n',
    `[env.production]\ndurable_objects.bindings = []\n\n${TABLE}\n`,
  ],
  [
    'tables of an environment',
    '[[env.production.durable_objects.bindings]]\nname = "A"\n',
    `[[env.production.durable_objects.bindings]]\nname = "A"\n\n${TABLE}\n`,
  ],
  [
    'a string that looks like a table',
    'a = """\n[durable_objects]\nbindings = []\n"""\n',
    `a = """\n[durable_objects]\nbindings = []\n"""\n\n${TABLE}\n`,
  ],
  [
    'a dotted key',
    'durable_objects.bindings = [\n  { name = "A" }\n]\n',
    'durable_objects.bindings = [\n  { name = "A" },\n  { name = "B", class_name = "Two" }\n]\n',
  ],
  [
    'an inline table',
    'durable_objects = { bindings = [{ name = "A" }] }\n',
    'durable_objects = { bindings = [{ name = "A" }, { name = "B", class_name = "Two" }] }\n',
  ],
  [
    'an empty list',
    'durable_objects.bindings = []\n',
    'durable_objects.bindings = [\n  { name = "B", class_name = "Two" }\n]\n',
  ],
  [
    'a list that has only a comment',
    '[durable_objects]\nbindings = [\n  # none yet\n]\n',
    '[durable_objects]\nbindings = [\n  # none yet\n  { name = "B", class_name = "Two" }\n]\n',
  ],
  [
    'a list that is not the first key, in quotes',
    'vars.bindings = [1]\n[durable_objects]\nothers = []\n"bindings" = [{ name = "A" }]\n',
    'vars.bindings = [1]\n[durable_objects]\nothers = []\n"bindings" = [{ name = "A" }, { name = "B", class_name = "Two" }]\n',
  ],
  [
    'tables of the kind at the end, with spaces behind',
    '[vars]\nA = 1\n[[durable_objects.bindings]]\nname = "A"  \n',
    `[vars]\nA = 1\n[[durable_objects.bindings]]\nname = "A"  \n\n${TABLE}\n`,
  ],
  [
    'a table without a list',
    '[durable_objects]\n\n[vars]\nA = 1\n',
    `[durable_objects]\n\n[vars]\nA = 1\n\n${TABLE}\n`,
  ],
  ['windows', 'name = "x"\r\n', `name = "x"\r\n\r\n${TABLE.replaceAll('\n', '\r\n')}\r\n`],
  [
    'windows, with a byte order mark, tabs and comments',
    '\u00EF\u00BB\u00BF[durable_objects] # mine\r\nbindings = [\r\n\t{ name = "A" }, # one\r\n]\r\n',
    '\u00EF\u00BB\u00BF[durable_objects] # mine\r\nbindings = [\r\n\t{ name = "A" }, # one\r\n\t{ name = "B", class_name = "Two" },\r\n]\r\n',
  ],
])('appends to a list: %s', (_, before, after) => {
  expect(appendTo(before, PATH, NEW)).toBe(after);
  expect(valueOf(after).durable_objects.bindings.at(-1)).toEqual(NEW);
});

test('inserts a table after the subtables of the last table with its name', () => {
  const before =
    '[[migrations]]\ntag = "v1"\n[[migrations.renamed_classes]]\nfrom = "A"\nto = "B"\n\n[vars]\n';
  const after = appendTo(before, ['migrations'], { tag: 'v2', new_sqlite_classes: ['C'] });
  expect(after).toBe(
    before.replace(
      '\n\n[vars]',
      '\n\n[[migrations]]\ntag = "v2"\nnew_sqlite_classes = ["C"]\n\n[vars]',
    ),
  );
});

test.each([
  ['', 'list = ["a"]\n'],
  ['name = "x" # mine\n\n[vars]\n', 'name = "x" # mine\nlist = ["a"]\n\n[vars]\n'],
  ['[vars]\n', 'list = ["a"]\n[vars]\n'],
  ['list = ["b"]\n', 'list = ["b", "a"]\n'],
  ['\u00EF\u00BB\u00BF[vars]\r\n', '\u00EF\u00BB\u00BFlist = ["a"]\r\n[vars]\r\n'],
])('puts a plain value before the first table: %j', (before, after) => {
  expect(appendTo(before, ['list'], 'a')).toBe(after);
  expect(valueOf(after).list).toContain('a');
});

test.each([
  'name = ',
  'name = "x"\nname = "y"\n',
  '[vars]\n[vars]\n',
  'vars = { A = 1 }\n[vars]\n',
  'list = ["a"\n',
  'name = "x\n"',
])('is not sure of text that is not TOML: %j', (text) => {
  expect(valueOf(text)).toBeUndefined();
  expect(appendTo(text, PATH, NEW)).toBeUndefined();
});

const LIVE = { type: 'durable-object', storage: 'sqlite' };
const INLINE = '{ type = "durable-object", storage = "sqlite" }';
const LINES = 'type = "durable-object"\nstorage = "sqlite"';

test.each([
  ['nothing of the kind', '# mine\nname = "x"\n', `# mine\nname = "x"\n\n[exports.B]\n${LINES}\n`],
  ['an empty file', '', `\n\n[exports.B]\n${LINES}`],
  [
    'tables of the kind',
    `[exports.A] # first\n${LINES} # its storage\n\n[vars]\nA = 1\n`,
    `[exports.A] # first\n${LINES} # its storage\n\n[exports.B]\n${LINES}\n\n[vars]\nA = 1\n`,
  ],
  [
    'a table of another kind, with a table in it',
    `[exports.default]\ntype = "worker"\n[exports.default.cache]\nenabled = true\n[vars]\n`,
    `[exports.default]\ntype = "worker"\n[exports.default.cache]\nenabled = true\n\n[exports.B]\n${LINES}\n[vars]\n`,
  ],
  [
    'lines of one table',
    `[exports]\nA = ${INLINE} # first\n\n[vars]\nA = 1\n`,
    `[exports]\nA = ${INLINE} # first\nB = ${INLINE}\n\n[vars]\nA = 1\n`,
  ],
  [
    'lines with dotted keys, in one table',
    '[exports]\nA.type = "durable-object"\nA.storage = "sqlite"\n',
    `[exports]\nA.type = "durable-object"\nA.storage = "sqlite"\nB = ${INLINE}\n`,
  ],
  ['an empty table', '[exports] # none\n', `[exports] # none\nB = ${INLINE}\n`],
  [
    'a table, and tables below it',
    `[exports]\n[exports.A]\n${LINES}\n`,
    `[exports]\nB = ${INLINE}\n[exports.A]\n${LINES}\n`,
  ],
  [
    'dotted keys before the tables',
    `exports.A.type = "durable-object"\nexports.A.storage = "sqlite" # mine\nname = "x"\n[vars]\n`,
    `exports.A.type = "durable-object"\nexports.A.storage = "sqlite" # mine\nexports.B = ${INLINE}\nname = "x"\n[vars]\n`,
  ],
  [
    'an inline table',
    `exports = { A = ${INLINE} }\n`,
    `exports = { A = ${INLINE}, B = ${INLINE} }\n`,
  ],
  ['an empty inline table', 'exports = {}\n', `exports = { B = ${INLINE} }\n`],
  [
    'tables of an environment',
    `[env.a.exports.A]\n${LINES}\n`,
    `[env.a.exports.A]\n${LINES}\n\n[exports.B]\n${LINES}\n`,
  ],
  [
    'windows, with a byte order mark',
    '\u00EF\u00BB\u00BF[exports]\r\nA.type = "worker"\r\n',
    `\u00EF\u00BB\u00BF[exports]\r\nA.type = "worker"\r\nB = ${INLINE}\r\n`,
  ],
])('sets a property: %s', (_, before, after) => {
  expect(setProperty(before, ['exports', 'B'], LIVE)).toBe(after);
  expect(valueOf(after).exports.B).toEqual(LIVE);
});

test('sets no property in a text that is not TOML', () => {
  expect(setProperty('name = ', ['exports', 'B'], LIVE)).toBeUndefined();
});

test.each([
  [true, '[[env."my production".a-b]]\nname = "A"\nlist = ["a", 1, true]'],
  [false, '[env."my production".a-b]\nname = "A"\nlist = ["a", 1, true]'],
])('a table is shown as TOML can read it (item: %s)', (isItem, text) => {
  const value = { name: 'A', list: ['a', 1, true] };
  expect(shown(['env', 'my production', 'a-b'], value, isItem)).toBe(text);
  expect(valueOf(text)).toEqual({ env: { 'my production': { 'a-b': isItem ? [value] : value } } });
});

test('shows another value in the syntax of TOML', () => {
  expect(shown(['flags'], 'rpc', true)).toBe('flags = ["rpc"]');
});
