/**
 * The last value of a method decides which codec is tried first. The choice changes neither the
 * text of any value nor the error for a value that cannot be sent.
 */
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { encodeCall, encodeResult } from '../../src/wire/messages.ts';
import { CALL, type ReferenceOf } from '../../src/wire/values/rich-encoder.ts';
import { tries } from '../support/effort.ts';
import { graph, tree } from './random-graph.ts';
import { plainCases, richCases, variants } from './cases.ts';

vi.setConfig({ testTimeout: 120_000 });

const FORMS = {
  result: (value: unknown, habit: { isRich?: boolean }, of?: ReferenceOf) =>
    encodeResult(1, value, of, habit),
  arguments: (value: unknown, habit: { isRich?: boolean }, of?: ReferenceOf) =>
    encodeCall(1, 'method', [value, 1, value], of, habit),
};

/**
 * Returns the text that a method writes for a value after a rich or a plain value, and whether it
 * has noted a rich value.
 */
function writtenAfter(
  isRich: boolean,
  form: keyof typeof FORMS,
  value: unknown,
): [text: string, isRich: boolean | undefined] {
  const habit = { isRich };
  try {
    return [FORMS[form](value, habit), habit.isRich];
  } catch (error) {
    return [`${error} at ${(error as { path?: string }).path}`, undefined];
  }
}

function expectSame(value: unknown): void {
  for (const form of ['result', 'arguments'] as const) {
    const [text, isRich] = writtenAfter(false, form, value);
    expect(writtenAfter(true, form, value)).toEqual([text, isRich]);
    if (form === 'result') expect(FORMS[form](value, {})).toBe(text);
  }
}

describe.each<[string, fc.Arbitrary<unknown>]>([
  ['graphs with sharing and cycles', graph],
  ['trees of all values of fast-check', tree()],
  ['JSON', fc.jsonValue({ maxDepth: 5 })],
])('%s', (_, arbitrary) => {
  test('have the same text', () => {
    const writable = arbitrary.filter((value) => value !== undefined);
    const same = fc.property(writable, (value) => {
      try {
        encodeResult(1, value);
      } catch {
        // A key `__proto__` is in the table of errors below.
        fc.pre(false);
      }
      expectSame(value);
    });
    fc.assert(same, { numRuns: tries(3_000) });
  });
});

describe.each(variants)('$name', ({ wrap }) => {
  test.each([...plainCases, ...richCases])('$name', ({ value }) => {
    const sent = wrap(value());
    if (sent !== undefined) expectSame(sent);
  });
});

/** A subclass of Array, which arrives as an array and which JSON cannot represent. */
class List extends Array<number> {
  get sum(): number {
    return this.reduce((one, other) => one + other, 0);
  }
}

function nested(levels: number): unknown {
  let value: unknown = [1, 2];
  for (let level = 1; level < levels; level++) value = { value };
  return value;
}

function hidden(key: string, value: unknown): object {
  return Object.defineProperty({ shown: 1 }, key, { value, enumerable: false });
}

describe('the same text for', () => {
  test.each<[name: string, value: unknown]>([
    ['an array without a marker', [1, 2]],
    ['arrays with a marker', { none: [], one: [1], text: ['Date', 1] }],
    ['an array of a subclass', List.from([1, 2])],
    ['an array of a subclass in an object', { list: List.from([1, 2]) }],
    ...[99, 100, 101, 102, 103].map((levels): [string, unknown] => [
      `${levels} levels`,
      nested(levels),
    ]),
    ['100 000 objects', Array.from({ length: 99_999 }, () => ({}))],
    ['100 001 objects', Array.from({ length: 100_000 }, () => ({}))],
    ['a hidden `then`', hidden('then', () => {})],
    ['a hidden `__proto__`', hidden('__proto__', {})],
    ['a hidden `toJSON`', hidden('toJSON', () => 5)],
    ['a hidden function', hidden('run', () => {})],
    ['a key that is a symbol', { [Symbol('mark')]: 1, a: 2 }],
  ])('%s', (_, value) => expectSame(value));
});

describe('the same error for', () => {
  test.each<[name: string, value: unknown]>([
    ['a function', { run: () => {} }],
    ['a promise', [Promise.resolve(1)]],
    ['a thenable', Object.fromEntries([[['th', 'en'].join(''), () => {}]])],
    ['an instance of a class', new Map([['key', new EventTarget()]])],
    ['a key `__proto__`', JSON.parse('{"__proto__":1}')],
    ['1 001 levels', nested(1_001)],
    [
      'a getter that throws',
      {
        get part() {
          throw new Error('no');
        },
      },
    ],
  ])('%s', (_, value) => {
    for (const form of ['result', 'arguments'] as const) {
      const [text] = writtenAfter(false, form, value);
      expect(text).toMatch(/Error/);
      expect(writtenAfter(true, form, value)[0]).toBe(text);
    }
  });
});

test('a method remembers which codec its last value needed', () => {
  const habit: { isRich?: boolean } = {};
  const seen: unknown[] = [];
  for (const value of [1, new Date(0), { a: [] }, [undefined], { at: new Date(0) }, 'text']) {
    encodeResult(1, value, undefined, habit);
    seen.push(!!habit.isRich);
  }
  expect(seen).toEqual([false, true, false, true, true, false]);
});

test('a rich value is not checked before it is written', () => {
  let reads = 0;
  const value = {
    get counted() {
      reads++;
      return 1;
    },
    at: new Date(0),
  };
  const habit = {};
  encodeResult(1, value, undefined, habit);
  const both = reads;
  encodeResult(1, value, undefined, habit);
  expect(reads - both).toBeLessThan(both);
});

test('each reference is requested once', () => {
  const result = Symbol('a result that is not there yet');
  for (const isRich of [false, true]) {
    const asked: unknown[] = [];
    const of: ReferenceOf = (value) => {
      asked.push(value);
      return value === result ? [CALL, 1] : undefined;
    };
    const at = new Date(0);
    expect(encodeCall(2, 'method', [{ at, result }, result], of, { isRich })).toBe(
      '[2,"method","rich",[[{"at":["Date",0],"result":[1]},[-4]],["Call",1]]]',
    );
    // The Date is not requested, because a value with a tag is sent as a value.
    expect(asked).toEqual([result]);
  }
});
