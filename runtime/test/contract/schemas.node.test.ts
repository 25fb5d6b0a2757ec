/**
 * Tests which schemas accept the values of another schema. Pairs have a known answer, and TypeBox
 * checks the answer for random pairs.
 */
import { Compile } from 'typebox/schema';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compareSchemas, hasCode } from '../../src/contract/schemas/compare-schemas.ts';
import { writtenSchema } from '../../src/contract/written-schema.ts';
import type { WrittenSchema } from '../../src/contract/written.ts';
import * as Type from '../../src/typebox.ts';

/**
 * Tells whether the newer schema accepts the older one, and the older one the newer one; `same` if
 * both do.
 */
type Answer = 'same' | readonly ['all' | 'some' | 'unknown', 'all' | 'some' | 'unknown'];

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, ...required: string[]): WrittenSchema => ({
  type: 'object',
  properties,
  required,
});

const named = (other: string): WrittenSchema => ({
  $defs: {
    Node: object({ next: { $ref: '#/$defs/Node' }, other: { $ref: '#/$defs/Other' } }),
    Other: object({ node: { $ref: '#/$defs/Node' }, value: { type: other } }),
  },
  $ref: '#/$defs/Node',
});

const PAIRS: readonly (readonly [
  name: string,
  older: WrittenSchema,
  newer: WrittenSchema,
  answer: Answer,
])[] = [
  ['anything and anything', true, {} as WrittenSchema, 'same'],
  ['anything and nothing', true, false, ['some', 'all']],
  [
    'keywords in another order',
    { type: 'string', minLength: 1 },
    { minLength: 1, type: 'string' },
    'same',
  ],
  [
    'two patterns that mean the same',
    { ...text, pattern: '^a+$' },
    { ...text, pattern: '^a{1,}$' },
    ['unknown', 'unknown'],
  ],
  [
    'two patterns',
    { ...text, pattern: '^[a-z]+$' },
    { ...text, pattern: '^[0-9]+$' },
    ['some', 'some'],
  ],
  [
    'two patterns with words',
    { ...text, pattern: '^room-\\d{3,}$' },
    { ...text, pattern: '^(board|desk)/[a-z]+$' },
    ['some', 'some'],
  ],
  ['an unknown keyword', { ...text, contentShape: 1 }, text, ['all', 'unknown']],
  [
    'two checks of a refinement',
    { ...integer, refined: 1 },
    { ...integer, refined: 2 },
    ['unknown', 'unknown'],
  ],
  ['an additional refinement', integer, { ...integer, refined: 1 }, ['unknown', 'all']],
  [
    'a list of values that keeps its refinement',
    object({ a: { enum: ['a', 'b'], refined: 1 }, b: integer }),
    object({ a: { enum: ['a', 'b'], refined: 1 }, b: { type: 'number' } }),
    ['all', 'some'],
  ],
  ['a list of types', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }, 'same'],
  [
    'an intersection of ranges',
    { allOf: [{ ...integer, minimum: 1 }, { maximum: 5 }] },
    { ...integer, minimum: 1, maximum: 5 },
    'same',
  ],
  ['a reference', { $defs: { A: text }, $ref: '#/$defs/A' } as WrittenSchema, text, 'same'],
  [
    'a reference without a target',
    { $ref: '#/$defs/A' },
    { $ref: '#/$defs/B' },
    ['unknown', 'unknown'],
  ],
  ['a schema that refers only to itself', { $ref: '#' }, text, ['unknown', 'some']],
  ['schemas that contain each other', named('integer'), named('number'), ['all', 'some']],
  [
    'a list of itself',
    { type: 'array', items: { $ref: '#' } },
    { type: 'array', items: { type: 'array' } },
    ['all', 'some'],
  ],
  ['oneOf with disjoint members', { oneOf: [text, integer] }, { anyOf: [text, integer] }, 'same'],
  [
    'oneOf with overlapping members',
    {
      oneOf: [
        { ...integer, minimum: 0 },
        { ...integer, maximum: 0 },
      ],
    },
    integer,
    ['all', 'some'],
  ],
  [
    'a property that could be anything before',
    object({ a: true }, 'a'),
    object({ a: text }, 'a'),
    ['some', 'all'],
  ],
  ['a property that accepts no value', object({ a: text }), object({ a: false }), ['some', 'all']],
  [
    'further properties of a type',
    { type: 'object', additionalProperties: text },
    object({ a: integer }),
    ['some', 'some'],
  ],
  ['a date and a text', { type: 'Date' }, text, ['some', 'some']],
  [
    'a date within an object',
    object({ at: { type: 'Date' } }, 'at'),
    object({ at: text }, 'at'),
    ['some', 'some'],
  ],
  [
    'a function that accepts more',
    { type: 'function', parameters: [integer], returnType: { type: 'void' } },
    { type: 'function', parameters: [{ type: 'number' }], returnType: { type: 'void' } },
    ['some', 'all'],
  ],
  ['a bigint with a limit', { type: 'bigint', minimum: '1n' }, { type: 'bigint' }, ['all', 'some']],
];

test.each(PAIRS)('%s', (_, older, newer, answer) => {
  const change = compareSchemas(older, newer);
  const found = change ? [change.newAcceptsOld.accepts, change.oldAcceptsNew.accepts] : 'same';
  expect(found).toEqual(answer);
});

const always = (): boolean => true;
const day = new Date(0);
const inJson = <Schema extends v.GenericSchema>(schema: Schema): object =>
  toStandardJsonSchema(schema);

/** Schemas whose check is not, or not as a whole, in their JSON Schema. */
const WITH_CODE: Readonly<Record<string, object>> = {
  'TypeBox: Refine': Type.Refine(Type.String(), always, () => 'no'),
  'Zod: refine': z.string().refine(always),
  'Zod: refine of an optional text': z.string().refine(always).optional(),
  'Zod: refine of an object': z.object({ a: z.string() }).refine(always),
  'Zod: refine deep inside': z.object({ a: z.array(z.string().refine(always).nullable()) }),
  'Zod: superRefine': z.string().superRefine(() => {}),
  'Zod: transform': z.string().transform(Number),
  'Zod: pipe': z.string().pipe(z.string().max(3)),
  'Zod: preprocess': z.preprocess(Number, z.number()),
  'Zod: codec': z.codec(z.string(), z.number(), { decode: Number, encode: String }),
  'Zod: coerce': z.coerce.number().min(5),
  'Zod: custom': z.custom(always),
  'Zod: trim': z.string().trim(),
  'Zod: lazy': z.lazy(() => z.string().refine(always)),
  'Zod: a pattern with flags': z.string().regex(/a/i),
  'Zod: a format of its own': z.stringFormat('code', always),
  'Zod: the host of a URL': z.url({ hostname: /^example\.com$/ }),
  'Zod: the limit of a date': z.date().min(day),
  'Zod: the limit of a bigint': z.bigint().min(5n),
  'Zod: a map': z.map(z.string(), z.number()),
  'Zod: a set': z.set(z.string()),
  'Valibot: check': inJson(v.pipe(v.string(), v.check(always))),
  'Valibot: transform': inJson(v.pipe(v.string(), v.transform(Number), v.number())),
  'Valibot: transform deep inside': inJson(
    v.object({ a: v.pipe(v.string(), v.transform(Number)) }),
  ),
  'Valibot: custom': inJson(v.custom(always)),
  'Valibot: trim': inJson(v.pipe(v.string(), v.trim())),
  'Valibot: lazy': inJson(v.lazy(() => v.pipe(v.string(), v.check(always)))),
  'Valibot: a pattern with flags': inJson(v.pipe(v.string(), v.regex(/a/i))),
  'Valibot: the limit of a date': inJson(v.pipe(v.date(), v.minValue(day))),
  'Valibot: a map': inJson(v.map(v.string(), v.number())),
  'ArkType: narrow': type('string').narrow(always),
  'ArkType: narrow deep inside': type({ a: type('string').narrow(always) }),
  'ArkType: pipe': type('string').pipe(Number),
  'ArkType: a morph deep inside': type({ 'a?': 'string.trim' }),
  'ArkType: a pattern with flags': type(/a/i),
  'ArkType: the limit of a date': type("Date > d'2026-01-01'"),
};

test.each(Object.entries(WITH_CODE))('%s is code', (_, schema) => {
  expect(hasCode(writtenSchema(schema))).toBe(true);
});

/** Schemas whose JSON Schema says all. */
const WITHOUT_CODE: Readonly<Record<string, object>> = {
  TypeBox: Type.Object({
    refined: Type.String({ pattern: '^a' }),
    size: Type.Optional(Type.BigInt()),
  }),
  Zod: z.object({
    name: z.string().min(1).max(20).describe('a name'),
    email: z.email(),
    id: z.uuid().brand('Id').readonly(),
    code: z.string().regex(/^[a-z]+$/),
    count: z.number().int().min(0).multipleOf(2).default(2),
    kind: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
    list: z
      .array(z.enum(['a', 'b']))
      .min(1)
      .nullable(),
    place: z.tuple([z.number(), z.number()]),
    map: z.record(z.string(), z.unknown()),
    at: z.date().optional(),
    size: z.bigint(),
    bytes: z.instanceof(Uint8Array),
    url: z.url(),
    time: z.iso.datetime(),
  }),
  Valibot: inJson(
    v.object({
      name: v.pipe(v.string(), v.minLength(1), v.email(), v.brand('Name'), v.readonly()),
      count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
      kind: v.variant('kind', [v.object({ kind: v.literal('a') })]),
      list: v.nullable(v.array(v.picklist(['a', 'b']))),
      at: v.date(),
      size: v.bigint(),
    }),
  ),
  ArkType: type({
    name: '1 <= string <= 20',
    email: 'string.email',
    count: 'number.integer = 0',
    'kind?': "'a' | 'b'",
    list: 'string[]',
    at: 'Date',
    size: 'bigint',
  }),
};

test.each(Object.entries(WITHOUT_CODE))('%s has schemas without code', (_, schema) => {
  expect(hasCode(writtenSchema(schema))).toBe(false);
});

test('an object with a required text of a format has examples', () => {
  const older = z.object({
    email: z.email(),
    id: z.string().regex(/^[a-z]+-\d$/),
    age: z.int().min(0),
  });
  const newer = older.extend({ age: z.int().min(1) });
  expect(compareSchemas(writtenSchema(older), writtenSchema(newer))).toMatchObject({
    newAcceptsOld: { accepts: 'some', problem: '.age must be >= 1, got 0' },
    oldAcceptsNew: { accepts: 'all' },
  });
});

test('Zod: a description changes nothing beside code', () => {
  const older = z.string().refine(always);
  const newer = older.describe('text').meta({ title: 'Text' });
  expect(compareSchemas(writtenSchema(older), writtenSchema(newer))).toBeUndefined();
});

test('Zod: the start of a text is compared', () => {
  const [older, newer] = ['a', 'b'].map((start) => writtenSchema(z.string().startsWith(start)));
  const change = compareSchemas(older!, newer!);
  expect(change?.newAcceptsOld).toMatchObject({ accepts: 'some', example: 'a' });
});

test('Zod: a schema that converts takes anything', () => {
  for (const made of [z.coerce.number(), z.preprocess(Number, z.number()), z.number().catch(0)]) {
    const change = compareSchemas(writtenSchema(made), writtenSchema(z.number()));
    expect(change?.newAcceptsOld.accepts).not.toBe('all');
  }
});

test('a comparison of deep schemas ends', () => {
  let older: WrittenSchema = text;
  let newer: WrittenSchema = integer;
  for (let depth = 0; depth < 200; depth++) {
    older = { type: 'array', items: older };
    newer = { type: 'array', items: newer };
  }
  expect(compareSchemas(older, newer)).toBeDefined();
});

describe('random schemas', () => {
  test('an answer is never wrong', () => {
    const random = seeded(1);
    const answers = { all: 0, some: 0, unknown: 0 };
    for (let round = 0; round < 800; round++) {
      const older = schemaOf(random, 3);
      const newer = random() < 0.6 ? changed(older, random) : schemaOf(random, 3);
      const change = compareSchemas(writtenSchema(older), writtenSchema(newer));
      for (const [wide, narrow, acceptance] of [
        [newer, older, change?.newAcceptsOld],
        [older, newer, change?.oldAcceptsNew],
      ] as const) {
        const { accepts } = acceptance ?? { accepts: 'all' };
        answers[accepts]++;
        const compiled = Compile(wide);
        const shown = JSON.stringify({ wide, narrow, acceptance });
        if (acceptance?.accepts === 'some' && 'example' in acceptance) {
          expect(Compile(narrow).Check(acceptance.example), shown).toBe(true);
          expect(compiled.Check(acceptance.example), shown).toBe(false);
        }
        if (accepts !== 'all') continue;
        for (let count = 0; count < 8; count++) {
          const value = valueOf(narrow as Plain, random);
          expect(compiled.Check(value), `${shown} ${JSON.stringify(value)}`).toBe(true);
        }
      }
    }
    expect(answers.all).toBeGreaterThan(200);
    expect(answers.some).toBeGreaterThan(200);
    // Only few pairs are left without an answer.
    expect(answers.unknown).toBeLessThan(0.02 * (answers.all + answers.some));
  });
});

type Random = () => number;

/** The keywords of a random schema from which a value is made. */
interface Plain {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Plain[];
  readonly items?: Plain | readonly Plain[];
  readonly properties?: Readonly<Record<string, Plain>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const pick = <Item>(random: Random, list: readonly Item[]): Item =>
  list[Math.floor(random() * list.length)] as Item;

function schemaOf(random: Random, depth: number): object {
  const least = Math.floor(random() * 3);
  const most = least + Math.floor(random() * 3);
  const some = (keyword: string, value: number): object =>
    random() < 0.5 ? { [keyword]: value } : {};
  const leaves: readonly (() => object)[] = [
    () => Type.Integer({ ...some('minimum', least), ...some('maximum', most) }),
    () => Type.Number({ ...some('minimum', least), ...some('maximum', most) }),
    () => Type.String({ ...some('minLength', least), ...some('maxLength', most) }),
    () => Type.Boolean(),
    () => Type.Null(),
    () => Type.Literal(pick(random, ['a', 'b', 1, 2, true])),
  ];
  const inner = (): object => schemaOf(random, depth - 1);
  const branches: readonly (() => object)[] = [
    () => Type.Array(inner(), { ...some('minItems', least), ...some('maxItems', most) }),
    () => Type.Tuple([inner(), inner()]),
    () => Type.Union([inner(), inner()]),
    () =>
      Type.Object(
        Object.fromEntries(
          ['a', 'b', 'c'].flatMap((name) => {
            if (random() < 0.4) return [];
            return [[name, random() < 0.4 ? Type.Optional(inner()) : inner()]];
          }),
        ),
        random() < 0.4 ? { additionalProperties: false } : {},
      ),
  ];
  return pick(random, depth > 0 && random() < 0.7 ? branches : leaves)();
}

/** Returns a schema that differs in one keyword. */
function changed(schema: object, random: Random): object {
  const { anyOf, properties, items, ...rest } = schema as {
    anyOf?: object[];
    properties?: Record<string, object>;
    items?: object;
  };
  if (anyOf) return random() < 0.5 ? (anyOf[0] ?? schema) : Type.Union([...anyOf, Type.Null()]);
  const [name] = Object.keys(properties ?? {});
  if (properties && name && random() < 0.7) {
    const { [name]: inner } = properties;
    return { ...rest, properties: { ...properties, [name]: changed(inner as object, random) } };
  }
  if (items && !Array.isArray(items)) return { ...rest, items: changed(items, random) };
  return random() < 0.5 ? Type.Union([schema, schemaOf(random, 1)]) : schemaOf(random, 1);
}

/** Returns a value of a schema, with no property that the schema does not name. */
function valueOf(schema: Plain, random: Random): unknown {
  if ('const' in schema) return schema.const;
  if (schema.anyOf) return valueOf(pick(random, schema.anyOf), random);
  const between = (least = 0, most = least + 3): number =>
    least + Math.floor(random() * (most - least + 1));
  switch (schema.type) {
    case 'integer':
      return between(schema.minimum ?? (schema.maximum ?? 0) - 3, schema.maximum);
    case 'number': {
      const number = between(schema.minimum ?? (schema.maximum ?? 0) - 3, schema.maximum);
      return number < (schema.maximum ?? Infinity) ? number + 0.5 : number;
    }
    case 'string':
      return 'x'.repeat(between(schema.minLength, schema.maxLength));
    case 'boolean':
      return random() < 0.5;
    case 'array': {
      const { items } = schema;
      if (Array.isArray(items)) return items.map((item: Plain) => valueOf(item, random));
      const length = between(schema.minItems, schema.maxItems);
      return Array.from({ length }, () => valueOf(items as Plain, random));
    }
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
        schema.required?.includes(name) || random() < 0.5 ? [[name, valueOf(inner, random)]] : [],
      );
      return Object.fromEntries(entries) as unknown;
    }
    default:
      return null;
  }
}
