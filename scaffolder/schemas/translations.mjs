/**
 * Translates the schemas of the examples and of the template, which are written with TypeBox, into schemas of another
 * library. A new schema may need a new row here.
 */

import { TYPEBOX } from './choose-library.mjs';

/** @typedef {'zod' | 'valibot' | 'arktype'} Library - a library other than TypeBox */
/** @typedef {{ typebox: string } & Record<Library, string>} Row */

/**
 * Each row has one text in all libraries. `$1` and `$2` stand for numbers. A row comes before the rows whose text is a part
 * of its text.
 *
 * @type {readonly Row[]}
 */
const ROWS = [
  {
    typebox: "import * as Type from 'lumenize-rpc/typebox';",
    zod: "import * as z from 'zod';",
    valibot: "import * as v from 'valibot';",
    arktype: "import { type } from 'arktype';",
  },
  {
    typebox:
      "`import * as Type from 'lumenize-rpc/typebox'`. The package `typebox` itself makes each start slower.",
    zod: "`import * as z from 'zod'`.",
    valibot: "`import * as v from 'valibot'`.",
    arktype: "`import { type } from 'arktype'`.",
  },
  {
    typebox: '[TypeBox](https://github.com/sinclairzx81/typebox)',
    zod: '[Zod](https://zod.dev)',
    valibot: '[Valibot](https://valibot.dev)',
    arktype: '[ArkType](https://arktype.io)',
  },
  {
    typebox: 'Type.Integer(…)',
    zod: 'z.int()…',
    valibot: 'v.integer()…',
    arktype: "type('number.integer …')",
  },
  {
    typebox: `    // TypeBox has hundreds of modules, which every test file would load one by one.
    deps: { optimizer: { ssr: { enabled: true, include: ['typebox', 'typebox/*'] } } },
`,
    zod: '',
    valibot: '',
    arktype: '',
  },
  {
    typebox: 'Type.Optional(Type.String({ maxLength: $1 }))',
    zod: 'z.string().max($1).optional()',
    valibot: 'v.optional(v.pipe(v.string(), v.maxLength($1)))',
    arktype: "type('string <= $1 | undefined')",
  },
  {
    typebox: 'Type.Optional(Type.String({ minLength: $1, maxLength: $2 }))',
    zod: 'z.string().min($1).max($2).optional()',
    valibot: 'v.optional(v.pipe(v.string(), v.minLength($1), v.maxLength($2)))',
    arktype: "type('$1 <= string <= $2 | undefined')",
  },
  {
    typebox: 'Type.Optional(Type.Integer({ minimum: $1, maximum: $2 }))',
    zod: 'z.int().min($1).max($2).optional()',
    valibot: 'v.optional(v.pipe(v.number(), v.integer(), v.minValue($1), v.maxValue($2)))',
    arktype: "type('$1 <= number.integer <= $2 | undefined')",
  },
  {
    typebox: 'Type.Record(Type.String(), Type.Integer({ minimum: $1 }))',
    zod: 'z.record(z.string(), z.int().min($1))',
    valibot: 'v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue($1)))',
    arktype: "type({ '[string]': 'number.integer >= $1' })",
  },
  {
    typebox: 'Type.Optional(Type.Number({ minimum: $1, maximum: $2 }))',
    zod: 'z.number().min($1).max($2).optional()',
    valibot: 'v.optional(v.pipe(v.number(), v.minValue($1), v.maxValue($2)))',
    arktype: "type('$1 <= number <= $2 | undefined')",
  },
  {
    typebox: 'Type.Enum(LANES)',
    zod: 'z.enum(LANES)',
    valibot: 'v.picklist(LANES)',
    arktype: 'type.enumerated(...LANES)',
  },
  {
    typebox: 'Type.Enum(ROLES)',
    zod: 'z.enum(ROLES)',
    valibot: 'v.picklist(ROLES)',
    arktype: 'type.enumerated(...ROLES)',
  },
  {
    typebox: `Type.Refine(
  Type.Unsafe<Uint8Array>({}),
  (value) => value instanceof Uint8Array,
  () => 'must be a Uint8Array',
)`,
    zod: 'z.instanceof(Uint8Array)',
    valibot: 'v.instance(Uint8Array)',
    arktype: 'type.instanceOf(Uint8Array)',
  },
  {
    typebox: 'Type.String()',
    zod: 'z.string()',
    valibot: 'v.string()',
    arktype: "type('string')",
  },
  {
    typebox: 'Type.String({ maxLength: $1 })',
    zod: 'z.string().max($1)',
    valibot: 'v.pipe(v.string(), v.maxLength($1))',
    arktype: "type('string <= $1')",
  },
  {
    typebox: 'Type.String({ minLength: $1, maxLength: $2 })',
    zod: 'z.string().min($1).max($2)',
    valibot: 'v.pipe(v.string(), v.minLength($1), v.maxLength($2))',
    arktype: "type('$1 <= string <= $2')",
  },
  {
    typebox: "Type.String({ format: 'uuid' })",
    zod: 'z.uuid()',
    valibot: 'v.pipe(v.string(), v.uuid())',
    arktype: "type('string.uuid')",
  },
  {
    typebox: "Type.String({ pattern: '^[A-Za-z][A-Za-z0-9/._-]{0,63}$' })",
    zod: 'z.string().regex(/^[A-Za-z][A-Za-z0-9/._-]{0,63}$/)',
    valibot: 'v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9/._-]{0,63}$/))',
    arktype: 'type(/^[A-Za-z][A-Za-z0-9/._-]{0,63}$/)',
  },
  {
    typebox: 'Type.Boolean()',
    zod: 'z.boolean()',
    valibot: 'v.boolean()',
    arktype: "type('boolean')",
  },
  {
    typebox: 'Type.Integer({ minimum: $1 })',
    zod: 'z.int().min($1)',
    valibot: 'v.pipe(v.number(), v.integer(), v.minValue($1))',
    arktype: "type('number.integer >= $1')",
  },
  {
    typebox: 'Type.Integer({ minimum: $1, maximum: $2 })',
    zod: 'z.int().min($1).max($2)',
    valibot: 'v.pipe(v.number(), v.integer(), v.minValue($1), v.maxValue($2))',
    arktype: "type('$1 <= number.integer <= $2')",
  },
  {
    typebox: 'Type.Object({ home: goals, guests: goals })',
    zod: 'z.object({ home: goals, guests: goals })',
    valibot: 'v.object({ home: goals, guests: goals })',
    arktype: 'type({ home: goals, guests: goals })',
  },
  {
    typebox:
      'const counts = Type.Record(key, count, { additionalProperties: false, maxProperties: $1 });',
    zod: `const counts = z
  .record(key, count)
  .refine((all) => Object.keys(all).length <= $1, 'There are $1 keys at most');`,
    valibot: `const counts = v.pipe(
  v.record(key, count),
  v.check((all) => Object.keys(all).length <= $1, 'There are $1 keys at most'),
);`,
    arktype: `const keys = key.array().atMostLength($1);
const counts = type({ '[string]': count }).narrow(
  (all, context) => keys.allows(Object.keys(all)) || context.mustBe('$1 keys at most, all valid'),
);`,
  },
];

/** The texts that Zod 3 writes in another way, by the texts of Zod 4. */
const ZOD_3 = { 'z.int()': 'z.number().int()', 'z.uuid()': 'z.string().uuid()' };

/**
 * @param {string} text - the text of a file of an example
 * @param {{ name: string, isZod3?: boolean }} library
 * @returns {string} the text with the schemas of the library
 */
export function translated(text, { name, isZod3 = false }) {
  if (name === TYPEBOX) return text;
  const rows = ROWS.map(
    (row) => /** @type {const} */ ([row.typebox, row[/** @type {Library} */ (name)]]),
  );
  const own = rows.reduce((before, [from, to]) => replaced(before, from, to, name), text);
  if (!isZod3) return own;
  return Object.entries(ZOD_3).reduce((before, [from, to]) => before.replaceAll(from, to), own);
}

/**
 * @param {string} text
 * @param {string} from
 * @param {string} to
 * @param {string} library
 */
function replaced(text, from, to, library) {
  const pattern = RegExp(
    from
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\\\$\d/g, String.raw`([\d_]+)`),
    'g',
  );
  return text.replaceAll(pattern, (_, ...numbers) =>
    to.replaceAll(/\$(\d)/g, (__, at) => {
      const number = String(numbers[at - 1]);
      // The expressions of ArkType have no such separators.
      return library === 'arktype' ? number.replaceAll('_', '') : number;
    }),
  );
}
