/** Tests that the comparison on which other suites rely can fail. */
import { describe, expect, test } from 'vitest';
import { difference } from './same.ts';
import { cases, variants } from '../wire/cases.ts';

const date = (): Date => new Date(0);
const bytes = new Uint8Array([1, 2, 3, 4]);

function holes(length: number): unknown[] {
  return Object.assign([], { length });
}

function loop(): unknown[] {
  const array: unknown[] = [];
  array.push(array);
  return array;
}

function withStack(stack: string): Error {
  return Object.assign(new Error('x'), { stack });
}

describe('finds a difference between', () => {
  test.each<[string, unknown, unknown]>([
    ['0 and -0', 0, -0],
    ['0 and 0n', 0, 0n],
    ['null and undefined', null, undefined],
    ['NaN and null', Number.NaN, null],
    ['1 and "1"', 1, '1'],
    ['an object and null', {}, null],
    ['an object and an array', {}, []],
    ['a missing property and undefined', {}, { a: undefined }],
    ['two values of a property', { a: [1] }, { a: [2] }],
    ['two orders of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['a plain and a null prototype', {}, Object.create(null)],
    ['a hole and undefined', [undefined], holes(1)],
    ['two lengths', holes(2), holes(3)],
    ['a boxed and a bare number', new Number(1), 1],
    ['two boxed numbers', new Number(0), new Number(-0)],
    ['two dates', date(), new Date(1)],
    ['a date and an invalid date', date(), new Date(Number.NaN)],
    ['two flags', /a/g, /a/i],
    ['two values of lastIndex', /a/g, Object.assign(/a/g, { lastIndex: 1 })],
    ['two orders of a Set', new Set([1, 2]), new Set([2, 1])],
    ['two Maps with objects as keys', new Map([[{ a: 1 }, 1]]), new Map([[{ a: 2 }, 1]])],
    ['a Map and its entries', new Map([[1, 2]]), [[1, 2]]],
    ['two ArrayBuffers', new ArrayBuffer(1), new ArrayBuffer(2)],
    ['two bytes', new Uint8Array([1]), new Uint8Array([2])],
    ['two element types', new Int8Array(1), new Uint8Array(1)],
    ['two slices', bytes.subarray(0, 2), bytes.slice(1, 3)],
    [
      'two offsets in a buffer',
      Uint8Array.of(1, 2).subarray(0, 1),
      Uint8Array.of(1, 2).subarray(1),
    ],
    [
      'shared and separate buffers',
      [bytes, bytes.subarray(1)],
      [bytes, new Uint8Array(4).subarray(1)],
    ],
    ['a shared object and copies', [bytes, bytes], [bytes, bytes.slice()]],
    ['copies and a shared object', [date(), date()], Array.from({ length: 2 }).fill(date())],
    ['a cycle and a value without a cycle', loop(), [[]]],
    ['two cycles', loop(), [loop()]],
    ['two URLs', new URL('a:b'), new URL('a:c')],
    ['two Headers', new Headers({ a: '1' }), new Headers({ a: '2' })],
    ['two messages', new Error('a'), new Error('b')],
    ['two classes of error', new Error('a'), new TypeError('a')],
    ['two stacks', withStack('a'), withStack('b')],
    ['two names', withStack('a'), Object.assign(withStack('a'), { name: 'b' })],
    ['two properties', withStack('a'), Object.assign(withStack('a'), { b: 1 })],
    [
      'no cause and an undefined cause',
      withStack('a'),
      Object.assign(withStack('a'), { cause: undefined }),
    ],
    [
      'two causes',
      Object.assign(withStack('a'), { cause: 1 }),
      Object.assign(withStack('a'), { cause: 2 }),
    ],
  ])('%s', (_, sent, received) => {
    expect(difference(sent, received)).toEqual(expect.any(String));
    expect(difference(received, sent)).toEqual(expect.any(String));
    // The difference is also found within an array.
    expect(difference([sent], [received])).toEqual(expect.any(String));
  });

  test('any two cases of the table', () => {
    // An empty view of a buffer arrives as an empty view.
    const different = cases.filter(({ name }) => !name.startsWith('an empty slice of'));
    const others = different.map(({ name, value }) => ({ name, value: value() }));
    for (const { name, value } of different) {
      const one = value();
      const same = others.filter((other) => difference(one, other.value) === undefined);
      // Two errors that are created in the same way may have different stacks.
      expect(same.filter((other) => other.name !== name)).toEqual([]);
    }
  });
});

test.each(cases)('sees that $name equals itself', ({ value }) => {
  for (const { name, wrap } of variants) {
    const part = value();
    const whole = wrap(part);
    expect(difference(whole, whole), name).toBeUndefined();
  }
});

test('tells where and how two values differ', () => {
  const sent = { list: [new Map([['a', 0]])] };
  const received = { list: [new Map([['a', -0]])] };
  expect(difference(sent, received)).toBe('["list"]["0"].value(0): sent value 0, received -0');
});
