/**
 * The most likely mistakes in a contract, and what the compiler says of each: one error, at the
 * entry or the part of it that is wrong, with what is expected there.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');

const EXPECTED =
  'write [Type.Integer()], a schema for each parameter, or { input: [], readonly: true }';

const FEED = 'a method that returns a feed is readonly: write { input: [], readonly: true }';

/** An entry, the part of it at which the error is, and the type that this part should have. */
const MISTAKES: [entry: string, at: string, expected: string][] = [
  ['page: Type.Integer()', 'page', `Mismatch<"${EXPECTED}">`],
  ['page: { readonly: true }', 'page', `Mismatch<"${EXPECTED}">`],
  ['page: { input: Type.Integer() }', 'page', `Mismatch<"${EXPECTED}">`],
  [
    'peek: { input: [], readOnly: true }',
    'readOnly',
    'Mismatch<"unknown key: did you mean readonly?">',
  ],
  [
    'peek: { inputs: [], readonly: true }',
    'inputs',
    'Mismatch<"unknown key: did you mean input?">',
  ],
  [
    'peek: { input: [], cache: 60 }',
    'cache',
    'Mismatch<"unknown key: the keys are input, readonly, live, cursor, returns and plain">',
  ],
  ['peek: { input: [], live: true }', 'live', 'Mismatch<"live needs readonly: true beside it">'],
  [
    'peek: { input: [], readonly: false, live: true }',
    'live',
    'Mismatch<"live needs readonly: true beside it">',
  ],
  ["peek: { input: [], readonly: true, live: 'yes' }", 'live', 'Mismatch<"true or false">'],
  [
    'peek: { input: [], readonly: true, Live: true }',
    'Live',
    'Mismatch<"unknown key: did you mean live?">',
  ],
  [
    'peek: { input: [], readonly: true, lvie: true }',
    'lvie',
    'Mismatch<"unknown key: the keys are input, readonly, live, cursor, returns and plain">',
  ],
  [
    'later: { input: [], readonly: true, live: true }',
    'later',
    'Mismatch<"live is for methods that return the value, not a promise">',
  ],
  [
    'cached: { input: [], readonly: true, live: true }',
    'cached',
    'Mismatch<"live is for methods that return the value, not a promise">',
  ],
  ['news: []', 'news', `Mismatch<"${FEED}">`],
  [
    'peek: { input: [], returns: Date }',
    'returns',
    'Mismatch<"a class made by capability(), or a list of them">',
  ],
  ['peek: { input: [], return: Date }', 'return', 'Mismatch<"unknown key: did you mean returns?">'],
  ['news: { input: [] }', 'news', `Mismatch<"${FEED}">`],
  ['news: { input: [], readonly: false }', 'news', `Mismatch<"${FEED}">`],
  [
    'news: { input: [], readonly: true, live: true }',
    'news',
    'Mismatch<"a feed sends its events without live: remove live">',
  ],
  [
    'inbox: { input: [Type.Number()], readonly: true }',
    'Type',
    'Mismatch<{ schemaAllows: number; methodTakes: string; }>',
  ],
  ["peek: { input: [], readonly: 'yes' }", 'readonly', 'Mismatch<"true or false">'],
  ["peek: { input: [], plain: 'yes' }", 'plain', 'Mismatch<"true or false">'],
  ['peek: { input: [], Plain: true }', 'Plain', 'Mismatch<"unknown key: did you mean plain?">'],
  ...['dated', 'paged', 'acting', 'counted'].map((method): [string, string, string] => [
    `${method}: { input: [], plain: true }`,
    'plain',
    'Mismatch<"plain is for results that JSON represents: no Date, Map, Set, bigint, bytes or method">',
  ]),
  [
    "rows: { input: [Type.Optional(Type.String())], cursor: 'place' }",
    'cursor',
    'Mismatch<"cursor needs readonly: true beside it">',
  ],
  [
    "rows: { input: [Type.Optional(Type.String())], readonly: true, cursor: 'plaice' }",
    'cursor',
    'Mismatch<{ cursor: "a property of the rows"; rowsHave: "id" | "place"; }>',
  ],
  [
    "rows: { input: [Type.Optional(Type.String())], readonly: true, cursor: 'id' }",
    'cursor',
    'Mismatch<{ cursorIs: number; lastParameterTakes: string; }>',
  ],
  [
    "must: { input: [Type.String()], readonly: true, cursor: 'place' }",
    'cursor',
    'Mismatch<"the last parameter is the cursor: make it optional">',
  ],
  [
    "whole: { input: [], readonly: true, cursor: 'place' }",
    'cursor',
    'Mismatch<"cursor is for methods that return rows: Iterable<Row> or AsyncIterable<Row>, not an array">',
  ],
  [
    "rows: { input: [Type.Optional(Type.String())], readonly: true, curser: 'place' }",
    'curser',
    'Mismatch<"unknown key: the keys are input, readonly, live, cursor, returns and plain">',
  ],
  [
    'rows: { input: [Type.Optional(Type.String())], readonly: true, live: true }',
    'rows',
    'Mismatch<"a stream sends its items without live: remove live">',
  ],
  ['page: [Type.String()]', 'Type', 'Mismatch<{ schemaAllows: string; methodTakes: number; }>'],
  ['page: []', 'page', 'Mismatch<{ schemas: 0; parametersOfTheMethod: 1; }>'],
  [
    'find: [Type.String()]',
    'Type',
    'Mismatch<"the parameter is optional: wrap its schema in Type.Optional">',
  ],
  [
    'page: [Type.Optional(Type.Integer())]',
    'Type',
    'Mismatch<"Type.Optional on a parameter that is required">',
  ],
  ['pages: [Type.Integer()]', 'pages', 'Mismatch<"not a method of the class">'],
  [
    'page: { input: [Type.String()] }',
    'Type',
    'Mismatch<{ schemaAllows: string; methodTakes: number; }>',
  ],
  [
    'now: [Type.Function([Type.String()], Type.Boolean())]',
    'Type',
    'Mismatch<"a callback returns a promise: write (…) => Promise<…>, or (…) => void">',
  ],
  [
    'ask: [Type.Function([], Type.String())]',
    'Type',
    'Mismatch<{ schemaAllows: () => Promise<string>; methodTakes: (text: string) => Promise<boolean>; }>',
  ],
  ['save: [Type.String()]', 'Type', 'Mismatch<"the parameter is a stream: write items(schema)">'],
  [
    'save: [items(Type.Number())]',
    'items',
    'Mismatch<{ itemsAre: number; methodTakes: AsyncIterable<string>; }>',
  ],
  [
    'page: [items(Type.Number())]',
    'items',
    'Mismatch<"items() is for a parameter that is an AsyncIterable">',
  ],
  [
    'copy: [items(Type.String())]',
    'items',
    'Mismatch<"the parameter must be an AsyncIterable, not a ReadableStream">',
  ],
  [
    'maybe: [items(Type.String())]',
    'items',
    'Mismatch<"a stream cannot be optional: callers can pass an empty array">',
  ],
];

const HEAD = `import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { type Feed, feed, items, lumenizeRpcDO } from '${REPOSITORY}/runtime/src/server.ts';

interface Tree { name?: string; parts: Tree[]; by?: Record<string, Tree> }
type Id = string & { readonly brand: 'Id' };

class Shop extends DurableObject {
  page(_number: number): void {}
  find(_sku = ''): void {}
  peek(): void {}
  reset(): void {}
  async later(): Promise<number> { return 1; }
  cached(): number | Promise<number> { return 1; }
  any(): any { return 1; }
  news(): Feed<string> { return feed(this, 'news'); }
  inbox(user: string): Feed<string> { return feed(this, user); }
  *rows(_after = ''): Iterable<{ place: string; id: number }> {}
  *must(_after: string): Iterable<{ place: string }> {}
  whole(): { place: string }[] { return []; }
  now(_on: (text: string) => boolean): void {}
  ask(_on: (text: string) => Promise<boolean>): void {}
  save(_lines: AsyncIterable<string>): void {}
  maybe(_lines?: AsyncIterable<string>): void {}
  copy(_lines: ReadableStream<string>): void {}
  async dated(): Promise<{ rows: { at?: Date }[] } | string> { return ''; }
  paged(): readonly [number, Map<string, number>] { return [1, new Map()]; }
  acting(): { run(): void } { return { run() {} }; }
  counted(): { count: bigint | number } { return { count: 1 }; }
  tree(): Tree { return { parts: [] }; }
  async branded(): Promise<readonly (Id | null)[] | undefined> { return []; }
  unknown(): unknown { return 1; }
}
`;

const lineOf = (entry: string): string => `lumenizeRpcDO(Shop, { reset: [], ${entry} });`;

/** The errors of each line after the head: the column, and all that is said. */
const errors = new Map<number, { column: number; text: string }[]>();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-mistakes-'));
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  const right = [
    'page: [Type.Integer()], find: [Type.Optional(Type.String())]',
    'peek: { input: [], readonly: true, live: true }, news: { input: [], readonly: true }',
    'inbox: { input: [Type.String()], readonly: true }, later: { input: [], readonly: true, live: false }, any: { input: [], readonly: true, live: true }',
    'ask: [Type.Function([Type.String()], Type.Boolean())]',
    "rows: { input: [Type.Optional(Type.String())], readonly: true, cursor: 'place' }",
    'save: [items(Type.String())]',
    'tree: { input: [], plain: true }, branded: { input: [], plain: true }',
    'unknown: { input: [], plain: true }, dated: { input: [], plain: false }',
    'whole: { input: [], readonly: true, live: false, plain: true }',
  ].join();
  const lines = [...MISTAKES.map(([entry]) => entry), right].map(lineOf);
  writeFileSync(join(folder, 'contracts.ts'), HEAD + lines.join('\n'));
  const types = ['@cloudflare/workers-types'];
  const configuration = {
    extends: `${REPOSITORY}/template/tsconfig.json`,
    compilerOptions: { types },
    include: ['contracts.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '--singleThreaded', '--pretty', 'false', '-p', '.'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const first = HEAD.split('\n').length;
  for (const text of stdout.split(/\n(?=\S)/)) {
    const [, line, column] = /^contracts\.ts\((\d+),(\d+)\)/.exec(text) ?? [];
    if (!line) expect(text.trim()).toBe('');
    const index = Number(line) - first;
    errors.set(index, [...(errors.get(index) ?? []), { column: Number(column), text }]);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('one error that says what is expected', () => {
  test.each(MISTAKES.map((mistake, index) => [...mistake, index] as const))(
    '%s',
    (entry, at, expected, index) => {
      const found = errors.get(index) ?? [];
      expect(found.map(({ text }) => text)).toEqual([expect.stringContaining(`${expected}'`)]);
      expect(found[0]?.column).toBe(lineOf(entry).lastIndexOf(entry) + entry.indexOf(at) + 1);
    },
  );
});

test('and none for what is right', () => {
  expect(errors.get(MISTAKES.length)).toBeUndefined();
});
