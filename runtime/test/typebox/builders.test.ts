/**
 * Tests that the builders return exactly the schemas of TypeBox's builders, including properties
 * that are not enumerable.
 */
import * as TypeBox from 'typebox';
import { describe, expect, test } from 'vitest';
import * as Own from '../../src/typebox.ts';

/** The builders that both have. Their types are equal, which `types.test-d.ts` checks. */
type Builders = typeof Own;

enum Numbered {
  Low,
  High = 7,
}
const Named = { Left: 'l', Right: 'r' } as const;

const isEven = (value: number): boolean => value % 2 === 0;
const isOdd = (value: number): string => `${value} is odd`;

const person = (Type: Builders) =>
  Type.Object(
    {
      name: Type.String({ minLength: 1 }),
      age: Type.Optional(Type.Integer()),
      7: Type.Readonly(Type.Optional(Type.Null())),
      '~odd': Type.Unknown(),
    },
    { additionalProperties: false, title: 'A person' },
  );

const CASES: { [name: string]: (Type: Builders) => unknown } = {
  Any: (Type) => Type.Any(),
  'Any with options': (Type) => Type.Any({ description: 'all' }),
  Unknown: (Type) => Type.Unknown({ default: 1 }),
  Never: (Type) => Type.Never(),
  'Never with options': (Type) => Type.Never({ not: { type: 'null' } }),
  String: (Type) => Type.String(),
  'String with options': (Type) =>
    Type.String({ minLength: 1, pattern: /^a$/, format: 'email', type: 'other', own: undefined }),
  Number: (Type) => Type.Number({ exclusiveMinimum: 0, multipleOf: 0.5 }),
  Integer: (Type) => Type.Integer({ minimum: 1, maximum: 2 }),
  BigInt: (Type) => Type.BigInt({ minimum: 2n ** 64n }),
  Boolean: (Type) => Type.Boolean(),
  Null: (Type) => Type.Null(),
  Undefined: (Type) => Type.Undefined(),
  Void: (Type) => Type.Void(),
  'Literal of text': (Type) => Type.Literal('a', { title: 'A' }),
  'Literal of a number': (Type) => Type.Literal(-1.5),
  'Literal of a boolean': (Type) => Type.Literal(false),
  'Literal of a bigint': (Type) => Type.Literal(1n),
  'Enum of a list': (Type) => Type.Enum(['a', 1, 'a']),
  'Enum of TypeScript': (Type) => Type.Enum(Numbered, { title: 'Level' }),
  'Enum of an object': (Type) => Type.Enum(Named),
  Array: (Type) => Type.Array(Type.String(), { minItems: 1, uniqueItems: true }),
  Tuple: (Type) => Type.Tuple([Type.String(), Type.Optional(Type.Null())], { title: 'Pair' }),
  'Tuple without items': (Type) => Type.Tuple([]),
  Union: (Type) => Type.Union([Type.String(), Type.Null()], { description: 'text' }),
  'Union without schemas': (Type) => Type.Union([]),
  Intersect: (Type) =>
    Type.Intersect([person(Type), Type.Object({ id: Type.Integer() })], {
      unevaluatedProperties: false,
    }),
  Function: (Type) => Type.Function([Type.String()], Type.Void(), { '~callback': true }),
  Ref: (Type) => Type.Ref('Node', { title: 'Node' }),
  This: (Type) => Type.Object({ next: Type.Optional(Type.This()) }),
  Cyclic: (Type) =>
    Type.Cyclic(
      {
        Node: Type.Object({ $id: Type.String(), next: Type.Optional(Type.Ref('Leaf')) }),
        Leaf: Type.Refine(Type.Object({ back: Type.Ref('Node') }, { $id: 'other' }), () => true),
      },
      'Node',
      { title: 'Nodes' },
    ),
  'Optional of optional': (Type) => Type.Optional(Type.Optional(Type.Ref('Node'))),
  'Readonly of optional': (Type) => Type.Readonly(Type.Optional(Type.String({ maxLength: 1 }))),
  'Optional of readonly': (Type) => Type.Optional(Type.Readonly(Type.String({ maxLength: 1 }))),
  'Optional of a JSON Schema': (Type) => Type.Optional({ type: 'string' }),
  'Optional of a frozen schema': (Type) => Type.Optional(Object.freeze(Type.Integer())),
  Unsafe: (Type) => Type.Unsafe<Date>({ type: 'object', required: ['a'] }),
  'Unsafe of a schema': (Type) => Type.Optional(Type.Unsafe<'a'>(Type.String())),
  Refine: (Type) => Type.Refine(Type.Integer(), isEven),
  'Refine twice': (Type) => Type.Refine(Type.Refine(Type.Integer(), isEven, isOdd), isEven),
  Object: person,
  'Object without properties': (Type) => Type.Object({}),
  'Object that requires nothing': (Type) => Type.Object({ a: Type.Optional(Type.Any()) }),
  'Object with its own list': (Type) => Type.Object({ a: Type.Any() }, { required: [] }),
  'Object with the name of a method': (Type) =>
    Type.Object({ constructor: Type.String(), toString: Type.Optional(Type.String()) }),
  Partial: (Type) => Type.Partial(person(Type)),
  'Partial with options': (Type) => Type.Partial(person(Type), { minProperties: 1 }),
  Required: (Type) => Type.Required(person(Type)),
  'Required with options': (Type) => Type.Required(person(Type), { additionalProperties: false }),
  Pick: (Type) => Type.Pick(person(Type), ['age', 'name']),
  'Pick of nothing': (Type) => Type.Pick(person(Type), []),
  'Pick by a number': (Type) => Type.Pick(person(Type), [7], { title: 'Seven' }),
  'Pick by Union': (Type) =>
    Type.Pick(person(Type), Type.Union([Type.Literal('name'), Type.Enum(['age'])])),
  'Pick by KeyOf': (Type) => Type.Pick(person(Type), Type.KeyOf(person(Type))),
  Omit: (Type) => Type.Omit(person(Type), ['age', '~odd']),
  'Omit by Enum': (Type) => Type.Omit(person(Type), Type.Enum(['age'])),
  'Omit by Literal, with options': (Type) =>
    Type.Omit(person(Type), Type.Literal('age'), { additionalProperties: false }),
  'Partial of Omit': (Type) => Type.Partial(Type.Omit(person(Type), ['name'])),
  KeyOf: (Type) => Type.KeyOf(person(Type), { title: 'Keys' }),
  'KeyOf one property': (Type) => Type.KeyOf(Type.Object({ a: Type.Any() })),
  'KeyOf no property': (Type) => Type.KeyOf(Type.Object({})),
  Record: (Type) => Type.Record(Type.String(), Type.Number()),
  'Record with options': (Type) =>
    Type.Record(Type.String({ minLength: 1 }), Type.Number(), { maxProperties: 2 }),
  'Record by pattern': (Type) => Type.Record(Type.String({ pattern: '^a' }), Type.Number()),
  'Record by expression': (Type) => Type.Record(Type.String({ pattern: /^a/i }), Type.Number()),
  'Record by Number': (Type) => Type.Record(Type.Number(), Type.Number()),
  'Record by Integer': (Type) => Type.Record(Type.Integer(), Type.Number()),
  'Record by Any': (Type) => Type.Record(Type.Any(), Type.Number()),
  'Record by Literal': (Type) => Type.Record(Type.Literal('a'), Type.Optional(Type.Null())),
  'Record by Enum': (Type) => Type.Record(Type.Enum(['b', 'a', 1, 'a']), Type.Number()),
  'Record by Union of literals': (Type) =>
    Type.Record(Type.Union([Type.Literal('b'), Type.Union([Type.Literal(1)])]), Type.Number(), {
      additionalProperties: false,
    }),
  'Record by Union with text': (Type) =>
    Type.Record(Type.Union([Type.Literal('b'), Type.String({ pattern: 'a' })]), Type.Number()),
  'Record by KeyOf': (Type) => Type.Record(Type.KeyOf(person(Type)), Type.Boolean()),
  'Record by Never': (Type) => Type.Record(Type.Never(), Type.Boolean()),
};

/** Returns all own properties of a value and its members, in order, with their attributes. */
function described(value: unknown): unknown {
  if (typeof value === 'function') return value === isEven || value === isOdd ? value : value(3);
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value;
  const properties = Reflect.ownKeys(value).map((key) => {
    const { value: held, ...attributes } = Object.getOwnPropertyDescriptor(value, key) ?? {};
    return [key, attributes, described(held)];
  });
  return [Object.getPrototypeOf(value), properties];
}

test.each(Object.entries(CASES))('%s', (_, make) => {
  const expected = make(TypeBox as unknown as Builders);
  expect(described(make(Own))).toEqual(described(expected));
});

test('every builder has a case', () => {
  const used = Object.values(CASES).map(String).join() + String(person);
  expect(Object.keys(Own).filter((name) => !new RegExp(`\\.${name}\\b`).test(used))).toEqual([]);
});

test('a schema that is passed to a builder is not changed', () => {
  const schema = Object.freeze(Own.Object({ a: Own.Integer() }));
  const before = described(schema);
  Own.Optional(schema);
  Own.Refine(schema, () => true);
  Own.Partial(schema);
  expect(described(schema)).toEqual(before);
});

describe('a call that needs TypeBox itself is refused', () => {
  const union = TypeBox.Union([TypeBox.Object({}), TypeBox.Object({})]) as never;
  const object = Own.Object({ a: Own.Integer() });
  test.each<[name: string, make: () => unknown, message: RegExp]>([
    [
      'Partial of a union',
      () => Own.Partial(union),
      /^Type\.Partial .* import Partial from typebox/,
    ],
    ['Required of a union', () => Own.Required(union), /^Type\.Required .*Type\.Object/],
    ['Pick of a union', () => Own.Pick(union, ['a']), /^Type\.Pick .*Type\.Object/],
    ['Omit of a union', () => Own.Omit(union, ['a']), /^Type\.Omit .*Type\.Object/],
    ['KeyOf a union', () => Own.KeyOf(union), /^Type\.KeyOf .*Type\.Object/],
    ['Pick by text', () => Own.Pick(object, Own.String() as never), /^Type\.Pick .*Type\.Enum/],
    ['Record by Null', () => Own.Record(Own.Null() as never, object), /^Type\.Record .*Type\.Enum/],
    [
      'Record by TemplateLiteral',
      () => Own.Record(TypeBox.TemplateLiteral('a-${1|2}') as never, object),
      /^Type\.Record .*Type\.Enum/,
    ],
    ['Literal of null', () => Own.Literal(null as never), /Type\.Literal takes .*, not null/],
    ['Literal of NaN', () => Own.Literal(NaN), /Type\.Literal takes .*, not NaN/],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});
