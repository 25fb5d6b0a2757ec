/**
 * Tests how schemas of libraries other than TypeBox check arguments. The cases run in Node and in
 * the Workers runtime.
 */
import * as Type from '../../../../src/typebox.ts';
import { describe, expect, test } from 'vitest';
import * as zod3 from 'zod/v3';
import { compileContract, read, RpcError, stream } from '../../../../src/server.ts';
import type { StandardSchema } from '../../../../src/server/base/standard-schema.ts';
import { LIBRARIES, Money, NAMES, schemasOf } from './libraries.ts';

/** Returns the arguments that the method receives, or the error of the call. */
function received(schemas: readonly object[], args: unknown[]): unknown {
  const { methods } = compileContract({ save: [...schemas] });
  try {
    return methods.get('save')?.validate(args);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return error;
  }
}

const refused = (path: string, message: string): unknown =>
  expect.objectContaining({
    code: 'INVALID_ARGUMENTS',
    path,
    message: expect.stringContaining(`save: argument ${path} ${message}`) as unknown,
  });

/** Returns nested lists. */
function nested(depth: number): unknown {
  let tree = { value: 0, children: [] as unknown[] };
  for (let level = 0; level < depth; level++) tree = { value: level, children: [tree] };
  return tree;
}

/** Returns a schema that is written by hand. */
function schemaOf(validate: StandardSchema['~standard']['validate']): StandardSchema {
  return { '~standard': { version: 1, vendor: 'own', validate } };
}

/** Declares the tests. */
export function checkLibraries(): void {
  describe.each(NAMES)('a schema of %s', (name) => {
    const schemas = schemasOf(name);

    test('passes its output to the method', () => {
      expect(received([schemas.item], [{ sku: 'a' }])).toEqual([{ sku: 'a', amount: 1 }]);
      expect(received([schemas.day], ['2026-01-02'])).toEqual([new Date('2026-01-02')]);
      const [money] = received([schemas.money], [5]) as [Money];
      expect(money).toBeInstanceOf(Money);
      expect(money.cents).toBe(5);
      expect(received([schemas.counts], [{ a: 1, b: 2 }])).toEqual([{ a: 1, b: 2 }]);
      expect(received([schemas.either], ['a'])).toEqual(['a']);
      expect(received([schemas.tree], [nested(20)])).toEqual([nested(20)]);
      expect(received([schemas.numbers], [[1, 2]])).toEqual([[1, 2]]);
      expect(received([schemas.members], [new Set(['a'])])).toEqual([new Set(['a'])]);
    });

    test.each<[keyof typeof schemas, unknown, string]>([
      ['text', 1, ''],
      ['item', { sku: 1 }, '.sku'],
      ['item', 'a', ''],
      ['item', null, ''],
      ['either', true, ''],
      ['day', 5, ''],
      ['money', '5', ''],
      ['even', 3, ''],
      ['even', Number.NaN, ''],
      ['tree', { value: 1, children: [{ value: 1, children: [{}] }] }, '.children[0].children[0]'],
      ['counts', { a: 1, 'odd key': 'b' }, '["odd key"]'],
      ['numbers', [1, 'a'], '[1]'],
      ['number', 10n, ''],
      ['number', undefined, ''],
    ])('refuses: %s %o', (schema, value, path) => {
      const failure = received([schemas[schema]], [value]);
      expect(failure).toMatchObject({
        code: 'INVALID_ARGUMENTS',
        path: expect.stringMatching(
          path ? `^\\[0\\]${path.replaceAll(/[[\].]/g, '\\$&')}` : /^\[0\]$/,
        ) as unknown,
      });
      const { message, path: place } = failure as RpcError;
      expect(message).toContain(`save: argument ${place} is not valid: `);
    });

    test('uses the message of a refinement', () => {
      expect(received([schemas.even], [3])).toEqual(refused('[0]', 'is not valid: must be even'));
    });

    test('lets a client leave out the last arguments that accept undefined', () => {
      const all = [schemas.text, schemas.optional, schemas.fallback];
      expect(received(all, ['a'])).toEqual(['a', undefined, 10]);
      expect(received(all, ['a', undefined, undefined])).toEqual(['a', undefined, 10]);
      expect(received(all, ['a', 'b', 5])).toEqual(['a', 'b', 5]);
      expect(received([schemas.optional], [])).toEqual([]);
      expect(received(all, [])).toEqual(refused('[0]', 'is not valid: '));
      expect(received(all, ['a', null])).toEqual(refused('[1]', 'is not valid: '));
      expect(received(all, ['a', 'b', 5, 6])).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    });

    test('can be beside schemas of TypeBox', () => {
      const mixed = [Type.Integer(), schemas.day, Type.Optional(Type.String())];
      expect(received(mixed, [1, '2026-01-02'])).toEqual([1, new Date('2026-01-02')]);
      expect(received(mixed, [1.5, '2026-01-02'])).toEqual(refused('[0]', 'must be integer'));
      expect(received(mixed, [1, 5])).toEqual(refused('[1]', 'is not valid'));
    });

    test('does not change the value that the client has sent', () => {
      const args = [{ sku: 'a' }];
      expect(received([schemas.item], args)).toEqual([{ sku: 'a', amount: 1 }]);
      expect(args).toEqual([{ sku: 'a' }]);
      expect(received([schemas.item], args)).toEqual([{ sku: 'a', amount: 1 }]);
    });

    test('refuses a value if its check throws an error', () => {
      expect(received([schemas.throwing], ['a'])).toEqual(
        refused(
          '[0]',
          'could not be checked by its schema: it threw TypeError: a bug in the check',
        ),
      );
      expect(received([schemas.throwing], [1])).toEqual(refused('[0]', 'is not valid'));
    });

    test('refuses a value each time if it returns a promise', () => {
      for (const value of ['a', 'b', 'c']) {
        expect(received([schemas.asynchronous], [value])).toEqual(
          refused(
            '[0]',
            'could not be checked by its schema: it returned a promise. Use synchronous',
          ),
        );
      }
    });

    test('handles values that contain themselves', () => {
      const tree = { value: 1, children: [] as unknown[] };
      tree.children.push(tree);
      const outcome = received([schemas.tree], [tree]);
      // Some libraries find the cycle, and others overflow the stack.
      if (outcome instanceof RpcError) {
        expect(outcome).toEqual(
          refused(
            '[0]',
            'could not be checked by its schema: the value is nested too deeply, or contains itself',
          ),
        );
      } else {
        const [made] = outcome as [typeof tree];
        expect(made.children[0]).toBe(made);
      }
      // Later calls are not affected.
      expect(received([schemas.tree], [nested(3)])).toEqual([nested(3)]);
      const wrong = { value: 'a', children: [] as unknown[] };
      wrong.children.push(wrong, wrong);
      expect(received([schemas.tree], [wrong])).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    });

    test('handles a value that is nested deeper than the stack', () => {
      const failure = received([schemas.tree], [nested(200_000)]);
      expect(failure).toEqual(
        refused(
          '[0]',
          'could not be checked by its schema: the value is nested too deeply, or contains itself',
        ),
      );
    });

    test('ignores an own property __proto__', () => {
      const hostile = JSON.parse('{"sku":"a","__proto__":{"amount":666}}') as object;
      const [item] = received([schemas.item], [hostile]) as [object];
      expect(item).toHaveProperty('amount', 1);
      expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
      const record = JSON.parse('{"a":1,"__proto__":2}') as object;
      const counts = received([schemas.counts], [record]);
      if (counts instanceof RpcError) return;
      expect(Object.getPrototypeOf((counts as [object])[0])).toBe(Object.prototype);
    });

    test('accepts and refuses large values', () => {
      const many = Array.from({ length: 100_000 }, (_, index) => index);
      expect(received([schemas.numbers], [many])).toEqual([many]);
      const wrong = many.map(String);
      expect(received([schemas.numbers], [wrong])).toEqual(refused('[0][0]', 'is not valid'));
      expect(received([schemas.number], [Number.MAX_SAFE_INTEGER + 2])).toEqual([
        Number.MAX_SAFE_INTEGER + 2,
      ]);
      expect(received([schemas.text], [2n ** 4_000n])).toEqual(refused('[0]', 'is not valid'));
      const { message } = received([schemas.number], ['x'.repeat(1_000_000)]) as RpcError;
      expect(message.length).toBeLessThan(600);
    });
  });

  describe.each(NAMES)('an output schema of %s', (name) => {
    const schemas = schemasOf(name);
    const { methods } = compileContract({
      text: { input: [], output: schemas.text },
      items: stream([], { output: schemas.item as never }),
      throwing: read([], { output: schemas.throwing as never }),
    });

    test('checks results in development', () => {
      expect(() => methods.get('text')?.checkOutput?.('a')).not.toThrow();
      expect(() => methods.get('items')?.checkOutput?.({ sku: 'a' }, 5)).not.toThrow();
      expect(() => methods.get('text')?.checkOutput?.(5)).toThrow(
        expect.objectContaining({
          code: 'UNSERIALIZABLE',
          path: '',
          message: expect.stringMatching(
            /^The result of text does not match its output schema: it is not valid: /,
          ) as unknown,
        }),
      );
      expect(() => methods.get('items')?.checkOutput?.({ sku: 5 }, 7)).toThrow(
        expect.objectContaining({ code: 'UNSERIALIZABLE', path: '[7].sku' }),
      );
      expect(() => methods.get('throwing')?.checkOutput?.('a')).toThrow(
        expect.objectContaining({
          code: 'UNSERIALIZABLE',
          message: expect.stringContaining(
            'it could not be checked by its schema: it threw',
          ) as unknown,
        }),
      );
    });
  });

  test('a schema of Zod 3', () => {
    expect(received([zod3.object({ a: zod3.number().default(1) })], [{}])).toEqual([{ a: 1 }]);
    expect(received([zod3.object({ a: zod3.number() })], [{ a: 'b' }])).toEqual(
      refused('[0].a', 'is not valid: Expected number, received string'),
    );
    expect(received([zod3.string().optional()], [])).toEqual([]);
  });

  describe('paths', () => {
    test.each<[unknown, string]>([
      [undefined, '[0]'],
      [[], '[0]'],
      [['a', 0, { key: 'b c' }, { key: 1 }], '[0].a[0]["b c"][1]'],
      [[{ key: Symbol('s') }, Symbol('t')], '[0]["Symbol(s)"]["Symbol(t)"]'],
      [['0', -1, 1.5, ''], '[0][0]["-1"]["1.5"][""]'],
      // The key of a Map.
      [['map', { key: { toString: 5 } }, 'never'], '[0].map'],
      [['map', { toString: 5 }, 'never'], '[0].map'],
      [['map', null, 'never'], '[0].map'],
    ])('%o', (path, text) => {
      const issues = [
        { message: 'wrong', path },
        { message: 'more', path: ['other'] },
      ] as never;
      expect(received([schemaOf(() => ({ issues }))], [1])).toEqual(
        refused(text, 'is not valid: wrong'),
      );
    });

    test('of ArkType, whose list is a subclass of Array', () => {
      expect(received([LIBRARIES.arktype.text], [1])).toMatchObject({ path: '[0]' });
      expect(received([LIBRARIES.arktype.numbers], [['a']])).toMatchObject({ path: '[0][0]' });
    });
  });

  describe('a schema that breaks the standard', () => {
    test.each<[string, () => unknown, string]>([
      [
        'returns nothing',
        () => undefined,
        'could not be checked by its schema: it returned undefined',
      ],
      ['returns null', () => null, 'could not be checked by its schema: it returned null'],
      ['returns a text', () => 'value', 'could not be checked by its schema: it returned a string'],
      [
        'returns an object',
        () => ({}),
        'could not be checked by its schema: it returned an object',
      ],
      ['returns no issue', () => ({ issues: [] }), 'is not valid: no reason was given'],
      ['returns an issue of nothing', () => ({ issues: [undefined] }), 'is not valid: no reason'],
      [
        'returns issues that are not a list',
        () => ({ issues: true }),
        'is not valid: no reason was given',
      ],
      ['returns an issue without a message', () => ({ issues: [{}] }), 'is not valid: no reason'],
      [
        'returns a path that is not a list',
        () => ({ issues: [{ path: 5 }] }),
        'could not be checked',
      ],
      [
        'rejects',
        () => Promise.reject(new Error('late')),
        'could not be checked by its schema: it re',
      ],
      [
        'is thenable',
        () => ({ ['then' as string]: (_: unknown, no: () => void) => no() }),
        'could not be checked',
      ],
      [
        'throws undefined',
        () => {
          // oxlint-disable-next-line no-throw-literal -- as any library might
          throw undefined;
        },
        'could not be checked by its schema',
      ],
    ])('%s', async (_, validate, message) => {
      const schema = schemaOf(validate as never);
      expect(received([schema], [1])).toEqual(refused('[0]', message));
      // An unhandled rejection fails the test.
      await new Promise((resolve) => setTimeout(resolve));
    });

    test('returns the value undefined', () => {
      expect(received([schemaOf(() => ({ value: undefined }))], [1])).toEqual([undefined]);
    });

    test('returns the value NaN', () => {
      expect(received([schemaOf(() => ({ value: Number.NaN }))], [1])).toEqual([Number.NaN]);
    });

    test('changes its input, and returns it', () => {
      const schema = schemaOf((value) => {
        (value as unknown[]).push('more');
        return { value };
      });
      expect(received([schema, Type.Array(Type.String())], [[], []])).toEqual([['more'], []]);
    });

    test('has its validate in a prototype', () => {
      class Own {
        readonly '~standard' = new (class {
          readonly version = 1;
          readonly vendor = 'own';
          validate(value: unknown) {
            return { value: [this.vendor, value] };
          }
        })();
      }
      expect(received([new Own()], [1])).toEqual([['own', 1]]);
    });
  });

  describe('a value that is not a schema is refused when a contract lists it, and the error says what to write', () => {
    test.each<[string, unknown, string]>([
      [
        'an object of schemas',
        { name: LIBRARIES.zod.text },
        'save: argument [0] is not a schema, but an object of schemas: write z.object({ name: … })',
      ],
      [
        'a module',
        { string: () => LIBRARIES.zod.text, object: () => LIBRARIES.zod.item },
        'is not a schema, but a whole module: call a function of it, such as z.string()',
      ],
      [
        'a function',
        function string() {},
        'is not a schema, but the function string: if it makes a schema, call it',
      ],
      [
        'a definition',
        'string',
        'is not a schema, but a text: make a schema from it, for example with type(…)',
      ],
      ['a list of schemas', [LIBRARIES.zod.text], 'is not a schema, but an array: write a schema'],
      [
        'a schema of an old version of a library',
        new (class ZodString {
          readonly _def = {};
          parse(): void {}
        })(),
        'is not a schema, but an instance of ZodString without ~standard: update its library',
      ],
      [
        'a schema within a schema of TypeBox',
        Type.Object({ name: LIBRARIES.zod.text as never }),
        'save: argument [0].properties.name is a schema of zod inside a schema of TypeBox',
      ],
      [
        'a schema of ArkType within a schema of TypeBox',
        Type.Array(LIBRARIES.arktype.text as never),
        'save: argument [0].items is a schema of arktype inside a schema of TypeBox',
      ],
      ...NAMES.map((name): [string, unknown, string] => [
        `Type.Optional of a schema of ${name}`,
        Type.Optional(schemasOf(name).text as never),
        'save: argument [0] is Type.Optional() of a schema of another library than TypeBox: use the',
      ]),
      [
        'a schema of another version of the standard',
        { '~standard': { version: 2, vendor: 'own', validate: () => ({ value: 1 }) } },
        'save: argument [0] is a schema of own with another version of Standard Schema than 1',
      ],
      [
        'a schema without a function',
        { '~standard': { version: 1, vendor: 'own' } },
        'with another version of Standard Schema than 1',
      ],
      [
        'an asynchronous schema of Valibot',
        { ...LIBRARIES.valibot.asynchronous, async: true },
        'is an asynchronous schema of valibot: use a synchronous schema',
      ],
    ])('%s', (_, schema, message) => {
      for (const entry of [[schema], { input: [], output: schema }]) {
        expect(() => compileContract({ save: entry as never })).toThrow(
          message.replace(/argument \[0\]/, Array.isArray(entry) ? '$&' : 'output'),
        );
      }
    });
  });
}
