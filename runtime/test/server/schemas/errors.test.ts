/**
 * Tests the errors of the validator of a JSON Schema: for a value, and for a schema that it would
 * not check as written.
 */
import { type TSchema, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { explanations } from '../../../src/server/diagnostics/explanations.ts';
import { jsonValidator } from '../../../src/server/schemas/json-schema.ts';

const SHAPE = Type.Union([
  Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }),
  Type.Object({ kind: Type.Literal('line'), to: Type.String() }),
]);

/**
 * Schemas, values that do not match them, and the path and the message; also the message in
 * production if it differs.
 */
const INVALID: [TSchema, value: unknown, path: string, message: string, production?: string][] = [
  [Type.String(), 1, '', 'must be string, got 1'],
  [Type.String(), undefined, '', 'must be string, got undefined'],
  [Type.Integer(), 1.5, '', 'must be integer, got 1.5'],
  [Type.Integer(), '1', '', 'must be integer, got a string of 1 character'],
  [Type.Integer(), Number.NaN, '', 'must be integer, got NaN'],
  [Type.Number(), Infinity, '', 'must be number, got Infinity'],
  [Type.Number(), 10n, '', 'must be number, got 10n'],
  [Type.Boolean(), 'true', '', 'must be boolean, got a string of 4 characters'],
  [Type.Null(), undefined, '', 'must be null, got undefined'],
  [Type.BigInt(), 1, '', 'must be bigint, got 1'],
  [Type.Undefined(), null, '', 'must be undefined, got null'],
  [Type.Array(Type.Integer()), { 0: 1 }, '', 'must be array, got an object of 1 property'],
  [Type.Object({}), [], '', 'must be object, got an array of 0 items'],
  [Type.Unsafe({ type: ['string', 'null'] }), 5, '', 'must be string or null, got 5'],
  [Type.Literal('yes'), 'no', '', 'must be "yes", got a string of 2 characters'],
  [Type.Literal(0), '0', '', 'must be 0, got a string of 1 character'],
  [Type.Literal(10n), 11n, '', 'must be 10n, got 11n'],
  [
    Type.Enum(['red', 'green']),
    'blue',
    '',
    'must be "red" or "green", got a string of 4 characters',
  ],
  [Type.Unsafe({ const: { a: 1 } }), { a: 2 }, '', 'must be {"a":1}, got an object of 1 property'],
  [Type.Integer({ minimum: 1 }), 0, '', 'must be >= 1, got 0'],
  [Type.Integer({ maximum: 5 }), 6, '', 'must be <= 5, got 6'],
  [Type.Number({ exclusiveMinimum: 0 }), 0, '', 'must be > 0, got 0'],
  [Type.Number({ exclusiveMaximum: 1 }), 1, '', 'must be < 1, got 1'],
  [Type.Number({ multipleOf: 0.01 }), 0.001, '', 'must be multiple of 0.01, got 0.001'],
  [Type.Unsafe({ multipleOf: 3 }), 10n, '', 'must be multiple of 3, got 10n'],
  [Type.BigInt({ minimum: 5n }), 1n, '', 'must be >= 5, got 1n'],
  [Type.String({ minLength: 2 }), 'a', '', 'must have at least 2 characters, got 1'],
  [Type.String({ maxLength: 1 }), 'abc', '', 'must have at most 1 character, got 3'],
  [
    Type.String({ pattern: '^[a-z]+$' }),
    'A1',
    '',
    'must match pattern "^[a-z]+$", got a string of 2 characters',
  ],
  [
    Type.String({ pattern: /^a/g }),
    'ba',
    '',
    'must match pattern "^a", got a string of 2 characters',
  ],
  [
    Type.String({ format: 'email' }),
    'nobody',
    '',
    'must match format "email", got a string of 6 characters',
  ],
  [
    Type.TemplateLiteral('id-${string}'),
    'x',
    '',
    'must match pattern "^id-.*$", got a string of 1 character',
  ],
  [Type.Array(Type.String(), { minItems: 2 }), ['a'], '', 'must have at least 2 items, got 1'],
  [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], '', 'must have at most 1 item, got 2'],
  [
    Type.Array(Type.Integer(), { uniqueItems: true }),
    [1, 2, 1],
    '',
    'must not have duplicate items, got an array of 3 items',
  ],
  [
    Type.Array(Type.Integer(), { contains: Type.Literal(1) }),
    [2, 3],
    '',
    'must contain at least 1 valid item, got an array of 2 items',
  ],
  [
    Type.Array(Type.Integer(), { contains: Type.Literal(1), maxContains: 1 }),
    [1, 1],
    '',
    'must contain at most 1 valid item, got an array of 2 items',
  ],
  [Type.Array(Type.Integer()), [1, '2'], '[1]', 'must be integer, got a string of 1 character'],
  [Type.Tuple([Type.Integer(), Type.String()]), [1, 2], '[1]', 'must be string, got 2'],
  [Type.Tuple([Type.Integer()]), [1, 2], '[1]', 'is not allowed'],
  [Type.Tuple([Type.Integer()]), [], '', 'must have at least 1 item, got 0'],
  [Type.Object({ name: Type.String() }), {}, '.name', 'is required'],
  [
    Type.Object({ name: Type.String() }),
    { name: undefined },
    '.name',
    'must be string, got undefined',
  ],
  [
    Type.Object({ 'odd key': Type.String() }),
    { 'odd key': 1 },
    '["odd key"]',
    'must be string, got 1',
  ],
  [
    Type.Object({ a: Type.Integer() }, { additionalProperties: false }),
    { a: 1, b: 2 },
    '.b',
    'is not allowed',
  ],
  [
    Type.Object({}, { additionalProperties: Type.Integer() }),
    { b: 'x' },
    '.b',
    'must be integer, got a string of 1 character',
  ],
  [
    Type.Object({}, { additionalProperties: false }),
    new Map([['a', 1]]),
    '',
    'must be object, got a Map',
  ],
  [Type.Object({}, { minProperties: 1 }), {}, '', 'must have at least 1 property, got 0'],
  [
    Type.Object({}, { maxProperties: 1 }),
    { a: 1, b: 2 },
    '',
    'must have at most 1 property, got 2',
  ],
  [
    Type.Object({}, { propertyNames: { pattern: '^[a-z]' } }),
    { '1st': 1 },
    '["1st"]',
    'has a name that must match pattern "^[a-z]", got a string of 3 characters',
  ],
  [
    Type.Object({}, { dependentRequired: { a: ['b', 'c'] } }),
    { a: 1 },
    '',
    'must have properties b, c when property a is present, got an object of 1 property',
  ],
  [
    Type.Record(Type.String(), Type.Integer()),
    { 'a\nb': 'x' },
    '["a\\nb"]',
    'must be integer, got a string of 1 character',
  ],
  [
    Type.Object({ list: Type.Array(Type.Object({ id: Type.Integer() })) }),
    { list: [{ id: 1 }, { id: 'x' }] },
    '.list[1].id',
    'must be integer, got a string of 1 character',
  ],
  [
    Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })]),
    { a: 1, b: 'x' },
    '.b',
    'must be integer, got a string of 1 character',
  ],
  [
    Type.Unsafe({ type: 'object', properties: { a: true }, unevaluatedProperties: false }),
    { a: 1, b: 2 },
    '.b',
    'is not allowed',
  ],
  [
    Type.Unsafe({ not: { type: 'string' } }),
    'a',
    '',
    'must not be valid, got a string of 1 character',
  ],
  [Type.Never(), 1, '', 'must not be valid, got 1'],
  [
    Type.Unsafe({ oneOf: [{ type: 'integer' }, { minimum: 2 }] }),
    3,
    '',
    'must match exactly one schema in oneOf, got 3',
  ],
  [
    // oxlint-disable-next-line no-thenable -- it is a keyword
    Type.Unsafe({ if: { type: 'string' }, then: { minLength: 1 } }),
    '',
    '',
    'must have at least 1 character, got 0',
  ],
  [Type.Unsafe({ properties: { a: false } }), { a: 1 }, '.a', 'is not allowed'],
  [
    Type.Refine(Type.String(), () => false),
    'x',
    '',
    'must pass the check of its Type.Refine, got a string of 1 character',
  ],
  [
    Type.Refine(
      Type.String(),
      () => false,
      () => 'must be a word',
    ),
    'x',
    '',
    'must be a word, got a string of 1 character',
  ],
  [Type.Union([Type.String(), Type.Null()]), 5, '', 'must be string or null, got 5'],
  [
    Type.Union([Type.Literal('big'), Type.Literal('small')]),
    'medium',
    '',
    'must be "big" or "small", got a string of 6 characters',
  ],
  [
    Type.Cyclic(
      { List: Type.Object({ next: Type.Optional(Type.Ref('List')), size: Type.Integer() }) },
      'List',
    ),
    { size: 1, next: { size: 'x' } },
    '.next.size',
    'must be integer, got a string of 1 character',
  ],
  [
    SHAPE,
    { kind: 'line', to: 5 },
    '.to',
    'must be string, got 5',
    'must fit a schema of its union, got an object of 2 properties',
  ],
  [
    SHAPE,
    { kind: 'dot' },
    '.kind',
    'must be "circle" or "line", got a string of 3 characters',
    'must fit a schema of its union, got an object of 1 property',
  ],
  [
    SHAPE,
    {},
    '.kind',
    'is required',
    'must fit a schema of its union, got an object of 0 properties',
  ],
  [SHAPE, 'dot', '', 'must be object, got a string of 3 characters'],
];

describe('an error names the path, the expectation and the value', () => {
  test.each(INVALID)('%o of %o', (schema, value, path, message, production) => {
    const development = jsonValidator(schema, 'own', explanations);
    expect(development.validate(value)).toEqual({ issues: [{ path, message }] });
    const short = production ? { path: '', message: production } : { path, message };
    expect(jsonValidator(schema, 'own').validate(value)).toEqual({ issues: [short] });
  });
});

/**
 * Schemas that would leave a value unchecked, and the error when a class is defined, also in
 * production.
 */
const MISTAKEN: [schema: unknown, message: string][] = [
  [undefined, 'own is not a schema'],
  [[Type.String()], 'own is not a schema'],
  [{ minimun: 1 }, 'own has an unknown keyword minimun'],
  [
    Type.Object({ age: Type.Integer({ minimun: 1 }) }),
    'own.properties.age has an unknown keyword minimun',
  ],
  [{ anyOf: [true, { typ: 'string' }] }, 'own.anyOf[1] has an unknown keyword typ'],
  [{ toString: 1 }, 'own has an unknown keyword toString'],
  [{ $dynamicRef: '#a' }, 'own has an unknown keyword $dynamicRef'],
  [{ type: 'int' }, 'own has an unknown type int'],
  [{ type: ['string', 'text'] }, 'own has an unknown type string,text'],
  [Type.String({ format: 'iban' }), 'own has an unknown format iban'],
  [
    Type.String({ minimum: 1 }),
    'own has the keyword minimum, which does not apply to the type string',
  ],
  [{ maximum: '1' }, 'own has the keyword maximum, whose value is not a number'],
  [{ multipleOf: 0 }, 'own has the keyword multipleOf, whose value is not a number above 0'],
  [{ pattern: '(' }, 'own has the keyword pattern, whose value is not a regular expression'],
  [
    { patternProperties: { '(': true } },
    'own has the keyword patternProperties, whose value is not schemas by regular expression',
  ],
  [{ required: 'a' }, 'own has the keyword required, whose value is not a list of names'],
  [{ enum: 'a' }, 'own has the keyword enum, whose value is not a list'],
  [{ anyOf: {} }, 'own has the keyword anyOf, whose value is not a list of schemas'],
  [{ $ref: '#/$defs/No' }, 'own has the $ref #/$defs/No, which leads to no schema'],
  [
    Type.Object({ a: Type.Ref('Missing') }),
    'own.properties.a has the $ref Missing, which leads to no schema',
  ],
];

test.each(MISTAKEN)('%o is refused when a class is defined', (schema, message) => {
  expect(() => jsonValidator(schema, 'own')).toThrow(new TypeError(message));
});

test.each([true, false])('a schema can be %s', (schema) => {
  expect(!jsonValidator(schema, 'own').validate(1).issues).toBe(schema);
});
