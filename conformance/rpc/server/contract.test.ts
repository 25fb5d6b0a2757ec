/** How arguments are checked, and how a refusal names the part that is wrong. */
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileContract } from '../../../template/src/rpc/server.ts';

const { methods } = compileContract({
  none: [],
  optional: [Type.String(), Type.Optional(Type.Number())],
  order: {
    input: [
      Type.Object({
        items: Type.Array(Type.Object({ sku: Type.String(), 'in stock': Type.Boolean() })),
        note: Type.Optional(Type.String({ maxLength: 3 })),
      }),
    ],
    readonly: true,
  },
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
    expect(() => methods.get(method)?.check(args)).not.toThrow();
  });
});

describe('refuses', () => {
  test.each([
    ['none', [1], '[0]', 'takes 0 arguments, got 1'],
    ['optional', [], '[0]', 'argument [0] must be string, got undefined'],
    ['optional', ['a', null], '[1]', 'argument [1] must be number, got null'],
    ['optional', ['a', 1, 2], '[2]', 'takes 2 arguments, got 3'],
    ['order', [[]], '[0]', 'argument [0] must be object, got an array'],
    ['order', [{}], '[0].items', 'argument [0].items is required'],
    [
      'order',
      [{ items: [item, { sku: 1, 'in stock': true }] }],
      '[0].items[1].sku',
      'must be string',
    ],
    ['order', [{ items: [{ 'in stock': true }] }], '[0].items[0].sku', 'is required'],
    ['order', [{ items: [{ sku: 'a' }] }], '[0].items[0]["in stock"]', 'is required'],
    ['order', [{ items: [], note: 'long' }], '[0].note', 'got string'],
  ])('%s %j', (method, args, path, problem) => {
    expect(() => methods.get(method)?.check(args)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENTS',
        path,
        message: expect.stringContaining(problem),
      }),
    );
  });
});
