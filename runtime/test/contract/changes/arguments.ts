/** Changes of the schemas of arguments. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { type } from 'arktype';
import { z } from 'zod';
import * as Type from '../../../src/typebox.ts';
import type { Schema } from '../../../src/server/base/standard-schema.ts';
import type { ContractChange, Version } from '../version.ts';

/** Returns a version whose method takes one argument, and whose page sends these values. */
function takes(schema: unknown, ...values: unknown[]): Version {
  return {
    contract: { set: [schema as Schema] },
    sends: values.map((value) => ['set', value] as const),
  };
}

const Tree = Type.Cyclic(
  { Tree: Type.Object({ name: Type.String(), inner: Type.Array(Type.Ref('Tree')) }) },
  'Tree',
);
const Node = Type.Cyclic(
  { Node: Type.Object({ name: Type.String(), inner: Type.Array(Type.Ref('Node')) }) },
  'Node',
);
const Weighed = Type.Cyclic(
  {
    Tree: Type.Object({
      name: Type.String(),
      weight: Type.Number(),
      inner: Type.Array(Type.Ref('Tree')),
    }),
  },
  'Tree',
);
const tree = { name: 'a', inner: [{ name: 'b', inner: [] }] };
const weighed = { name: 'a', weight: 1, inner: [{ name: 'b', weight: 2, inner: [] }] };

const Circle = Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() });
const Square = Type.Object({ kind: Type.Literal('square'), side: Type.Number() });
const circle = { kind: 'circle', radius: 1 };
const square = { kind: 'square', side: 1 };

const closed = { additionalProperties: false };
const status = (...names: string[]): object => Type.Union(names.map((name) => Type.Literal(name)));

const rows: readonly (readonly [name: string, old: Version, next: Version])[] = [
  ['an integer becomes a number', takes(Type.Integer(), 1, -5), takes(Type.Number(), 1, 0.5)],
  ['a number becomes an integer', takes(Type.Number(), 1, 0.5), takes(Type.Integer(), 1, 2)],
  [
    'the minimum falls',
    takes(Type.Integer({ minimum: 1 }), 1, 5),
    takes(Type.Integer({ minimum: 0 }), 0, 5),
  ],
  [
    'the minimum becomes exclusive',
    takes(Type.Number({ minimum: 0 }), 0, 5),
    takes(Type.Number({ exclusiveMinimum: 0 }), 0.1, 5),
  ],
  [
    'an exclusive limit of integers is written as an inclusive one',
    takes(Type.Integer({ minimum: 1 }), 1, 5),
    takes(Type.Integer({ exclusiveMinimum: 0 }), 1, 5),
  ],
  [
    'the maximum falls',
    takes(Type.Integer({ maximum: 10 }), 1, 10),
    takes(Type.Integer({ maximum: 5 }), 1, 5),
  ],
  [
    'a range moves',
    takes(Type.Integer({ minimum: 1, maximum: 10 }), 1, 10),
    takes(Type.Integer({ minimum: 5, maximum: 20 }), 5, 20),
  ],
  [
    'a multiple is required',
    takes(Type.Integer(), 1, 2),
    takes(Type.Integer({ multipleOf: 2 }), 2),
  ],
  [
    'a multiple of 4 becomes one of 2',
    takes(Type.Integer({ multipleOf: 4 }), 4),
    takes(Type.Integer({ multipleOf: 2 }), 2, 4),
  ],
  ['an integer becomes a bigint', takes(Type.Integer(), 1), takes(Type.BigInt(), 1n)],
  [
    'a text may be longer',
    takes(Type.String({ maxLength: 3 }), 'abc'),
    takes(Type.String({ maxLength: 5 }), 'abcde'),
  ],
  [
    'a text must be longer',
    takes(Type.String(), '', 'abc'),
    takes(Type.String({ minLength: 1 }), 'a', 'abc'),
  ],
  [
    'a pattern is required',
    takes(Type.String(), 'ABC', 'abc'),
    takes(Type.String({ pattern: '^[a-z]+$' }), 'abc'),
  ],
  [
    'a format is required',
    takes(Type.String(), 'abc'),
    takes(Type.String({ format: 'email' }), 'a@example.com'),
  ],
  ['a text becomes an integer', takes(Type.String(), 'a'), takes(Type.Integer(), 1)],
  [
    'null is allowed',
    takes(Type.String(), 'a'),
    takes(Type.Union([Type.String(), Type.Null()]), 'a', null),
  ],
  ['a literal is added', takes(status('a', 'b'), 'a', 'b'), takes(status('a', 'b', 'c'), 'a', 'c')],
  [
    'a literal is removed',
    takes(status('a', 'b', 'c'), 'a', 'c'),
    takes(status('a', 'b'), 'a', 'b'),
  ],
  ['a literal is replaced', takes(status('a', 'b'), 'a', 'b'), takes(status('a', 'c'), 'a', 'c')],
  [
    'literals become an enumeration in another order',
    takes(status('a', 'b'), 'a', 'b'),
    takes(Type.Enum(['b', 'a']), 'a', 'b'),
  ],
  [
    'any text is allowed instead of literals',
    takes(status('a', 'b'), 'a', 'b'),
    takes(Type.String(), 'a', 'other'),
  ],
  [
    'only true is allowed instead of a boolean',
    takes(Type.Boolean(), true, false),
    takes(Type.Literal(true), true),
  ],
  [
    'a boolean is written as both literals',
    takes(Type.Boolean(), true, false),
    takes(Type.Union([Type.Literal(true), Type.Literal(false)]), true, false),
  ],
  [
    'anything is allowed instead of a text',
    takes(Type.String(), 'a'),
    takes(Type.Unknown(), 1, null, 'a'),
  ],
  [
    'a title and a description are added',
    takes(Type.String(), 'a'),
    takes(Type.String({ title: 'name', description: 'The name of a user' }), 'a'),
  ],
  [
    'an open object gets an optional property',
    takes(Type.Object({ a: Type.String() }), { a: 'x' }),
    takes(
      Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }),
      { a: 'x' },
      { a: 'x', b: 'y' },
    ),
  ],
  [
    'a closed object gets an optional property',
    takes(Type.Object({ a: Type.String() }, closed), { a: 'x' }),
    takes(
      Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }, closed),
      { a: 'x' },
      { a: 'x', b: 'y' },
    ),
  ],
  [
    'an object gets a required property',
    takes(Type.Object({ a: Type.String() }), { a: 'x' }),
    takes(Type.Object({ a: Type.String(), b: Type.String() }), { a: 'x', b: 'y' }),
  ],
  [
    'a closed object loses a property',
    takes(Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }, closed), {
      a: 'x',
      b: 'y',
    }),
    takes(Type.Object({ a: Type.String() }, closed), { a: 'x' }),
  ],
  [
    'an open object loses an optional property',
    takes(Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }), { a: 'x', b: 'y' }),
    takes(Type.Object({ a: Type.String() }), { a: 'x' }),
  ],
  [
    'a property becomes optional',
    takes(Type.Object({ a: Type.String(), b: Type.String() }), { a: 'x', b: 'y' }),
    takes(Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }), { a: 'x' }),
  ],
  [
    'an object is closed',
    takes(Type.Object({ a: Type.String() }), { a: 'x' }),
    takes(Type.Object({ a: Type.String() }, closed), { a: 'x' }),
  ],
  [
    'a nested property allows fewer values',
    takes(Type.Object({ in: Type.Object({ list: Type.Array(Type.Integer()) }) }), {
      in: { list: [1, -1] },
    }),
    takes(Type.Object({ in: Type.Object({ list: Type.Array(Type.Integer({ minimum: 0 })) }) }), {
      in: { list: [1] },
    }),
  ],
  [
    'one property allows more values, and another allows fewer',
    takes(Type.Object({ a: Type.Integer(), b: Type.Number() }), { a: 1, b: 0.5 }),
    takes(Type.Object({ a: Type.Number(), b: Type.Integer() }), { a: 0.5, b: 1 }),
  ],
  [
    'an object is written as an intersection',
    takes(Type.Object({ a: Type.String(), b: Type.Number() }), { a: 'x', b: 1 }),
    takes(Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]), {
      a: 'x',
      b: 1,
    }),
  ],
  [
    'a list may be longer',
    takes(Type.Array(Type.Integer(), { maxItems: 2 }), [1, 2]),
    takes(Type.Array(Type.Integer(), { maxItems: 3 }), [1, 2, 3]),
  ],
  [
    'a list must not be empty',
    takes(Type.Array(Type.Integer()), [], [1]),
    takes(Type.Array(Type.Integer(), { minItems: 1 }), [1]),
  ],
  [
    'a tuple gets an item',
    takes(Type.Tuple([Type.Integer()]), [1]),
    takes(Type.Tuple([Type.Integer(), Type.Integer()]), [1, 2]),
  ],
  [
    'a tuple becomes a list',
    takes(Type.Tuple([Type.Integer(), Type.Integer()]), [1, 2]),
    takes(Type.Array(Type.Integer()), [1], [1, 2]),
  ],
  [
    'the values of a record allow more',
    takes(Type.Record(Type.String(), Type.Integer()), { a: 1 }),
    takes(Type.Record(Type.String(), Type.Number()), { a: 0.5 }),
  ],
  [
    'an object becomes a record',
    takes(Type.Object({ a: Type.Integer() }), { a: 1 }),
    takes(Type.Record(Type.String(), Type.Integer()), { b: 1 }),
  ],
  [
    'a member of a union of objects is added',
    takes(Type.Union([Circle]), circle),
    takes(Type.Union([Circle, Square]), circle, square),
  ],
  [
    'a member of a union of objects is removed',
    takes(Type.Union([Circle, Square]), circle, square),
    takes(Circle, circle),
  ],
  [
    'an object whose kind has two values becomes a union of two objects',
    takes(Type.Object({ kind: status('a', 'b'), size: Type.Number() }), { kind: 'a', size: 1 }),
    takes(
      Type.Union([
        Type.Object({ kind: Type.Literal('a'), size: Type.Number() }),
        Type.Object({ kind: Type.Literal('b'), size: Type.Number() }),
      ]),
      { kind: 'b', size: 1 },
    ),
  ],
  ['a tree gets a property', takes(Tree, tree), takes(Weighed, weighed)],
  ['the schema of a tree is renamed', takes(Tree, tree), takes(Node, tree)],
  [
    'Zod: a strict object gets an optional property',
    takes(z.strictObject({ a: z.string() }), { a: 'x' }),
    takes(z.strictObject({ a: z.string(), b: z.string().optional() }), { a: 'x', b: 'y' }),
  ],
  [
    'Zod: a union of kinds gets a member',
    takes(z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'a' }),
    takes(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a') }),
        z.object({ kind: z.literal('b'), size: z.number() }),
      ]),
      { kind: 'b', size: 1 },
    ),
  ],
  [
    'Zod: a default makes a property optional',
    takes(z.object({ a: z.string() }), { a: 'x' }),
    takes(z.object({ a: z.string().default('y') }), {}),
  ],
  [
    'a schema of TypeBox is written with Zod',
    takes(Type.Object({ a: Type.String({ maxLength: 5 }) }), { a: 'x' }),
    takes(z.object({ a: z.string().max(5) }), { a: 'x' }),
  ],
  [
    'Zod: the start of a text is another one',
    takes(z.string().startsWith('a'), 'a'),
    takes(z.string().startsWith('b'), 'b'),
  ],
  ['Zod: a text becomes a date', takes(z.string(), 'a'), takes(z.date(), new Date(0))],
  [
    'Valibot: a text may be shorter',
    takes(toStandardJsonSchema(v.pipe(v.string(), v.minLength(3))), 'abc'),
    takes(toStandardJsonSchema(v.pipe(v.string(), v.minLength(1))), 'a'),
  ],
  [
    'ArkType: a literal is added',
    takes(type("'a' | 'b'"), 'a', 'b'),
    takes(type("'a' | 'b' | 'c'"), 'a', 'c'),
  ],
];

const long = (text: string): boolean => text.length > 2;

/** Changes of checks that are code. */
const refined: readonly (readonly [name: string, old: Version, next: Version])[] = [
  [
    'TypeBox: a check is added',
    takes(Type.String(), 'a', 'abc'),
    takes(
      Type.Refine(
        Type.String(),
        (text) => long(text as string),
        () => 'too short',
      ),
      'abc',
    ),
  ],
  ['Zod: a check is added', takes(z.string(), 'a', 'abc'), takes(z.string().refine(long), 'abc')],
  [
    'Zod: a transform that refuses is added',
    takes(z.object({ at: z.string() }), { at: 'a' }),
    takes(
      z.object({
        at: z
          .string()
          .transform((text) => text.length)
          .pipe(z.number().min(2)),
      }),
      {
        at: 'abc',
      },
    ),
  ],
  [
    'Valibot: a check is added',
    takes(toStandardJsonSchema(v.string()), 'a', 'abc'),
    takes(toStandardJsonSchema(v.pipe(v.string(), v.check(long))), 'abc'),
  ],
  [
    'Valibot: a transform that refuses is added',
    takes(toStandardJsonSchema(v.string()), 'a', '5'),
    takes(toStandardJsonSchema(v.pipe(v.string(), v.transform(Number), v.integer())), '5'),
  ],
  [
    'ArkType: a check is added',
    takes(type('string'), 'a', 'abc'),
    takes(type('string').narrow(long), 'abc'),
  ],
  [
    'ArkType: a morph that refuses is added',
    takes(type('string'), 'a', 'abc'),
    takes(
      type('string').pipe((text) => text.length, type('number > 2')),
      'abc',
    ),
  ],
];

const change = (
  [name, old, next]: (typeof rows)[number],
  isUncertain: boolean,
): ContractChange => ({ name: `argument: ${name}`, old, next, isUncertain });

export const ARGUMENTS: readonly ContractChange[] = [
  ...rows.map((row) => change(row, false)),
  ...refined.map((row) => change(row, true)),
];
