/** Tests how arguments are checked, and how a rejection names the wrong part. */
import { type TSchema, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import {
  callback,
  capability,
  compileContract,
  type Contract,
  events,
  internal,
  live,
  lumenizeRpcDO,
  read,
  rows,
  stream,
  streamOf,
} from '../../../src/server.ts';
import { DEFAULT_LIMITS } from '../../../src/server/base/limits.ts';
import { openPort } from '../../support/open-port.ts';

const { methods } = compileContract({
  none: [],
  optional: [Type.String(), Type.Optional(Type.Number())],
  order: read([
    Type.Object({
      items: Type.Array(Type.Object({ sku: Type.String(), 'in stock': Type.Boolean() })),
      note: Type.Optional(Type.String({ maxLength: 3 })),
    }),
  ]),
  titled: [
    Type.Integer({ title: 'quantity', minimum: 1 }),
    Type.Array(Type.String({ title: 'label', maxLength: 2 }), { title: 'labels', minItems: 1 }),
  ],
  odd: [Type.Object({ 'a/b~c': Type.Integer() }, { additionalProperties: false })],
  named: [
    Type.Object(
      { propertyNames: Type.Optional(Type.String({ maxLength: 2 })) },
      { propertyNames: { maxLength: 13, pattern: '^[a-z]' } },
    ),
  ],
});

const item = { sku: 'a', 'in stock': true };

describe('accepts', () => {
  test.each([
    ['none', []],
    ['optional', ['a']],
    ['optional', ['a', 1]],
    ['optional', ['a', undefined]],
    ['order', [{ items: [item], note: 'abc' }]],
  ])('%s %j', (method, args) => {
    expect(() => methods.get(method)?.validate(args)).not.toThrow();
  });
});

describe('refuses', () => {
  test.each([
    ['none', [1], '[0]', 'takes 0 arguments, got 1'],
    ['optional', [], '[0]', 'argument [0] must be string, got undefined'],
    ['optional', ['a', null], '[1]', 'argument [1] must be number, got null'],
    ['optional', ['a', 1, 2], '[2]', 'takes 2 arguments, got 3'],
    ['order', [[]], '[0]', 'argument [0] must be object, got an array of 0 items'],
    ['order', [{}], '[0].items', 'argument [0].items is required'],
    [
      'order',
      [{ items: [item, { sku: 1, 'in stock': true }] }],
      '[0].items[1].sku',
      'must be string',
    ],
    ['order', [{ items: [{ 'in stock': true }] }], '[0].items[0].sku', 'is required'],
    ['order', [{ items: [{ sku: 'a' }] }], '[0].items[0]["in stock"]', 'is required'],
    ['order', [{ items: [], note: 'long' }], '[0].note', 'must have at most 3 characters, got 4'],
    ['titled', [0, ['ab']], '[0]', 'titled: argument quantity [0] must be >= 1, got 0'],
    ['titled', [1, []], '[1]', 'argument labels [1] must have at least 1 item, got 0'],
    ['titled', [1, ['abc']], '[1][0]', 'argument labels [1][0] must have at most 2 characters'],
    ['titled', [1], '[1]', 'argument labels [1] must be array, got undefined'],
    ['odd', [{ 'a/b~c': 'x' }], '[0]["a/b~c"]', 'must be integer, got a string of 1 character'],
    ['odd', [{ 'a/b~c': 1, more: 1 }], '[0].more', 'odd: argument [0].more is not allowed'],
    [
      'named',
      [{ fourteenletter: 1 }],
      '[0].fourteenletter',
      'named: argument [0].fourteenletter has a name that must have at most 13 characters, got 14',
    ],
    [
      'named',
      [{ '1st': 1 }],
      '[0]["1st"]',
      'has a name that must match pattern "^[a-z]", got a string of 3 characters',
    ],
    [
      'named',
      [{ propertyNames: 'long' }],
      '[0].propertyNames',
      'argument [0].propertyNames must have at most 2 characters, got 4',
    ],
  ])('%s %j', (method, args, path, problem) => {
    expect(() => methods.get(method)?.validate(args)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENTS',
        path,
        message: expect.stringContaining(problem),
      }),
    );
  });
});

const circle = Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() });
const line = Type.Object({ kind: Type.Literal('line'), to: Type.String() });
const shape = Type.Union([circle, line]);
const unions = compileContract({
  shape: [shape],
  inList: [Type.Array(shape)],
  inObject: [Type.Object({ shape: Type.Union([Type.Null(), shape]) })],
  orNull: [Type.Union([circle, line, Type.Null()])],
  literal: [Type.Union([Type.Literal('big'), Type.Literal('small'), Type.Literal(0)])],
  types: [Type.Union([Type.String(), Type.Null()])],
  bounded: [Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])],
  either: [
    Type.Union([Type.Object({ name: Type.String() }), Type.Object({ number: Type.Integer() })]),
  ],
  tree: [
    Type.Cyclic(
      { Tree: Type.Object({ next: Type.Union([Type.Null(), Type.Ref('Tree')]) }) },
      'Tree',
    ),
  ],
  many: [
    Type.Union(
      Array.from('abcdefghijkl', (kind) =>
        Type.Object({ kind: Type.Literal(kind), size: Type.Integer() }),
      ),
    ),
  ],
  one: [Type.Literal('yes')],
  enumerated: [Type.Enum(['red', 'green'])],
  refined: [Type.Refine(Type.String(), () => false)],
  explained: [
    Type.Refine(
      Type.String(),
      () => false,
      () => 'must be a word',
    ),
  ],
}).methods;

describe('of a union, the error names what the caller most likely meant', () => {
  test.each<[string, unknown, string, string]>([
    ['shape', { kind: 'line', to: 5 }, '[0].to', 'argument [0].to must be string, got 5'],
    ['shape', { kind: 'line' }, '[0].to', 'argument [0].to is required'],
    ['shape', { kind: 'circle', radius: '' }, '[0].radius', '[0].radius must be number'],
    ['shape', { kind: 'dot' }, '[0].kind', '[0].kind must be "circle" or "line", got a string of'],
    ['shape', {}, '[0].kind', '[0].kind is required'],
    ['shape', 'dot', '[0]', 'argument [0] must be object, got a string of 3 characters'],
    ['inList', [{ kind: 'line', to: '' }, { kind: 'line' }], '[0][1].to', 'is required'],
    ['inList', [{ kind: 'line' }, { kind: 'dot' }], '[0][0].to', 'is required'],
    ['inObject', { shape: { kind: 'line', to: 5 } }, '[0].shape.to', 'must be string, got 5'],
    ['inObject', { shape: { kind: 'dot' } }, '[0].shape.kind', 'must be "circle" or "line", got'],
    ['orNull', { kind: 'dot' }, '[0].kind', 'must be "circle" or "line", got a string of'],
    ['orNull', 5, '[0]', 'argument [0] must be object or null, got 5'],
    ['literal', 'medium', '[0]', 'argument [0] must be "big", "small" or 0, got a string of'],
    ['types', 5, '[0]', 'argument [0] must be string or null, got 5'],
    ['bounded', 0, '[0]', 'argument [0] must be >= 1, got 0'],
    ['either', { number: 'x' }, '[0].number', 'argument [0].number must be integer, got a string'],
    ['tree', { next: { next: 5 } }, '[0].next.next', 'must be null or object, got 5'],
    [
      'many',
      { kind: 'l', size: '' },
      '[0].size',
      'argument [0].size must be integer, got a string',
    ],
    ['many', { kind: 'z', size: 1 }, '[0].kind', '"i", "j" or 2 other values, got a string of 1'],
    ['one', 'no', '[0]', 'argument [0] must be "yes", got a string of 2 characters'],
    ['enumerated', 'blue', '[0]', 'argument [0] must be "red" or "green", got a string of 4'],
    ['refined', 'x', '[0]', 'argument [0] must pass the check of its Type.Refine, got a string of'],
    ['explained', 'x', '[0]', 'argument [0] must be a word, got a string of 1 character'],
  ])('%s %j', (method, value, path, problem) => {
    expect(() => unions.get(method)?.validate([value])).toThrow(
      expect.objectContaining({ path, message: expect.stringContaining(problem) }),
    );
  });
});

const bounds = compileContract({
  text: [Type.String({ minLength: 2 })],
  short: [Type.String({ maxLength: 1 })],
  count: [Type.Integer({ minimum: 1 })],
  big: [Type.BigInt({ minimum: 1n })],
  list: [Type.Array(Type.Null(), { minItems: 3 })],
  map: [Type.Record(Type.String(), Type.Null(), { minProperties: 2 })],
}).methods;

describe('the error tells what arrived, and hides what may be secret', () => {
  test.each<[string, unknown, string]>([
    ['text', '', 'must have at least 2 characters, got 0'],
    // One character has two code units.
    ['text', '\u{1f44d}', 'must have at least 2 characters, got 1'],
    ['short', 'secret', 'must have at most 1 character, got 6'],
    ['text', undefined, 'got undefined'],
    ['text', true, 'got a boolean'],
    ['count', 0, 'must be >= 1, got 0'],
    ['count', Number.NaN, 'must be integer, got NaN'],
    ['count', 'secret', 'got a string of 6 characters'],
    // The code units of a long text are counted.
    ['count', '\u{1f44d}'.repeat(500), 'got a string of 500 characters'],
    ['count', '\u{1f44d}'.repeat(501), 'got a string of 1002 characters'],
    ['count', null, 'got null'],
    ['count', [1], 'got an array of 1 item'],
    ['count', { secret: 1 }, 'got an object of 1 property'],
    ['count', new Date(0), 'got a Date'],
    ['count', new Error('secret'), 'got an Error'],
    ['big', 0n, 'must be >= 1, got 0n'],
    ['big', -(2n ** 63n), 'got -9223372036854775808n'],
    ['big', -(2n ** 63n) - 1n, 'got a bigint'],
    ['list', [null, null], 'must have at least 3 items, got 2'],
    ['map', {}, 'must have at least 2 properties, got 0'],
  ])('%s of %o', (method, value, problem) => {
    expect(() => bounds.get(method)?.validate([value])).toThrow(
      expect.objectContaining({ message: expect.stringMatching(new RegExp(`${problem}$`)) }),
    );
  });
});

test('a value is checked once', () => {
  let looks = 0;
  const { methods: fickle } = compileContract({
    save: [Type.Refine(Type.Integer(), () => looks++ > 0)],
  });
  expect(() => fickle.get('save')?.validate([1])).toThrow(
    expect.objectContaining({
      code: 'INVALID_ARGUMENTS',
      path: '[0]',
      message: 'save: argument [0] must pass the check of its Type.Refine, got 1',
    }),
  );
  expect(looks).toBe(1);
});

function deskClass(): ReturnType<typeof capability> {
  return capability(
    class Desk {
      owner(): void {}
    },
    [],
    { owner: [] },
  );
}

/** Imitates the result of `capability` of another copy of the package. */
function foreignCapability(): ReturnType<typeof capability> {
  return Object.assign(function Foreign() {}, {
    [Symbol.for('lumenize-rpc.capability')]: true,
  }) as never;
}

const unsafe = (schema: object): [TSchema] => [Type.Unsafe<never>(schema)];
const nested = Type.String({ minLenght: 1 });

describe('a contract that would leave a value unchecked is refused', () => {
  test.each<[string, unknown, string]>([
    [
      'a keyword',
      [Type.Integer({ min: 1 })],
      '[0] has an unknown keyword min: did you mean minimum?',
    ],
    [
      'in the second argument',
      [Type.Null(), Type.String({ max: 1 })],
      '[1] has an unknown keyword max: did you mean maxLength?',
    ],
    [
      'a keyword in lower case',
      [Type.Array(Type.Null(), { maxitems: 1 })],
      'did you mean maxItems?',
    ],
    ['a keyword with swapped letters', [Type.String({ patren: '^a$' })], 'did you mean pattern?'],
    [
      'a keyword of another type',
      [Type.Integer({ minLength: 1 })],
      '[0] has the keyword minLength, which does not apply to the type integer: there are minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf',
    ],
    [
      'a keyword for a type without keywords',
      [Type.Boolean({ minimum: 1 })],
      'has the keyword minimum, which does not apply to the type boolean',
    ],
    [
      'an unknown word',
      [Type.Integer({ gte: 1 })],
      'has an unknown keyword gte: there are minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf (begin the name of an annotation with x-)',
    ],
    ['without a type', [Type.Any({ min: 1 })], 'has an unknown keyword min: did you mean minimum?'],
    ['in an optional argument', [Type.Optional(Type.Integer({ min: 1 }))], '[0] has'],
    ['in a property', [Type.Object({ note: nested })], '[0].properties.note has'],
    ['in an array', [Type.Array(nested)], '[0].items has'],
    ['in a tuple', [Type.Tuple([Type.Null(), nested])], '[0].items[1] has'],
    ['in a record', [Type.Record(Type.String(), nested)], '[0].patternProperties["^.*$"] has'],
    ['in a union', [Type.Union([Type.Null(), nested])], '[0].anyOf[1] has'],
    [
      'in an intersection',
      [Type.Intersect([Type.Object({ a: nested }), Type.Object({})])],
      '[0].allOf[0].properties.a has',
    ],
    [
      'in a recursive type',
      [Type.Cyclic({ A: Type.Object({ b: nested, a: Type.Optional(Type.Ref('A')) }) }, 'A')],
      '[0].$defs.A.properties.b has',
    ],
    [
      'in further properties',
      [Type.Object({}, { additionalProperties: nested })],
      '[0].additionalProperties has',
    ],
    [
      'under a condition',
      [Type.Object({}, { if: Type.Object({ a: nested }) })],
      '[0].if.properties.a has',
    ],
    ...[
      'not',
      'if',
      'then',
      'else',
      'contains',
      'propertyNames',
      'unevaluatedItems',
      'unevaluatedProperties',
      'additionalItems',
      'contentSchema',
      'instanceType',
    ].map((keyword): [string, unknown, string] => [
      `in ${keyword}`,
      unsafe({ [keyword]: nested }),
      `[0].${keyword} has`,
    ]),
    ...['oneOf', 'prefixItems'].map((keyword): [string, unknown, string] => [
      `in ${keyword}`,
      unsafe({ [keyword]: [true, nested] }),
      `[0].${keyword}[1] has`,
    ]),
    ...['$defs', 'definitions', 'dependentSchemas', 'dependencies'].map(
      (keyword): [string, unknown, string] => [
        `in ${keyword}`,
        unsafe({ [keyword]: { a: nested } }),
        `[0].${keyword}.a has`,
      ],
    ),
    ['in an argument of a function', [callback([nested], Type.Void())], '[0].parameters[0] has'],
    ['in the result of a function', [callback([], nested)], '[0].returnType has'],
    [
      'in plain JSON Schema',
      unsafe({ type: ['string', 'null'], minLenght: 1 }),
      'did you mean minLength?',
    ],
    [
      'a keyword of none of several types',
      unsafe({ type: ['string', 'null'], minimum: 1 }),
      'the type string or null: there are minLength, maxLength, pattern, format',
    ],
    [
      'a bound of an older JSON Schema',
      unsafe({ type: 'number', minimum: 0, exclusiveMinimum: true }),
      '[0] has the keyword exclusiveMinimum, whose value is not a number',
    ],
    [
      'a bound as text',
      unsafe({ maxLength: '10' }),
      '[0] has the keyword maxLength, whose value is not a number',
    ],
    ...['minItems', 'maxProperties', 'exclusiveMaximum', 'multipleOf'].map(
      (keyword): [string, unknown, string] => [
        `${keyword} that is not a number`,
        unsafe({ [keyword]: true }),
        `[0] has the keyword ${keyword}, whose value is not a number`,
      ],
    ),
    ['an inherited name as a type', unsafe({ type: 'valueOf' }), '[0] has an unknown type valueOf'],
    ['a type', unsafe({ type: 'int' }), '[0] has an unknown type int: did you mean integer?'],
    [
      'a format',
      [Type.String({ format: 'emial' })],
      '[0] has an unknown format emial: did you mean email?',
    ],
    [
      'an unknown format',
      [Type.String({ format: 'iban' })],
      '[0] has an unknown format iban: write Type.Refine(Type.String(), check)',
    ],
    ['a value that is not a schema', [Number], 'argument [0] is not a schema'],
    [
      'a property that is not a schema',
      [Type.Object({ a: String })],
      '[0].properties.a is not a schema',
    ],
    ['a list of schemas', [[nested]], '[0] is not a schema'],
    ['in items', [streamOf(nested)], '[0]: items has an unknown keyword minLenght'],
    ['items that are not a schema', [streamOf(Number as never)], '[0]: items is not a schema'],
    [
      'items in items',
      [streamOf(streamOf(Type.String()) as never)],
      '[0]: items is streamOf(): a stream must be a whole argument, not a part of one',
    ],
    [
      'items in an argument',
      [Type.Array(streamOf(Type.String()) as never)],
      '[0].items is streamOf(): a stream must be a whole argument',
    ],
    [
      'a function in items',
      [streamOf(callback([], Type.Void()))],
      'items has a callback() in an unsupported place',
    ],
  ])('%s', (_, entry, problem) => {
    expect(() => compileContract({ save: entry } as Contract)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(problem) }),
    );
  });

  const AFTER = Type.Optional(Type.Integer());

  const expected =
    'write [Type.Integer()], a schema for each parameter, or a helper such as read([…]) or live([…])';

  test.each<[string, unknown, string]>([
    ['a schema without brackets', Type.Integer(), `has no list of schemas: ${expected}`],
    ['no input', { readonly: true }, `has no list of schemas: ${expected}`],
    ['an input without brackets', { input: Type.Integer() }, `has no list of schemas: ${expected}`],
    ['nothing', undefined, `has no list of schemas: ${expected}`],
    [
      'readOnly',
      { input: [], readOnly: true },
      'has an unknown key readOnly: did you mean readonly?',
    ],
    ['inputs', { inputs: [] }, 'has an unknown key inputs: did you mean input?'],
    [
      'an unknown key',
      { input: [], cache: 1 },
      'has an unknown key cache: the keys are input, readonly, volatile, returns, plain, output, title and description',
    ],
    [
      'a readonly that is neither true nor false',
      { input: [], readonly: 'no' },
      'has a readonly of no: write true or false',
    ],
    [
      'live in the long form',
      { input: [], readonly: true, live: true },
      'has an unknown key live: the keys are input, readonly, volatile, returns, plain, output, title and description',
    ],
    [
      'a volatile that is neither true nor false',
      { input: [], volatile: 'no' },
      'has a volatile of no: write true or false',
    ],
    [
      'two promises',
      { input: [], readonly: true, volatile: true },
      'has both readonly and volatile: remove one',
    ],
    [
      'an internal method with a description',
      { ...internal(), title: 'Report' },
      'has an unknown key title: the keys are input and internal',
    ],
    [
      'internal() without a list',
      internal(Type.Integer() as never),
      `has no list of schemas: ${expected}`,
    ],
    [
      'an unknown kind',
      { '~entry': 'later', input: [] },
      'is of a kind later: it is from another version of lumenize-rpc. Install one version (npm ls lumenize-rpc)',
    ],
    ...[live, events, stream].map((helper): [string, unknown, string] => [
      `${helper.name}() without a list`,
      (helper as (schemas: unknown) => unknown)(Type.Integer()),
      `has no list of schemas: ${expected}`,
    ]),
    ['read() without a list', read(Type.Integer() as never), `has no list of schemas: ${expected}`],
    [
      'a stream whose readonly is neither true nor false',
      stream([], { readonly: 'no' as never }),
      'has a readonly of no: write true or false',
    ],
    [
      'a live value with a returns that is not a capability',
      live([], { returns: Date }),
      'has a returns that is not a class made by capability()',
    ],
    [
      'a capability of another copy of the package',
      { input: [], returns: foreignCapability() },
      'has a returns that is a capability of another copy of lumenize-rpc: install one copy for both (npm ls lumenize-rpc)',
    ],
    [
      'a plain that is neither true nor false',
      { input: [], plain: 'yes' },
      'has a plain of yes: write true or false',
    ],
    [
      'a misspelled plain',
      { input: [], plian: true },
      'has an unknown key plian: did you mean plain?',
    ],
    [
      'plain beside returns',
      { input: [], plain: true, returns: deskClass() },
      'has both plain and returns: remove one',
    ],
    ...[Map, [Map], {}, null].map((returns): [string, unknown, string] => [
      `a returns of ${String(returns)}`,
      { input: [], returns },
      'has a returns that is not a class made by capability()',
    ]),
    [
      'a key that is not a text',
      rows(true as never, [AFTER]),
      "has a key that is not a string: write rows('id', […]), with a property of the rows",
    ],
    ...[[], [Type.Integer()], [deskClass()]].map((input): [string, unknown, string] => [
      `rows without an argument for the last key, after ${input.length}`,
      rows('id', input),
      'is rows, so its last parameter must be optional: wrap its schema in Type.Optional',
    ]),
  ])('an entry: %s', (_, entry, problem) => {
    expect(() => compileContract({ save: entry } as Contract)).toThrow(
      new TypeError(`The contract's entry for save ${problem}`),
    );
  });
});

describe('limits', () => {
  test('that are undefined keep their defaults', () => {
    const limits = { frameSize: undefined, callsPerSecond: 5, refusals: 0, connections: Infinity };
    expect(compileContract({}, { limits }).limits).toEqual({
      ...DEFAULT_LIMITS,
      callsPerSecond: 5,
      refusals: 0,
    });
  });

  test.each([
    [{ frameSize: Number.NaN }, 'The limit frameSize is NaN: write a number of at least 0'],
    [{ frameSize: -1 }, 'The limit frameSize is -1: write a number of at least 0'],
    [{ frameSize: '1000' }, 'The limit frameSize is 1000: write a number of at least 0'],
    [{ frameSize: null }, 'The limit frameSize is null: write a number of at least 0'],
    [
      { framesize: 1_000 },
      `There is no limit framesize: the limits are ${Object.keys(DEFAULT_LIMITS).join(', ')}`,
    ],
  ])('%o are refused', (limits, message) => {
    expect(() => compileContract({}, { limits: limits as object })).toThrow(new TypeError(message));
  });
});

test('a capability has no internal methods', () => {
  const define = (): unknown =>
    capability(
      class DeskImpl {
        owner(): void {}
      },
      [],
      { owner: internal() },
    );
  expect(define).toThrow(
    new TypeError(
      'The capability Desk lists owner as internal: only the contract of an object can',
    ),
  );
});

test('an internal method must be a method of the class', () => {
  const define = (): unknown => lumenizeRpcDO(Date as never, { report: internal() } as never);
  expect(define).toThrow(
    new TypeError('The contract lists report, which is not a method of the class'),
  );
});

describe('two capability classes with one name', () => {
  const within = (Class: object): object =>
    capability(
      class Room {
        desk(): void {}
      },
      [],
      { desk: { input: [], returns: Class } } as never,
    );
  const [one, other] = [deskClass(), deskClass()];

  test.each<[string, unknown]>([
    ['of two methods', { a: { input: [], returns: one }, b: { input: [], returns: other } }],
    ['of one method', { a: { input: [], returns: [one, other] } }],
    ['as an argument', { a: { input: [other], returns: one } }],
    ['of a capability that returns another', { a: { input: [], returns: [one, within(other)] } }],
  ])('are refused: %s', (_, contract) => {
    expect(() => compileContract(contract as Contract)).toThrow(
      new TypeError('Two capability classes have the name Desk: rename one'),
    );
  });

  test('are allowed if they are one class', () => {
    const entry = { input: [], returns: [one, within(one)] };
    expect(() => compileContract({ a: entry, b: entry } as Contract)).not.toThrow();
  });
});

test('a contract can have a capability only as an argument', async () => {
  class BoxImpl {
    readonly #size: number;

    constructor(_room: object, size: number) {
      this.#size = size;
    }

    size(): number {
      return this.#size;
    }
  }
  const Box = capability(BoxImpl, [Type.Integer()], { size: [] });
  const room = {
    box: (): object => new Box(room, 7),
    sizeOf: (box: BoxImpl): number => box.size(),
  };
  const giver = openPort(room, compileContract({ box: { input: [], returns: Box } }));
  const taker = openPort(room, compileContract({ sizeOf: [Box] }));
  const [, given = ''] = /(\["Capability","Box",".*",7\])/.exec(await giver.ask('[1,"box"]')) ?? [];
  expect(await taker.ask(`[1,"sizeOf","rich",[[[[1]]],${given}]]`)).toBe('[[1,7]]');
});

/** The keywords of JSON Schema, by the type of the values that they check. */
const KEYWORDS: Record<string, object> = {
  number: { minimum: 1, maximum: 9, exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 1 },
  string: { minLength: 1, maxLength: 9, pattern: '.', format: 'email' },
  array: {
    prefixItems: [true],
    items: true,
    additionalItems: true,
    unevaluatedItems: true,
    contains: true,
    minContains: 1,
    maxContains: 9,
    minItems: 1,
    maxItems: 9,
    uniqueItems: true,
  },
  object: {
    properties: {},
    patternProperties: {},
    additionalProperties: true,
    unevaluatedProperties: true,
    propertyNames: true,
    required: [],
    minProperties: 1,
    maxProperties: 9,
    dependencies: {},
    dependentRequired: {},
    dependentSchemas: {},
  },
};

test.each(Object.entries(KEYWORDS))(
  'a schema of the type %s may have its keywords',
  (type, own) => {
    expect(() => compileContract({ save: unsafe({ type, ...own }) })).not.toThrow();
  },
);

const annotations = {
  title: '',
  description: '',
  default: 1,
  examples: [1],
  $id: 'a',
  $comment: '',
  deprecated: true,
  readOnly: true,
  writeOnly: true,
  'x-unit': 'm',
};
const accepted = compileContract({
  annotated: [Type.Integer({ ...annotations, minimum: 1, maximum: undefined })],
  formatted: [Type.String({ format: 'date' })],
  refined: [Type.Refine(Type.Integer(), (value) => value % 2 === 0)],
  // Keywords without a type check only values to which they apply.
  plain: unsafe({ minimum: 1, minLength: 1 }),
  several: unsafe({ type: ['integer', 'string'], minimum: 1, minLength: 1 }),
  dependent: unsafe({
    type: 'object',
    dependencies: { a: ['b'] },
    dependentRequired: { b: ['c'] },
  }),
  anything: unsafe({ type: 'object', properties: { a: true } }),
  enumerated: [Type.Enum(['a', 'b']), Type.Literal('a'), Type.TemplateLiteral('a${string}')],
  recursive: [Type.Cyclic({ A: Type.Object({ a: Type.Optional(Type.Ref('A')) }) }, 'A')],
  callback: [callback([Type.String()], Type.Void())],
}).methods;

describe('a contract that leaves no value unchecked is accepted', () => {
  test.each<[string, unknown[], unknown[]]>([
    ['annotated', [1], [0]],
    ['formatted', ['2026-02-28'], ['2026-02-30']],
    ['refined', [2], [1]],
    ['plain', ['a'], ['']],
    ['several', [1], [0]],
    ['dependent', [{ a: 1, b: 1, c: 1 }], [{ a: 1 }]],
    ['anything', [{ a: 1 }], [1]],
    ['enumerated', ['a', 'a', 'ab'], ['a', 'a', 'b']],
    ['recursive', [{ a: { a: {} } }], [{ a: { a: 1 } }]],
    ['callback', [() => {}], [1]],
  ])('%s', (method, fitting, others) => {
    expect(() => accepted.get(method)?.validate(fitting)).not.toThrow();
    expect(() => accepted.get(method)?.validate(others)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENTS' }),
    );
  });
});

test('Vitest counts as development, so errors have details unless the option says otherwise', () => {
  expect(compileContract({}).exposeErrorDetails).toBe(true);
  expect(compileContract({}, { exposeErrorDetails: false }).exposeErrorDetails).toBe(false);
});
