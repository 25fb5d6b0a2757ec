/** Tests the limits on arguments: a value at the limit passes, and a value over it does not. */
import { describe, expect, test } from 'vitest';
import { decodeArgs } from '../../../src/server/calls/arguments.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/server/base/limits.ts';
import { type CallMessage, encodeCall } from '../../../src/wire/messages.ts';

const none = (): undefined => undefined;

const SMALL: Limits = { ...DEFAULT_LIMITS, argumentCount: 3, valueDepth: 4, valueCount: 20 };

function send(args: unknown[], limits: Limits): unknown[] {
  return decodeArgs(JSON.parse(encodeCall(1, 'method', args, none)) as CallMessage, limits, none)
    .args;
}

/** Returns nested arrays with this number of levels. The innermost contains `end`. */
function nest(levels: number, end: unknown): unknown {
  return levels === 0 ? end : [nest(levels - 1, end)];
}

/** Returns nested objects in the same way. */
function nestObjects(levels: number, end: unknown): unknown {
  return levels === 0 ? end : { a: nestObjects(levels - 1, end) };
}

/** Returns an object with this number of properties. */
function wide(count: number, value: unknown): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
}

function times<Item>(count: number, make: () => Item): Item[] {
  return Array.from({ length: count }, make);
}

function sparse(length: number): unknown[] {
  return Object.assign([], { length });
}

const shared = [1, 2, 3];
const deep = nest(2, 1n);

describe.each<[keyof Limits, string, unknown[], unknown[]]>([
  ['argumentCount', 'plain', [1, 2, 3], [1, 2, 3, 4]],
  ['argumentCount', 'rich', [1n, 2, 3], [1n, 2, 3, 4]],
  ['argumentCount', 'holes', sparse(3), sparse(4)],
  ['valueDepth', 'plain', [nest(4, 1)], [nest(5, 1)]],
  ['valueDepth', 'rich', [nest(4, 1n)], [nest(5, 1n)]],
  ['valueDepth', 'plain objects', [nestObjects(4, 1)], [nestObjects(5, 1)]],
  ['valueDepth', 'rich objects', [nestObjects(4, 1n)], [nestObjects(5, 1n)]],
  [
    'valueDepth',
    'an object without a prototype',
    [Object.assign(Object.create(null), { a: nest(3, 1n) })],
    [Object.assign(Object.create(null), { a: nest(4, 1n) })],
  ],
  [
    'valueDepth',
    'properties of an error',
    [Object.assign(new Error('a'), { a: nest(3, 1n) })],
    [Object.assign(new Error('a'), { a: nest(4, 1n) })],
  ],
  ['valueDepth', 'Maps', [new Map([[nest(3, 1), 1]])], [new Map([[nest(4, 1), 1]])]],
  ['valueDepth', 'what was met higher up', [deep, nest(2, deep)], [deep, nest(3, deep)]],
  [
    'valueDepth',
    'a cause',
    [new Error('a', { cause: nest(3, 1) })],
    [new Error('a', { cause: nest(4, 1) })],
  ],
  [
    'valueCount',
    'plain',
    [Array.from({ length: 18 }).fill(0)],
    [Array.from({ length: 19 }).fill(0)],
  ],
  [
    'valueCount',
    'rich',
    [Array.from({ length: 18 }).fill(0n)],
    [Array.from({ length: 19 }).fill(0n)],
  ],
  ['valueCount', 'plain properties', [wide(18, 0)], [wide(19, 0)]],
  ['valueCount', 'rich properties', [wide(18, 0n)], [wide(19, 0n)]],
  [
    'valueCount',
    'values of a Map',
    [new Map(times(9, () => 0).entries())],
    [new Map(times(10, () => 0).entries())],
  ],
  [
    'valueCount',
    'URLs, each of which is one',
    [times(18, () => new URL('https://example.com/?a'))],
    [times(19, () => new URL('https://example.com/?a'))],
  ],
  ['valueCount', 'dates', [times(18, () => new Date(0))], [times(19, () => new Date(0))]],
  ['valueCount', 'holes', [sparse(18)], [sparse(19)]],
  ['valueCount', 'many holes', [], [sparse(4_294_967_295)]],
  [
    'valueCount',
    'what occurs often',
    [Array.from({ length: 4 }, () => shared)],
    [Array.from({ length: 5 }, () => shared)],
  ],
  [
    'valueCount',
    'members',
    [new Set(Array.from({ length: 18 }).keys())],
    [new Set(Array.from({ length: 19 }).keys())],
  ],
  [
    'valueCount',
    'what an AggregateError holds',
    [],
    [new AggregateError(Array.from({ length: 19 }))],
  ],
])('%s of %s', (limit, _, within, over) => {
  test('lets values at the limit pass', () => {
    expect(send(within, SMALL)).toHaveLength(within.length);
  });

  test('refuses values over the limit', () => {
    expect(() => send(over, SMALL)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining(limit) }),
    );
  });
});

test('the bytes of a typed array do not count as values', () => {
  expect(send([new Uint8Array(1_000)], SMALL)).toEqual([new Uint8Array(1_000)]);
});

test('adjacent values take no more levels than one of them', () => {
  const args = [Array.from({ length: 2_000 }, (_, index) => ({ index: BigInt(index) }))];
  expect(send(args, DEFAULT_LIMITS)).toEqual(args);
});
