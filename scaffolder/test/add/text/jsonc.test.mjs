/** Tests additions to JSON with comments: all other text stays, byte for byte. */
import { expect, test } from 'vitest';
import { appendTo, setProperty, shown, valueOf } from '../../../add/text/jsonc.mjs';

const NEW = { name: 'B', class_name: 'Two' };

test.each([
  ['a list on one line', '{ "list": ["a"] }', 'b', '{ "list": ["a", "b"] }'],
  ['with a trailing comma', '{ "list": ["a",] }', 'b', '{ "list": ["a", "b",] }'],
  [
    'a line that would be too long',
    `{\n  "a": 1,\n  "list": [{ "name": "${'A'.repeat(40)}" }, { "name": "C" }]\n}\n`,
    NEW,
    `{\n  "a": 1,\n  "list": [\n    { "name": "${'A'.repeat(40)}" },\n    { "name": "C" },\n    { "name": "B", "class_name": "Two" }\n  ]\n}\n`,
  ],
  [
    'such a line among others with commas at the end, on Windows',
    `{\r\n\t"list": ["${'a'.repeat(90)}"],\r\n}\r\n`,
    'b',
    `{\r\n\t"list": [\r\n\t\t"${'a'.repeat(90)}",\r\n\t\t"b",\r\n\t],\r\n}\r\n`,
  ],
  [
    'such a line with a comma at its end',
    `{\n  "list": ["${'a'.repeat(90)}", ]\n}\n`,
    'b',
    `{\n  "list": [\n    "${'a'.repeat(90)}",\n    "b",\n  ]\n}\n`,
  ],
  [
    'a line that is just short enough',
    `{\n  "list": ["${'a'.repeat(80)}"]\n}`,
    'b',
    `{\n  "list": ["${'a'.repeat(80)}", "b"]\n}`,
  ],
  [
    'a long line with a comment',
    `{\n  "list": ["${'a'.repeat(90)}" /* one */]\n}`,
    'b',
    `{\n  "list": ["${'a'.repeat(90)}", "b" /* one */]\n}`,
  ],
  [
    'a long line that has more than the list',
    `{ "list": ["${'a'.repeat(90)}"] }`,
    'b',
    `{ "list": ["${'a'.repeat(90)}", "b"] }`,
  ],
  [
    'lines with a trailing comma and comments',
    '{\n\t"list": [\n\t\t{ "name": "A" }, // the first\n\t\t// the end\n\t],\n}\n',
    NEW,
    '{\n\t"list": [\n\t\t{ "name": "A" }, // the first\n\t\t{ "name": "B", "class_name": "Two" },\n\t\t// the end\n\t],\n}\n',
  ],
  [
    'lines without one, and a comment behind',
    '{\n  "list": [\n    "a" /* x */ // , ]\n  ]\n}',
    'b',
    '{\n  "list": [\n    "a", /* x */ // , ]\n    "b"\n  ]\n}',
  ],
  [
    'items over several lines',
    '{\n  "name": "what is longer than the first item",\n  "list": [\n    {\n      "name": "A"\n    }\n  ]\n}\n',
    NEW,
    '{\n  "name": "what is longer than the first item",\n  "list": [\n    {\n      "name": "A"\n    },\n    {\n      "name": "B",\n      "class_name": "Two"\n    }\n  ]\n}\n',
  ],
  [
    'commas first',
    '{\n  "list": [\n    "a"\n    ,\n  ]\n}',
    'b',
    '{\n  "list": [\n    "a"\n    ,\n    "b",\n  ]\n}',
  ],
  [
    'commas first, with comments',
    '{\n  "list": [\n    "a" // , one\n    , // two\n    // the end\n  ]\n}',
    'b',
    '{\n  "list": [\n    "a" // , one\n    , // two\n    "b",\n    // the end\n  ]\n}',
  ],
  [
    'a comment over several lines behind the last item',
    '{\n  "list": [\n    "a" /* one,\n    two */ // three\n  ]\n}',
    'b',
    '{\n  "list": [\n    "a", /* one,\n    two */ // three\n    "b"\n  ]\n}',
  ],
  [
    'comments between all',
    '{ /* 1 */ "list" /* 2 */ : /* 3 */ [ /* 4 */ "a" /* 5 */ ] /* 6 */ } // 7',
    'b',
    '{ /* 1 */ "list" /* 2 */ : /* 3 */ [ /* 4 */ "a", "b" /* 5 */ ] /* 6 */ } // 7',
  ],
  [
    'strings that look like comments',
    '{\n  "list": [\n    "// ]",\n    "/* ," // "\n  ]\n}',
    'b',
    '{\n  "list": [\n    "// ]",\n    "/* ,", // "\n    "b"\n  ]\n}',
  ],
  ['no item', '{\n  "list": []\n}', 'b', '{\n  "list": [\n    "b"\n  ]\n}'],
  [
    'no item, and an object to add',
    '{\n  "list": []\n}',
    NEW,
    '{\n  "list": [\n    { "name": "B", "class_name": "Two" }\n  ]\n}',
  ],
  [
    'items on one line and over several',
    '{\n  "list": [\n    { "name": "A" },\n    {\n      "name": "C"\n    }\n  ]\n}',
    NEW,
    '{\n  "list": [\n    { "name": "A" },\n    {\n      "name": "C"\n    },\n    { "name": "B", "class_name": "Two" }\n  ]\n}',
  ],
  [
    'an item with lists over several lines',
    '{\n  "list": [\n    {\n      "name": "A"\n    }\n  ]\n}',
    { tag: 'v1', classes: ['A', 'B'] },
    '{\n  "list": [\n    {\n      "name": "A"\n    },\n    {\n      "tag": "v1",\n      "classes": [\n        "A",\n        "B"\n      ]\n    }\n  ]\n}',
  ],
  [
    'an item on one line with lists',
    '{\n  "list": [\n    { "name": "A" }\n  ]\n}',
    { tag: 'v1', classes: ['A', 'B'] },
    '{\n  "list": [\n    { "name": "A" },\n    { "tag": "v1", "classes": ["A", "B"] }\n  ]\n}',
  ],
  [
    'a comma on the last line, of no item',
    '{\n  "list": ["a"\n  // ,\n  ]\n}',
    'b',
    '{\n  "list": ["a", "b"\n  // ,\n  ]\n}',
  ],
  [
    'no item but a comment',
    '{\n  "list": [\n    // none yet\n  ]\n}',
    'b',
    '{\n  "list": [\n    // none yet\n    "b"\n  ]\n}',
  ],
  [
    'no list',
    '{\n    "a": 1 // one\n}',
    NEW,
    '{\n    "a": 1, // one\n    "list": [\n        { "name": "B", "class_name": "Two" }\n    ]\n}',
  ],
  ['nothing', '{}\n', 'b', '{\n  "list": ["b"]\n}\n'],
  [
    'nothing, and an object to add',
    '{}\n',
    NEW,
    '{\n  "list": [\n    { "name": "B", "class_name": "Two" }\n  ]\n}\n',
  ],
  [
    'nothing on two lines, and an object to add',
    '{\n}\n',
    NEW,
    '{\n  "list": [\n    { "name": "B", "class_name": "Two" }\n  ]\n}\n',
  ],
  [
    'an item that begins on the line of the list',
    '{\n  "list": [{\n    "name": "A"\n  }]\n}',
    NEW,
    '{\n  "list": [{\n    "name": "A"\n  }, { "name": "B", "class_name": "Two" }]\n}',
  ],
  [
    'windows',
    '{\r\n  "list": [\r\n    "a"\r\n  ]\r\n}',
    'b',
    '{\r\n  "list": [\r\n    "a",\r\n    "b"\r\n  ]\r\n}',
  ],
  [
    'windows, with a byte order mark, tabs and comments',
    '\u00EF\u00BB\u00BF{\r\n\t// mine\r\n\t"list": [\r\n\t\t"a", // one\r\n\t],\r\n}\r\n',
    'b',
    '\u00EF\u00BB\u00BF{\r\n\t// mine\r\n\t"list": [\r\n\t\t"a", // one\r\n\t\t"b",\r\n\t],\r\n}\r\n',
  ],
])('appends to a list: %s', (_, before, item, after) => {
  expect(appendTo(before, ['list'], item)).toBe(after);
  expect(valueOf(after).list.at(-1)).toEqual(item);
});

test('creates the objects above the list', () => {
  expect(appendTo('{\n  "a": 1\n}', ['up', 'list'], NEW)).toBe(
    '{\n  "a": 1,\n  "up": {\n    "list": [\n      { "name": "B", "class_name": "Two" }\n    ]\n  }\n}',
  );
});

test.each([
  ['in its place', '{\n  "a": 1,\n  "c": 2\n}', '{\n  "a": 1,\n  "b": true,\n  "c": 2\n}'],
  ['behind the last in the order', '{ "0": 1, "a": 2 }', '{ "0": 1, "a": 2, "b": true }'],
  ['behind all where there is no order', '{ "c": 1, "a": 2 }', '{ "c": 1, "a": 2, "b": true }'],
  ['in order on one line', '{ "a": 1, "c": 2 }', '{ "a": 1, "b": true, "c": 2 }'],
  ['before all, without spaces', '{"c":1,"d":2}', '{"b": true, "c":1,"d":2}'],
  ['behind the only one', '{ "c": 1 }', '{ "c": 1, "b": true }'],
  [
    'before all, with its indentation',
    '{\n\n    "c": 1,\n    "d": 2\n}',
    '{\n\n    "b": true,\n    "c": 1,\n    "d": 2\n}',
  ],
])('sets a property: %s', (_, before, after) => {
  expect(setProperty(before, ['b'], true)).toBe(after);
});

test('sets a property below one that is new, before the one that is named', () => {
  expect(setProperty('{\n  "name": "x",\n  "dev": {}\n}', ['deps', 'b'], '1', 'dev')).toBe(
    '{\n  "name": "x",\n  "deps": {\n    "b": "1"\n  },\n  "dev": {}\n}',
  );
});

test('sets a property below one that is new, on one line', () => {
  expect(setProperty('{ "name": "x" }', ['up', 'list'], [NEW])).toBe(
    '{ "name": "x", "up": { "list": [{ "name": "B", "class_name": "Two" }] } }',
  );
  expect(setProperty('{ "a": 1, "z": 2 }', ['up', 'list'], [NEW])).toBe(
    '{ "a": 1, "up": { "list": [{ "name": "B", "class_name": "Two" }] }, "z": 2 }',
  );
});

test.each([
  '',
  '[]',
  '{',
  '{ "list": 1 } x',
  'null',
  '{ "list" [] }',
  '{ "list": [,] }',
  '{ /* }',
  "{ 'list': [] }",
])('is not sure of %j', (text) => {
  expect(valueOf(text)).toBeUndefined();
  expect(appendTo(text, ['list'], 'b')).toBeUndefined();
});

test('does not replace a value that is not a list', () => {
  expect(appendTo('{ "list": 1 }', ['list'], 'b')).toBeUndefined();
  expect(setProperty('{ "a": 1 }', ['a', 'b'], 'c')).toBeUndefined();
});

test('a pair is shown on one line', () => {
  expect(shown(['env', 'a', 'b'], { name: 'A' })).toBe('env.a.b: {"name":"A"}');
});
