/** The keys of queries are equal exactly if the object, the method and the arguments are equal. */
import { hashKey, matchQuery, QueryClient } from '@tanstack/query-core';
import { expect, test } from 'vitest';
import {
  callback,
  capabilities,
  capabilityAt,
  createRpcClient,
  stream,
  withOptions,
} from '../../src/client.ts';
import {
  feedOptions,
  liveOptions,
  mutationOptions,
  queryKey,
  queryOptions,
} from '../../src/tanstack.ts';
import type { Board, Pen } from './worker.ts';

const board = createRpcClient<Board>('BOARD', 'one', { capabilities });
const { echo } = queryOptions(board) as unknown as {
  echo(...args: unknown[]): { queryKey: readonly unknown[] };
};
const keyOf = (...args: unknown[]) => echo(...args).queryKey;

test('a key looks like a key written by hand', () => {
  expect(queryKey(board)).toEqual(['BOARD', 'one']);
  expect(queryKey(board, 'score')).toEqual(['BOARD', 'one', 'score']);
  expect(queryOptions(board).topic().queryKey).toEqual(['BOARD', 'one', 'topic']);
  expect(queryOptions(board).score('ann').queryKey).toEqual(['BOARD', 'one', 'score', ['ann']]);
  expect(liveOptions(board).score('ann').queryKey).toEqual(['BOARD', 'one', 'score', ['ann']]);
  expect(feedOptions(board).messages().queryKey).toEqual(['BOARD', 'one', 'messages']);
  expect(feedOptions(board, { after: '3.x' }).messages().queryKey).toEqual([
    'BOARD',
    'one',
    'messages',
    { after: '3.x' },
  ]);
  expect(mutationOptions(board).add().mutationKey).toEqual(['BOARD', 'one', 'add']);
});

/** Arguments that JSON alone would confuse or refuse. */
const DISTINCT: unknown[][] = [
  [],
  [null],
  [undefined, 1],
  [null, 1],
  [0],
  [-0],
  ['0'],
  [Number.NaN],
  [0n],
  [1n],
  [''],
  [{}],
  [[]],
  [[[]]],
  [{ a: undefined }],
  [new Date(0)],
  [new Date(1)],
  [new Date(0).toISOString()],
  [new Map()],
  [new Map([[1, 2]])],
  [new Map([['1', 2]])],
  [new Set()],
  [new Set([1])],
  [[1]],
  [[['Map', 1, 2]]],
  ['rich', []],
  ['rich'],
  [/a/],
  [/a/i],
  [new URL('https://example.com/')],
  ['https://example.com/'],
  [new Uint8Array([1, 2])],
  [new Uint8Array([1, 3])],
  [new Uint8Array([1, 2]).buffer],
  [new RangeError('no')],
  [new Error('no')],
];

test('different arguments have different keys, and equal arguments have one key', () => {
  const hashes = DISTINCT.map((args) => hashKey(keyOf(...args)));
  expect(new Set(hashes).size).toBe(DISTINCT.length);
  const copied = DISTINCT.map((args) =>
    args.map((arg) => (arg instanceof URL ? new URL(arg) : structuredClone(arg))),
  );
  expect(copied.map((args) => hashKey(keyOf(...args)))).toEqual(hashes);
});

test('the order of properties and omitted arguments do not change the key', () => {
  expect(hashKey(keyOf({ a: 1, b: 2 }))).toBe(hashKey(keyOf({ b: 2, a: 1 })));
  expect(keyOf(1, undefined)).toEqual(keyOf(1));
  expect(keyOf(undefined)).toEqual(keyOf());
});

test('an argument that is not a value is refused when the key is made', () => {
  for (const argument of [() => {}, callback(() => {}), stream([1]), Promise.resolve(1)])
    expect(() => keyOf(argument)).toThrow(expect.objectContaining({ code: 'UNSERIALIZABLE' }));
  expect(() => queryOptions({} as typeof board)).toThrow(
    new TypeError('Not a client of createRpcClient'),
  );
});

test('clients of one object share keys, and clients of other objects do not', () => {
  const again = createRpcClient<Board>('BOARD', 'one', { baseUrl: 'http://other.example' });
  const slow = withOptions(board, { timeout: 5 });
  for (const client of [again, slow])
    expect(queryOptions(client).topic().queryKey).toEqual(['BOARD', 'one', 'topic']);
  for (const [binding, instance] of [
    ['BOARD', 'two'],
    ['OTHER', 'one'],
  ] as const) {
    const client = createRpcClient<Board>(binding, instance);
    expect(queryKey(client)).toEqual([binding, instance]);
  }
});

test('a part of a key matches only the queries below it', () => {
  const cache = new QueryClient();
  const two = createRpcClient<Board>('BOARD', 'two');
  for (const { queryKey: key } of [
    queryOptions(board).score('ann'),
    queryOptions(board).score('bob'),
    queryOptions(board).topic(),
    queryOptions(two).topic(),
  ])
    cache.setQueryData(key, 1 as never);
  const matching = (key: readonly unknown[]) =>
    cache
      .getQueryCache()
      .getAll()
      .filter((query) => matchQuery({ queryKey: key }, query)).length;
  expect(matching(queryKey(board))).toBe(3);
  expect(matching(queryKey(board, 'score'))).toBe(2);
  expect(matching(queryOptions(board).score('ann').queryKey)).toBe(1);
  expect(matching(queryKey(two))).toBe(1);
  cache.clear();
});

test('a capability has a key of its own, without its token', () => {
  const [red, blue] = ['red', 'blue'].map((color) =>
    capabilityAt<Pen>(board, JSON.stringify(['Pen', '1', color])),
  );
  if (!red || !blue) throw new Error('No capabilities');
  const { queryKey: key } = queryOptions(red).color();
  expect(queryOptions(red).color().queryKey).toEqual(key);
  expect(queryOptions(blue).color().queryKey).not.toEqual(key);
  expect(key.slice(0, 2)).toEqual(['BOARD', 'one']);
  expect(JSON.stringify(key)).not.toContain('red');
});

test('without a client, a query is disabled, and its key names no object', () => {
  const options = queryOptions(undefined as typeof board | undefined).score('ann');
  expect(options.enabled).toBe(false);
  expect(options.queryKey).toEqual([null, null, 'score', ['ann']]);
  expect(liveOptions<Board>(null).topic().enabled).toBe(false);
  expect(queryOptions(board).topic().enabled).toBe(true);
});
