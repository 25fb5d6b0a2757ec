/**
 * Tests which schemas accept the values of another schema. Pairs have a known answer, and TypeBox
 * checks the answer for random pairs.
 */
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { compareSchemas } from '../../src/contract/schemas/compare-schemas.ts';
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
  ['an unknown keyword', { ...text, contentShape: 1 }, text, ['all', 'unknown']],
  [
    'two checks of a refinement',
    { ...integer, refined: 1 },
    { ...integer, refined: 2 },
    ['unknown', 'unknown'],
  ],
  ['an additional refinement', integer, { ...integer, refined: 1 }, ['unknown', 'all']],
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
