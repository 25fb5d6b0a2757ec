/**
 * Values that are costly to create are created only after their schema has accepted them. The
 * schema can use them as if they existed.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as Type from '../../../src/typebox.ts';
import { callback, compileContract, type StandardSchema, streamOf } from '../../../src/server.ts';
import { encodeRich } from '../../../src/wire/values/rich-encoder.ts';
import { thrownBy } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';
import { NAMES, schemasOf } from '../contract/standard/libraries.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

const MANY = Array.from({ length: 400 }, (_, index) => index + 0.25);
const LAST = MANY.at(-1);

const PATTERN = 'a(?<rest>\\p{L}+)';

/** The values, and the number of calls of a built-in method that create their contents. */
const VALUES = {
  'a RegExp': {
    make: (): object => new RegExp(PATTERN, 'giu'),
    spied(): () => number {
      const spy = vi.spyOn(RegExp.prototype, 'compile');
      return () => spy.mock.calls.filter(([source]) => source === PATTERN).length;
    },
  },
  'a large Set': {
    make: (): object => new Set<unknown>([...MANY, 'a', new Date(0)]),
    spied(): () => number {
      const spy = vi.spyOn(Set.prototype, 'add');
      return () => spy.mock.calls.filter(([member]) => member === LAST).length;
    },
  },
  'a large Map': {
    make: (): object => new Map<unknown, unknown>([...MANY, 'a'].map((key) => [key, { key }])),
    spied(): () => number {
      const spy = vi.spyOn(Map.prototype, 'set');
      return () => spy.mock.calls.filter(([key]) => key === LAST).length;
    },
  },
};

class Taker {
  sum(): void {}

  text(): void {}

  standard(value: { of: unknown }): void {
    taken = value.of;
  }

  take(value: unknown): void {
    taken = value;
  }

  async sums(items: AsyncIterable<unknown>): Promise<void> {
    for await (const item of items) taken = item;
  }

  all(items: AsyncIterable<unknown>): Promise<void> {
    return this.sums(items);
  }

  async ask(ask: () => Promise<unknown>): Promise<void> {
    taken = await ask();
  }

  askNumber(ask: () => Promise<unknown>): Promise<void> {
    return this.ask(ask);
  }
}

/** The check of the schema of `checked`. */
let check: (value: never) => boolean;

const checked = Type.Refine(
  Type.Unsafe<unknown>({}),
  (value) => check(value as never),
  () => 'must pass the check',
);

/** The same check as a schema of another library, which also replaces the value. */
const standard: StandardSchema<unknown, { of: unknown }> = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (of) =>
      check(of as never) ? { value: { of } } : { issues: [{ message: 'must pass the check' }] },
  },
};

const contract = compileContract({
  standard: [standard],
  sum: [Type.Integer()],
  take: [checked],
  sums: [streamOf(Type.Integer())],
  all: [streamOf(Type.Unknown())],
  ask: [callback([], Type.Unknown())],
  askNumber: [callback([], Type.Integer())],
});

let raw: RawConnection;
let taken: unknown;

beforeEach(() => {
  raw = openPort(new Taker(), contract);
  check = () => true;
  taken = undefined;
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Calls a method with one argument. */
async function call(method: string, value: unknown): Promise<unknown[]> {
  raw.sendMessages(`[1,"${method}","rich",${encodeRich([value])}]`);
  const heard = await raw.until(([id]) => id === 1);
  return heard.find(([id]) => id === 1) as unknown[];
}

/** Makes a method call back, or read a stream, and sends the value as the answer or the item. */
async function bring(method: string, value: unknown): Promise<unknown[]> {
  const isAsked = method.startsWith('ask');
  raw.sendMessages(`[1,"${method}","rich",[[[[1]]],["${isAsked ? 'Function' : 'Stream'}",1]]]`);
  const text = encodeRich(value);
  if (isAsked) {
    const [asked = []] = await raw.until(([kind]) => kind === 'call');
    raw.sendMessages(`["return",${asked[1]},"rich",${text}]`);
  } else raw.sendMessages(`["item",1,1,"rich",${text}]`, '["end",1,1]');
  const heard = await raw.until(([id]) => id === 1);
  return heard.find(([id]) => id === 1) as unknown[];
}

describe.each(Object.entries(VALUES))('%s', (_, { make, spied }) => {
  test.each([
    ['in an argument', () => call('sum', [make()])],
    ['as the answer of a callback', () => bring('askNumber', make())],
    ['as an item of a stream', () => bring('sums', make())],
  ])('is not created %s that its schema refuses', async (_place, refused) => {
    const count = spied();
    const answer = await refused();
    const made = count();
    expect(thrownBy(['answer', ...answer])).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    // The test itself creates a Map or a Set once, and a RegExp without `compile`.
    expect(made).toBeLessThanOrEqual(make() instanceof RegExp ? 0 : 1);
  });

  test.each(NAMES)('is not created in an argument that a schema of %s refuses', async (name) => {
    raw = openPort(new Taker(), compileContract({ text: [schemasOf(name).text] }));
    const count = spied();
    const answer = await call('text', [make()]);
    const made = count();
    expect(thrownBy(['answer', ...answer])).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(made).toBeLessThanOrEqual(make() instanceof RegExp ? 0 : 1);
  });

  test.each([
    [
      'in an argument',
      () => call('take', { deep: [make()] }),
      (value: unknown) => ({ deep: [value] }),
    ],
    [
      'in an argument that a schema replaces',
      () => call('standard', { deep: [make()] }),
      (value: unknown) => ({ deep: [value] }),
    ],
    ['as the answer of a callback', () => bring('ask', make()), (value: unknown) => value],
    ['as an item of a stream', () => bring('all', make()), (value: unknown) => value],
  ])('arrives %s', async (_place, send, within) => {
    await send();
    expect(taken).toEqual(within(make()));
    expect(structuredClone(taken)).toEqual(within(make()));
  });

  test('that occurs twice arrives as one value', async () => {
    const value = make();
    await call('take', { one: value, other: value });
    const { one, other } = taken as Record<string, object>;
    expect(one).toBe(other);
    expect(Object.getPrototypeOf(one)).toBe(Object.getPrototypeOf(value));
  });
});

describe('a schema can use', () => {
  const set = VALUES['a large Set'].make;
  const map = VALUES['a large Map'].make;
  const regExp = VALUES['a RegExp'].make;

  test.each<[string, () => object, (value: never) => boolean]>([
    ['the class of a Set', set, (value: object) => value instanceof Set],
    ['the string form of a Set', set, (value: object) => String(value) === '[object Set]'],
    ['the size of a Set', set, (value: Set<unknown>) => value.size === 402],
    ['the members of a Set', set, (value: Set<unknown>) => [...value].includes('a')],
    ['forEach of a Set', set, (value: Set<unknown>) => calls((act) => value.forEach(act)) === 402],
    ['keys of a Set', set, (value: Set<unknown>) => [...value.keys()].length === 402],
    ['entries of a Set', set, (value: Set<unknown>) => [...value.entries()][0]?.[1] === 0.25],
    ['has of a Set', set, (value: Set<unknown>) => value.has('a') && !value.has('b')],
    ['the class of a Map', map, (value: object) => value instanceof Map],
    ['the size of a Map', map, (value: Map<unknown, unknown>) => value.size === 401],
    ['the entries of a Map', map, (value: Map<unknown, unknown>) => [...value][400]?.[0] === 'a'],
    [
      'forEach of a Map',
      map,
      (value: Map<unknown, unknown>) => calls((act) => value.forEach(act)) === 401,
    ],
    [
      'the values of a Map',
      map,
      (value: Map<unknown, object>) => 'key' in ([...value.values()][0] ?? {}),
    ],
    ['get of a Map', map, (value: Map<unknown, { key: string }>) => value.get('a')?.key === 'a'],
    ['the class of a RegExp', regExp, (value: object) => value instanceof RegExp],
    ['the source of a RegExp', regExp, (value: RegExp) => value.source === PATTERN],
    ['the flags of a RegExp', regExp, (value: RegExp) => value.flags === 'giu'],
    ['a flag of a RegExp', regExp, (value: RegExp) => value.unicode && !value.sticky],
    ['test of a RegExp', regExp, (value: RegExp) => value.test('ab')],
    ['a search with a RegExp', regExp, (value: RegExp) => 'xab'.replace(value, '') === 'x'],
    ['the text of a RegExp', regExp, (value: RegExp) => String(value) === `/${PATTERN}/giu`],
  ])('%s', async (_, make, use) => {
    for (const method of ['take', 'standard']) {
      const used = vi.fn(use);
      check = used;
      raw = openPort(new Taker(), contract);
      expect(await call(method, make())).toEqual([1]);
      expect(used.mock.results).toContainEqual({ type: 'return', value: true });
    }
  });

  test('a Set with repeated members, as it was sent and as it arrives', async () => {
    const sizes: number[] = [];
    check = ({ size }: { size: number }) => sizes.push(size) > 0;
    const twice = [...MANY, ...MANY].join();
    raw.sendMessages(`[1,"take","rich",[[[["Set",${twice}]]]]]`);
    await raw.until(([id]) => id === 1);
    expect((taken as Set<unknown>).size).toBe(400);
    expect(sizes).toEqual([800, 400]);
  });
});

test.each([
  ['a schema that refuses it', 'sum', 'INVALID_ARGUMENTS'],
  ['a schema that accepts it', 'take', 'BAD_MESSAGE'],
])('an invalid regular expression is rejected by %s', async (_, method, code) => {
  raw.sendMessages(`[1,"${method}","rich",[[[["RegExp","(",""]]]]]`);
  const [answer = []] = await raw.until(([id]) => id === 1);
  expect(thrownBy(['answer', ...answer])).toMatchObject({ code });
});

test('one hole of an array is filled for a schema that refuses it, and all holes for a schema that accepts it', async () => {
  const filled: number[] = [];
  check = (value: unknown[]) => {
    filled.push(Object.keys(value).length);
    return filled.length !== 1;
  };
  const argument = '[[["Sparse",{"0":1},1000]]]';
  raw.sendMessages(`[1,"take","rich",[${argument}]]`, `[2,"take","rich",[${argument}]]`);
  await raw.until(([id]) => id === 2);
  // A further walk finds the errors.
  expect(new Set(filled)).toEqual(new Set([2, 1_000]));
  expect(filled[0]).toBe(2);
});

function calls(each: (act: () => void) => void): number {
  let count = 0;
  each(() => count++);
  return count;
}
