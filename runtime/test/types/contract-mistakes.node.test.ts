/**
 * Tests the compiler's error for each likely mistake in a contract: one error, at the wrong entry
 * or the wrong part of it, which names what is expected there.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../../..');

const EXPECTED =
  'write [Type.Integer()], a schema for each parameter, or a helper such as read([…]) or live([…])';

const HELPER = 'call the helper: write live(), with parentheses';

const ONE_SIGNATURE =
  'the method is generic or overloaded: write one signature without type parameters';

const FEED = 'the method returns a feed: write events([…])';

const STREAM = 'the method returns a stream: write stream([…])';

const BARE = 'a function is a callback: write callback([…], result)';

const SCHEMA = 'a schema, such as Type.String()';

const OBJECT = 'an object of schemas: write z.object({ … }), or the function of your library';

const NO_SCHEMA = 'not a schema: call the function that makes a schema, such as z.string()';

const KEYS =
  'the keys are input, readonly, volatile, returns, plain, output, title and description';

/**
 * Each row has an entry, the part of it at which the error is, and the expected type of that part.
 */
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
  ['peek: { input: [], cache: 60 }', 'cache', `Mismatch<"unknown key: ${KEYS}">`],
  ['peek: { input: [], readonly: true, live: true }', 'live', `Mismatch<"unknown key: ${KEYS}">`],
  ['peek: { input: [], output: 5 }', 'output', `Mismatch<"${SCHEMA}">`],
  [
    'peek: { input: [], output: Type.Object({ missing: Type.String() }) }',
    'output',
    'Mismatch<{ outputAllows: { missing: string; }; methodReturns: void; }>',
  ],
  ['peek: { input: [], title: 5 }', 'title', 'Mismatch<"text">'],
  [
    'peek: read([], { output: Type.String() })',
    'peek',
    'Mismatch<{ outputAllows: string; methodReturns: void; }>',
  ],
  [
    'tree: live([], { output: Type.String() })',
    'tree',
    'Mismatch<{ outputAllows: string; methodReturns: Tree; }>',
  ],
  [
    'news: events([], { output: Type.Number() })',
    'news',
    'Mismatch<{ outputAllows: number; eventsAre: string; }>',
  ],
  [
    'streamLater: stream([], { output: Type.Number() })',
    'streamLater',
    'Mismatch<{ outputAllows: number; itemsAre: string; }>',
  ],
  [
    "rows: rows('place', [Type.Optional(Type.String())], { output: Type.Object({ place: Type.Number() }) })",
    'rows',
    'Mismatch<{ outputAllows: { place: number; }; rowsAre: { place: string; id: number; }; }>',
  ],
  ['news: events([], { output: 5 })', 'news', `Mismatch<"${SCHEMA}">`],
  [
    'later: live()',
    'later',
    'Mismatch<"live is for methods that return the value, not a promise">',
  ],
  [
    'cached: live()',
    'cached',
    'Mismatch<"live is for methods that return the value, not a promise">',
  ],
  ['peek: live', 'peek', `Mismatch<"${HELPER}">`],
  ['news: events', 'news', `Mismatch<"${HELPER}">`],
  ['page: read', 'page', `Mismatch<"${HELPER}">`],
  ['generic: [Type.String(), Type.Any()]', 'generic', `Mismatch<"${ONE_SIGNATURE}">`],
  ['generic: read([Type.String(), Type.Any()])', 'generic', `Mismatch<"${ONE_SIGNATURE}">`],
  ['peek: { input: [], volatile: 1 }', 'volatile', 'Mismatch<"true or false">'],
  [
    'peek: { input: [], Volatile: true }',
    'Volatile',
    'Mismatch<"unknown key: did you mean volatile?">',
  ],
  ['news: volatile()', 'news', `Mismatch<"${FEED}">`],
  [
    'page: internal([Type.String()])',
    'page',
    'Mismatch<{ schemaAllows: string; methodTakes: number; }>',
  ],
  [
    'peek: internal([Type.String()])',
    'peek',
    'Mismatch<{ schemas: 1; parametersOfTheMethod: 0; }>',
  ],
  [
    'peek: { input: [], internal: true, readonly: true }',
    'readonly',
    'Mismatch<"the keys of an internal entry are input and internal">',
  ],
  ['echo: [Type.String()]', 'echo', `Mismatch<"${ONE_SIGNATURE}">`],
  ['made: live()', 'made', `Mismatch<"${ONE_SIGNATURE}">`],
  ['overloaded: [Type.String()]', 'overloaded', `Mismatch<"${ONE_SIGNATURE}">`],
  ['news: []', 'news', `Mismatch<"${FEED}">`],
  [
    'peek: { input: [], returns: Date }',
    'returns',
    'Mismatch<"a class made by capability(), or a list of them">',
  ],
  [
    'peek: { input: [], returns: 5 }',
    'returns',
    'Mismatch<"a class made by capability(), or a list of them">',
  ],
  ['peek: { input: [], return: Date }', 'return', 'Mismatch<"unknown key: did you mean returns?">'],
  ['news: { input: [], readonly: true }', 'news', `Mismatch<"${FEED}">`],
  ['news: read()', 'news', `Mismatch<"${FEED}">`],
  ['news: live()', 'news', `Mismatch<"${FEED}">`],
  ['news: stream()', 'news', `Mismatch<"${FEED}">`],
  ["news: rows('place', [])", 'news', `Mismatch<"${FEED}">`],
  ['newsLater: []', 'newsLater', `Mismatch<"${FEED}">`],
  [
    'newsLater: events()',
    'newsLater',
    'Mismatch<"events is for methods that return the feed, not a promise">',
  ],
  ['must: [Type.String()]', 'must', `Mismatch<"${STREAM}">`],
  ['must: read([Type.String()])', 'must', `Mismatch<"${STREAM}">`],
  ['must: live([Type.String()])', 'must', `Mismatch<"${STREAM}">`],
  ['must: events([Type.String()])', 'must', `Mismatch<"${STREAM}">`],
  ['streamLater: []', 'streamLater', `Mismatch<"${STREAM}">`],
  [
    'peek: events()',
    'peek',
    'Mismatch<"events is for methods that return a feed: feed(this, name)">',
  ],
  [
    'whole: stream()',
    'whole',
    'Mismatch<"stream is for methods that return a generator, an iterator or a ReadableStream">',
  ],
  [
    'inbox: events([Type.Number()])',
    'inbox',
    'Mismatch<{ schemaAllows: number; methodTakes: string; }>',
  ],
  ['inbox: events()', 'inbox', 'Mismatch<{ schemas: 0; parametersOfTheMethod: 1; }>'],
  [
    'wait: { input: [Type.Number()], readonly: true }',
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
    "rows: { input: [Type.Optional(Type.String())], readonly: true, cursor: 'place' }",
    'rows',
    `Mismatch<"${STREAM}">`,
  ],
  [
    "rows: rows('plaice', [Type.Optional(Type.String())])",
    'rows',
    'Mismatch<{ key: "a property of the rows"; rowsHave: "id" | "place"; }>',
  ],
  [
    "rows: rows('id', [Type.Optional(Type.String())])",
    'rows',
    'Mismatch<{ keyIs: number; lastParameterTakes: string; }>',
  ],
  [
    "must: rows('place', [Type.String()])",
    'must',
    'Mismatch<"the last parameter is the place of a row: make it optional">',
  ],
  [
    "whole: rows('place', [])",
    'whole',
    'Mismatch<"rows is for methods that return rows: Iterable<Row> or AsyncIterable<Row>, not an array">',
  ],
  [
    "whole: live([], { key: 'plaice' })",
    'whole',
    'Mismatch<{ key: "a property of the rows"; rowsHave: "place"; }>',
  ],
  [
    "columns: live([], { key: 'name' })",
    'columns',
    'Mismatch<{ key: "a property of the rows"; rowsHave: "id"; }>',
  ],
  ...["table: live([], { key: 'at' })", "dates: live([], { key: 'id' })"].map(
    (entry): [string, string, string] => [
      entry,
      entry.slice(0, 5),
      'Mismatch<"the key of a row must be a string, a number or a bigint">',
    ],
  ),
  ...['tree', 'peek', 'counted'].map((method): [string, string, string] => [
    `${method}: live([], { key: 'name' })`,
    method,
    'Mismatch<"key is for methods that return a list of rows, or lists of rows by name">',
  ]),
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
    'now: [callback([Type.String()], Type.Boolean())]',
    'callback',
    'Mismatch<"a callback returns a promise: write (…) => Promise<…>, or (…) => void">',
  ],
  [
    'ask: [callback([], Type.String())]',
    'callback',
    'Mismatch<{ schemaAllows: () => Promise<string>; methodTakes: (text: string) => Promise<boolean>; }>',
  ],
  ['ask: [Type.Function([Type.String()], Type.Boolean())]', 'Type', `Mismatch<"${BARE}">`],
  [
    'tell: [Type.Object({ on: Type.Array(Type.Function([], Type.Boolean())) })]',
    'Type',
    `Mismatch<"${BARE}">`,
  ],
  [
    'save: [Type.String()]',
    'Type',
    'Mismatch<"the parameter is a stream: write streamOf(schema)">',
  ],
  [
    'save: [streamOf(Type.Number())]',
    'streamOf',
    'Mismatch<{ itemsAre: number; methodTakes: AsyncIterable<string>; }>',
  ],
  [
    'page: [streamOf(Type.Number())]',
    'streamOf',
    'Mismatch<"streamOf() is for a parameter that is an AsyncIterable">',
  ],
  [
    'copy: [streamOf(Type.String())]',
    'streamOf',
    'Mismatch<"the parameter must be an AsyncIterable, not a ReadableStream">',
  ],
  [
    'maybe: [streamOf(Type.String())]',
    'streamOf',
    'Mismatch<"a stream cannot be optional: callers can pass an empty array">',
  ],
  ['page: [z.string()]', 'z', 'Mismatch<{ schemaReturns: string; methodTakes: number; }>'],
  ['page: [v.string()]', 'v', 'Mismatch<{ schemaReturns: string; methodTakes: number; }>'],
  [
    "page: [type({ size: 'number' })]",
    'type',
    'Mismatch<{ schemaReturns: { size: number; }; methodTakes: number; }>',
  ],
  [
    'page: [z.number().transform(String)]',
    'z',
    'Mismatch<{ schemaReturns: string; methodTakes: number; }>',
  ],
  [
    'page: { input: [v.optional(v.number())] }',
    'v',
    'Mismatch<{ schemaReturns: number | undefined; methodTakes: number; }>',
  ],
  ...['z', 'v'].map((name): [string, string, string] => [
    `find: [Type.Optional(${name}.string())]`,
    'Type',
    'Mismatch<"Type.Optional is for schemas of TypeBox: use the optional() of your library">',
  ]),
  ['page: [{ size: z.number() }]', '{ size', `Mismatch<"${OBJECT}">`],
  ['page: [z]', 'z]', `Mismatch<"${NO_SCHEMA}">`],
  ['page: [z.number]', 'z', `Mismatch<"${NO_SCHEMA}">`],
  [
    'find: [z.string()]',
    'z',
    'Mismatch<"the parameter is optional: make its schema optional, too">',
  ],
  [
    'save: [z.array(z.string())]',
    'z',
    'Mismatch<"the parameter is a stream: write streamOf(schema)">',
  ],
  [
    'save: [streamOf(v.number())]',
    'streamOf',
    'Mismatch<{ itemsAre: number; methodTakes: AsyncIterable<string>; }>',
  ],
  [
    'ask: [callback([z.number()], z.boolean())]',
    'callback',
    'Mismatch<{ schemaAllows: (args_0: number) => Promise<boolean>; methodTakes: (text: string) => Promise<boolean>; }>',
  ],
  [
    'peek: { input: [], output: z.string() }',
    'output',
    'Mismatch<{ outputAllows: string; methodReturns: void; }>',
  ],
  [
    'news: events([], { output: z.number() })',
    'news',
    'Mismatch<{ outputAllows: number; eventsAre: string; }>',
  ],
  [
    "rows: rows('id', [z.string().optional()])",
    'rows',
    'Mismatch<{ keyIs: number; lastParameterTakes: string | undefined; }>',
  ],
];

const HEAD = `import { DurableObject } from 'cloudflare:workers';
import * as Type from '${REPOSITORY}/runtime/src/typebox.ts';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import { type Feed, callback, events, feed, internal, live, lumenizeRpcDO, read, rows, stream, streamOf, volatile } from '${REPOSITORY}/runtime/src/server.ts';

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
  async newsLater(): Promise<Feed<string>> { return this.news(); }
  async streamLater(): Promise<AsyncIterable<string>> { return new ReadableStream<string>(); }
  wait(_for: string): void {}
  tell(_all: { on: (() => Promise<boolean>)[] }): void {}
  news(): Feed<string> { return feed(this, 'news'); }
  inbox(user: string): Feed<string> { return feed(this, user); }
  *rows(_after = ''): Iterable<{ place: string; id: number }> {}
  *must(_after: string): Iterable<{ place: string }> {}
  whole(): { place: string }[] { return []; }
  table(): { id: number; at: Date }[] { return []; }
  columns(): Map<string, { id: bigint }[]> | null { return null; }
  dates(): { id?: string }[] { return []; }
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
  generic<Key extends keyof Tree>(_key: Key, _value: Tree[Key]): void {}
  echo<Value extends string>(value: Value): Value { return value; }
  made<Value>(): Value { return {} as Value; }
  overloaded(id: number): string;
  overloaded(name: string): number;
  overloaded(of: number | string): number | string { return of; }
  all(_one: unknown, _two: any, _three?: void): any {}
}
`;

const lineOf = (entry: string): string => `lumenizeRpcDO(Shop, { reset: [], ${entry} });`;

/** The errors of each line after the head: the column, and the whole text. */
const errors = new Map<number, { column: number; text: string }[]>();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-mistakes-'));
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  const right = [
    'page: [Type.Integer()], find: [Type.Optional(Type.String())]',
    'peek: live(), news: events(), streamLater: stream()',
    'inbox: events([Type.String()]), later: read(), any: live(), unknown: stream()',
    'ask: [callback([Type.String()], Type.Boolean())]',
    "rows: rows('place', [Type.Optional(Type.String())]), must: stream([Type.String()], { readonly: true })",
    'save: [streamOf(Type.String())]',
    'tree: { input: [], plain: true }, branded: { input: [], plain: true }',
    'dated: { input: [], plain: false }',
    'whole: { input: [], readonly: true, plain: true }',
    'all: [Type.Unknown(), Type.Any(), Type.Optional(Type.Void())]',
    "columns: live([], { key: 'id' }), table: live([], { key: 'id' })",
    'acting: internal(), counted: { input: [], internal: true }, paged: volatile()',
  ].join();
  const described = [
    "cached: read([], { output: Type.Number(), title: 'Cached', description: 'Reads a number.' })",
    'peek: read([], { output: Type.Void() }), counted: live([], { output: Type.Unknown() })',
    "news: events([], { output: Type.String(), title: 'News' }), any: live([], { output: Type.Null() })",
    'unknown: events([], { output: Type.String() })',
    "table: live([], { key: 'id', output: Type.Array(Type.Object({ id: Type.Number(), at: Type.Unknown() })) })",
    'streamLater: stream([], { output: Type.String(), readonly: true })',
    "rows: rows('place', [Type.Optional(Type.String())], { output: Type.Object({ place: Type.String() }) })",
  ].join();
  const ofOthers = [
    'page: [type("number")], find: [v.optional(v.string())], inbox: events([z.string()])',
    'save: [streamOf(type("string"))], ask: [callback([z.string()], Type.Boolean())]',
    "rows: rows('place', [z.string().optional()]), must: stream([v.string()])",
    'peek: read([], { output: z.void() }), tree: { input: [], output: z.unknown() }',
    "any: live([], { key: 'id' }), unknown: live([], { key: 'id' })",
  ].join();
  const lines = [...MISTAKES.map(([entry]) => entry), right, described, ofOthers].map(lineOf);
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

describe('the compiler reports one error that names what is expected', () => {
  test.each(MISTAKES.map((mistake, index) => [...mistake, index] as const))(
    '%s',
    (entry, at, expected, index) => {
      const found = errors.get(index) ?? [];
      expect(found.map(({ text }) => text)).toEqual([expect.stringContaining(`${expected}'`)]);
      expect(found[0]?.column).toBe(lineOf(entry).lastIndexOf(entry) + entry.indexOf(at) + 1);
    },
  );
});

test('the compiler reports no error for a correct entry', () => {
  expect(errors.get(MISTAKES.length)).toBeUndefined();
  expect(errors.get(MISTAKES.length + 1)).toBeUndefined();
  expect(errors.get(MISTAKES.length + 2)).toBeUndefined();
});
