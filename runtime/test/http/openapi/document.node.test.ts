/** The OpenAPI document of a contract describes the door, and a validator of another project accepts it. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as Type from 'typebox';
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { openApi } from '../../../src/http/openapi.ts';
import { writeJson } from '../../../src/http/values.ts';
import { compileContract, read, type Contract } from '../../../src/server.ts';
import { contract } from './contract.ts';

const login = { type: 'http', scheme: 'bearer' };
const document = openApi(
  { SHOP: contract },
  {
    info: { title: 'Shop', version: '2.0.0' },
    servers: [{ url: 'https://shop.example' }],
    securitySchemes: { login },
    security: [{ login: [] }],
  },
);

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content } | undefined>>;
}
type Content = Readonly<Record<string, { readonly schema: unknown }>>;
type Item = { readonly get?: Operation; readonly post?: Operation };

function operationsOf(name: string, { paths } = document): Item {
  return (paths[`/__rpc/SHOP/{instance}/${name}`] ?? {}) as Item;
}

function only(entry: Contract[string], options?: Parameters<typeof openApi>[1]) {
  const made = openApi({ SHOP: compileContract({ entry }) }, options);
  const { get, post } = operationsOf('entry', made);
  const operation = post ?? get;
  return {
    made,
    body: operation?.requestBody?.content['application/json']?.schema,
    result: operation?.responses['200']?.content?.['application/json']?.schema,
    responses: Object.keys(operation?.responses ?? {}),
  };
}

/** The rules of the specification, and a function that returns the problems that they find. */
const specification = await createConfig({ extends: ['spec'] });
async function problemsOf(checked: object): Promise<string[]> {
  const source = JSON.stringify(checked);
  const problems = await lintFromString({ source, config: specification });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test('an independent validator accepts a document with every kind of entry and schema', async () => {
  expect(await problemsOf(document)).toEqual([]);
});

test.each([
  ['a wrong type', '"type":"integer"', '"type":"whole"'],
  ['an invalid schema', '{"type":"integer"}', '["integer"]'],
  ['a reference without a target', 'schemas/Item"', 'schemas/Things"'],
  ['a path without its parameter', '{instance}', '{name}'],
])('the validator finds %s', async (_, right, wrong) => {
  const text = JSON.stringify(document).replace(right, wrong);
  expect(await problemsOf(JSON.parse(text) as object)).not.toEqual([]);
});

test('the document has the texts of the application', () => {
  expect(document).toMatchObject({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '2.0.0' },
    servers: [{ url: 'https://shop.example' }],
    tags: [{ name: 'SHOP' }],
    components: { securitySchemes: { login } },
    security: [{ login: [] }],
  });
});

test('each operation has an id of its own', () => {
  const ids = Object.values(document.paths as Record<string, Item>).flatMap(({ get, post }) =>
    [get, post].flatMap((operation) => operation?.operationId ?? []),
  );
  expect(ids).toContain('SHOP_find');
  expect(ids).toContain('SHOP_find_post');
  expect(new Set(ids).size).toBe(ids.length);
});

test('every reference has a target, and every component is used', () => {
  const text = JSON.stringify(document);
  const references = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, to]) => to),
  );
  const kinds = Object.entries(document.components).filter(([kind]) => kind !== 'securitySchemes');
  const components = kinds.flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `${kind}/${name}`),
  );
  expect([...references].toSorted()).toEqual(components.toSorted());
});

test.each([
  ['an object with a capability', 'login'],
  ['a capability', 'use'],
  ['a callback', 'load'],
  ['a stream', 'upload'],
  ['a bigint', 'big'],
  ['an object with a bigint', 'tree'],
  ['a date of Zod', 'zodDate'],
])('a method that takes or returns %s is left out', (_, name) => {
  expect(operationsOf(name)).toEqual({});
});

test('an optional callback is left out of its object', () => {
  expect(JSON.stringify(operationsOf('notify'))).not.toContain('done');
});

test.each([
  ['a method that may change the object', 'move', { get: false, post: true, key: true }],
  ['a read with a plain query', 'history', { get: true, post: false, key: false }],
  ['a live value', 'value', { get: true, post: false, key: false }],
  ['a read with a list in its query', 'find', { get: true, post: true, key: false }],
])('%s has its HTTP methods', (_, name, { get, post, key }) => {
  const item = operationsOf(name);
  expect([item.get !== undefined, item.post !== undefined]).toEqual([get, post]);
  expect(JSON.stringify(item).includes('idempotencyKey')).toBe(key);
});

test.each([
  ['a live value', 'value', ['application/json', 'text/event-stream']],
  ['a feed', 'news', ['text/event-stream']],
  ['a stream', 'digits', ['text/event-stream']],
  ['a presence', 'cursors', ['text/event-stream']],
  ['rows', 'seats', ['text/event-stream']],
])('%s can be followed', (_, name, types) => {
  const { get, post } = operationsOf(name);
  expect(post).toBeUndefined();
  expect(JSON.stringify(get?.parameters)).toContain('lastEventId');
  expect(Object.keys(get?.responses['200']?.content ?? {})).toEqual(types);
  expect(Object.keys(get?.responses ?? {})).toEqual(['200', '204', 'default']);
});

test('rows have no argument for their cursor', () => {
  const { get } = operationsOf('seats');
  expect(get?.parameters).toEqual([{ $ref: '#/components/parameters/lastEventId' }]);
});

test('a class without a journal takes no key', () => {
  const made = openApi({ SHOP: compileContract({ move: [Type.String()] }, { journal: false }) });
  expect(JSON.stringify(made)).not.toContain('dempotency');
});

describe('arguments', () => {
  const text = Type.String({ title: 'from' });
  test.each<[string, Contract[string], unknown]>([
    ['none', [], undefined],
    [
      'by name',
      [text],
      {
        type: 'object',
        required: ['from'],
        properties: { from: text },
        additionalProperties: false,
      },
    ],
    [
      'as a list without names',
      [Type.String(), Type.Optional(Type.Integer())],
      {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'integer' }],
        minItems: 1,
        maxItems: 2,
      },
    ],
    [
      'as a list with two equal names',
      [text, text],
      { type: 'array', prefixItems: [text, text], minItems: 2, maxItems: 2 },
    ],
    [
      'one object',
      [Type.Object({ a: text }, { title: 'b' })],
      { type: 'object', title: 'b', required: ['a'], properties: { a: text } },
    ],
    [
      'one object with an id',
      [z.object({ a: z.string() }).meta({ id: 'A' })],
      { $ref: '#/components/schemas/A' },
    ],
    [
      'with an argument that is optional by its schema',
      [z.string().default('x').meta({ title: 'a' })],
      {
        type: 'object',
        properties: { a: { type: 'string', title: 'a', default: 'x' } },
        additionalProperties: false,
      },
    ],
    [
      'of a library without JSON Schema',
      [mini.string()],
      {
        type: 'array',
        prefixItems: [{ description: 'Checked by a schema of zod, which makes no JSON Schema.' }],
        minItems: 1,
        maxItems: 1,
      },
    ],
  ])('%s', (_, entry, expected) => {
    expect(only(entry).body).toEqual(expected);
  });

  test('toJsonSchema makes the schemas of a library without JSON Schema', () => {
    const toJsonSchema = (schema: object): object | undefined =>
      '_zod' in schema ? mini.toJSONSchema(schema as never, { io: 'input' }) : undefined;
    const { body } = only([mini.object({ email: mini.string() })], { toJsonSchema });
    expect(body).toMatchObject({ properties: { email: { type: 'string' } } });
  });
});

const integers = { type: 'array', items: { type: 'integer' } };

describe('results, as the door writes them', () => {
  const bigint = { type: 'string', pattern: '^-?\\d+$' };
  const day = { type: 'string', format: 'date-time' };
  const base64 = { type: 'string', contentEncoding: 'base64' };
  const anObject = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
  });
  const when = new Date(0);

  test.each<[string, object, object, unknown]>([
    ['an array', Type.Array(Type.Integer()), integers, [1]],
    ['a bigint', Type.BigInt({ minimum: 0n, title: 'cents' }), { ...bigint, title: 'cents' }, 12n],
    ['a literal bigint', Type.Literal(1n as never), { ...bigint, const: '1' }, 1n],
    [
      'a tuple',
      Type.Tuple([Type.BigInt(), Type.Null()]),
      { type: 'array', prefixItems: [bigint, { type: 'null' }], minItems: 2, maxItems: 2 },
      [1n, null],
    ],
    [
      'a union with undefined',
      Type.Object({ a: Type.Union([Type.Integer(), Type.Undefined()]) }),
      { type: 'object', properties: { a: { type: 'integer' } } },
      { a: undefined },
    ],
    [
      'a list of types',
      Type.Unsafe({ type: ['bigint', 'null', 'undefined'] }),
      { anyOf: [bigint, { type: 'null' }] },
      1n,
    ],
    [
      'a union of texts',
      Type.Union([Type.Literal('a'), Type.Literal('b')]),
      { type: 'string', enum: ['a', 'b'] },
      'a',
    ],
    ['a pattern', Type.String({ pattern: /^a/ }), { type: 'string', pattern: '^a' }, 'ab'],
    [
      'a part by pointer',
      Type.Unsafe({
        type: 'object',
        properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } },
      }),
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { $ref: '#/components/schemas/a' } },
      },
      { b: 'c' },
    ],
    [
      'dependencies',
      Type.Unsafe({ dependencies: { a: ['b'], c: { required: ['d'] } } }),
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
      { a: 1, b: 2 },
    ],
    ['a date of Zod', z.object({ a: z.date() }), anObject({ a: day }), { a: when }],
    [
      'bytes of Zod',
      z.object({ a: z.instanceof(Uint8Array) }),
      anObject({ a: base64 }),
      { a: new Uint8Array(2) },
    ],
    ['a bigint of Zod', z.bigint(), bigint, 1n],
    [
      'a map of Zod',
      z.map(z.string(), z.date()),
      { type: 'array', items: { type: 'array', items: {}, minItems: 2, maxItems: 2 } },
      new Map([['a', when]]),
    ],
    ['the input of a transform of Zod', z.string().transform(Number), { type: 'string' }, '1'],
    [
      'a date of Valibot',
      toStandardJsonSchema(v.object({ a: v.date() })),
      anObject({ a: day }),
      { a: when },
    ],
    ['bytes of Valibot', toStandardJsonSchema(v.instance(Uint8Array)), base64, new Uint8Array(2)],
    ['a date of ArkType', type({ a: 'Date' }), anObject({ a: day }), { a: when }],
    ['a bigint of ArkType', type('bigint'), bigint, 1n],
    ['bytes of ArkType', type.instanceOf(Uint8Array), base64, new Uint8Array(2)],
  ])('%s', (_, output, expected, value) => {
    const { made, result } = only(read([], { output: output as never }));
    expect(result).toEqual(expected);
    const { schemas } = made.components;
    const check = Compile({ ...(result as object), components: { schemas } } as never);
    expect(check.Check(JSON.parse(writeJson(value) ?? ''))).toBe(true);
  });

  test.each<[string, Contract[string], string[]]>([
    ['unknown', [], ['200', '204', 'default']],
    ['nothing', { input: [], output: Type.Void() }, ['204', 'default']],
    ['nothing, with Zod', { input: [], output: z.void() }, ['204', 'default']],
    ['something', read([], { output: Type.String() }), ['200', 'default']],
    ['perhaps nothing', read([], { output: z.string().optional() }), ['200', '204', 'default']],
  ])('%s', (_, entry, expected) => {
    expect(only(entry).responses).toEqual(expected);
  });
});

describe('components', () => {
  const node = (value: Type.TSchema) =>
    Type.Cyclic({ Node: Type.Object({ value, next: Type.Optional(Type.Ref('Node')) }) }, 'Node');
  const contractOfNodes = (...outputs: Type.TSchema[]) =>
    compileContract(
      Object.fromEntries(outputs.map((output, index) => [`m${index}`, read([], { output })])),
    );
  const schemasOf = (...outputs: Type.TSchema[]) =>
    Object.keys(openApi({ SHOP: contractOfNodes(...outputs) }).components['schemas'] ?? {});

  test('with equal contents are one', () => {
    expect(schemasOf(node(Type.String()), node(Type.String()))).toEqual(['Problem', 'Node']);
  });

  test('with different contents and one name are two', () => {
    const names = schemasOf(node(Type.String()), node(Type.Null()));
    expect(names).toEqual(['Problem', 'Node', 'Node_2']);
  });

  test('of the document keep their names', () => {
    expect(schemasOf(Type.String({ $id: 'Problem' }))).toEqual(['Problem', 'Problem_2']);
  });

  test('inside another schema are found', () => {
    const made = openApi({ SHOP: contractOfNodes(Type.Array(node(Type.String()))) });
    expect(JSON.stringify(made.paths)).toContain('"items":{"$ref":"#/components/schemas/Node"}');
  });
});

test('a class without a contract is a TypeError', () => {
  expect(() => openApi({ SHOP: Map as never })).toThrow(
    'openApi: SHOP is not a class that lumenizeRpcDO returned',
  );
});
