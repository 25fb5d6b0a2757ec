/** Tests queries and mutations that call methods, with a real cache and a real object. */
import {
  dehydrate,
  experimental_streamedQuery,
  hydrate,
  MutationObserver,
  onlineManager,
  QueryClient,
} from '@tanstack/query-core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../../harness/waiting.mjs';
import {
  capabilities,
  createRpcClient,
  RpcError,
  type RpcErrorCode,
  subscribe,
} from '../../src/client.ts';
import { mutationOptions, queryOptions } from '../../src/tanstack.ts';
import { cacheForTest, Component, serve } from './serve.ts';
import type { Board } from './worker.ts';

const worker = await serve();
let instances = 0;
const watch = (options = {}) => {
  const watched = worker.watch(`calls ${++instances}`, options);
  onTestFinished(() => watched.client.close());
  return watched;
};

/** Makes TanStack Query behave as in a page. */
function asInPage(): void {
  vi.stubGlobal('window', {});
  onTestFinished(() => void vi.unstubAllGlobals());
}

test('a query has the result, with null in place of undefined', async () => {
  const { client } = watch();
  const cache = cacheForTest();
  expect(await cache.fetchQuery(queryOptions(client).score('ann'))).toBe(0);
  expect(await cache.fetchQuery(queryOptions(client).topic())).toBe(null);
  await client.setTopic('tea');
  expect(await cache.fetchQuery(queryOptions(client).topic())).toBe('tea');
  expect(cache.getQueryData(queryOptions(client).topic().queryKey)).toBe('tea');
});

test('arguments and results of any type', async () => {
  const { client } = watch();
  const cache = cacheForTest();
  const value = new Map<unknown, unknown>([[new Date(0), [1n, new Uint8Array([1])]]]);
  const options = queryOptions(client).echo(value);
  expect(await cache.fetchQuery(options)).toEqual(value);
  expect(cache.getQueryData(options.queryKey)).toEqual(value);
});

test('a capability as data, for two queries', async () => {
  const { client } = watch({ capabilities });
  const cache = cacheForTest();
  for (const color of ['red', 'red']) {
    const pen = await cache.fetchQuery(queryOptions(client).pen(color));
    expect(await pen.color()).toBe('red');
    expect(await cache.fetchQuery(queryOptions(pen).color())).toBe('red');
  }
});

test('the last component that unmounts aborts the call, and the object is told', async () => {
  const { client, sockets } = watch();
  const cache = cacheForTest();
  const component = new Component(cache, queryOptions(client).wait());
  await until(async () => (await client.reads()) === 0 && component.result.isFetching);
  component.unmount();
  await client.reads();
  expect(sockets[0]?.sent.join('')).toContain('["cancel",1]');
  expect(cache.getQueryCache().getAll()[0]?.state).toMatchObject({
    status: 'pending',
    fetchStatus: 'idle',
  });
});

test('a query that is prefetched and dehydrated is fresh in a page', async () => {
  const { client } = watch({ transport: 'http' });
  const server = cacheForTest();
  await server.prefetchQuery(queryOptions(client).score('ann'));
  const page = cacheForTest();
  hydrate(page, JSON.parse(JSON.stringify(dehydrate(server))));
  expect(page.getQueryData(queryOptions(client).score('ann').queryKey)).toBe(0);
});

test("a stream can be read by TanStack's streamedQuery", async () => {
  const { client } = watch();
  const items = await cacheForTest().fetchQuery({
    queryKey: ['items'],
    queryFn: experimental_streamedQuery({
      streamFn: ({ signal }) => subscribe(client, { signal }).upTo(3),
    }),
  });
  expect(items).toEqual([1, 2, 3]);
});

test('without a network, queries and mutations wait and then run once', async () => {
  const { client, sockets } = watch();
  const cache = cacheForTest();
  onTestFinished(() => onlineManager.setOnline(true));
  onlineManager.setOnline(false);
  const component = new Component(cache, queryOptions(client).score('ann'));
  const mutation = new MutationObserver(cache, mutationOptions(client).add());
  const added = mutation.mutate('ann');
  await until(() => mutation.getCurrentResult().isPaused);
  expect(component.result.fetchStatus).toBe('paused');
  expect(sockets).toEqual([]);
  onlineManager.setOnline(true);
  expect(await added).toBe(1);
  await until(() => component.result.isSuccess);
  expect(await client.score('ann')).toBe(1);
});

describe('retries', () => {
  const { retry } = queryOptions(createRpcClient<Board>('BOARD', 'none')).topic();
  const thrown = (code: RpcErrorCode) => new RpcError(code, 'no');

  test.each<[RpcErrorCode, boolean]>([
    ['DISCONNECTED', true],
    ['UNAVAILABLE', true],
    ['TIMEOUT', false],
    ['ABORTED', false],
    ['CLOSED', false],
    ['FORBIDDEN', false],
    ['UNAUTHORIZED', false],
    ['INVALID_ARGUMENTS', false],
    ['METHOD_NOT_FOUND', false],
    ['LIMIT_EXCEEDED', false],
    ['CURSOR_EXPIRED', false],
  ])('%s: %s', (code, isRetried) => {
    asInPage();
    expect([0, 1, 2, 3].map((count) => retry(count, thrown(code)))).toEqual([
      isRetried,
      isRetried,
      isRetried,
      false,
    ]);
  });

  test('a query is not retried after an error of the method, or on a server', () => {
    expect(retry(0, thrown('DISCONNECTED'))).toBe(false);
    asInPage();
    expect(retry(0, new RangeError('no') as never)).toBe(false);
  });

  test('a method that throws runs once, and the query has its error', async () => {
    asInPage();
    const { client } = watch();
    await client.breakOrMend(true);
    const before = await client.reads();
    const component = new Component(cacheForTest(), queryOptions(client).score('ann'));
    await until(() => component.result.isError);
    expect(component.result.error).toEqual(new RangeError('It is broken'));
    expect((await client.reads()) - before).toBe(1);
  });
});

describe('mutations', () => {
  test('run once, whatever the defaults of the cache are', async () => {
    const { client, sockets } = watch();
    const cache = new QueryClient({ defaultOptions: { mutations: { retry: 3, retryDelay: 1 } } });
    const observer = new MutationObserver(cache, mutationOptions(client).add());
    await client.breakOrMend(true);
    await expect(observer.mutate('ann')).rejects.toEqual(new RangeError('It is broken'));
    expect(sockets[0]?.sent.join('').split('"add"').length).toBe(2);
  });

  test('take the arguments, or a single argument', async () => {
    const { client } = watch();
    const cache = cacheForTest();
    const add = new MutationObserver(cache, mutationOptions(client).add());
    expect(await add.mutate('ann')).toBe(1);
    expect(await add.mutate(['ann'])).toBe(2);
    expect(await add.mutate(['ann', 5])).toBe(7);
    const sum = new MutationObserver(cache, mutationOptions(client).sum());
    expect(await sum.mutate([[1, 2, 3]])).toBe(6);
    const setTopic = new MutationObserver(cache, mutationOptions(client).setTopic());
    await setTopic.mutate('tea');
    expect(await client.topic()).toBe('tea');
    await setTopic.mutate();
    expect(await client.topic()).toBe(undefined);
    const release = new MutationObserver(cache, mutationOptions(client).release());
    expect(await release.mutate()).toBe(0);
    expect(await release.mutate([])).toBe(0);
  });

  test('reject without a client', async () => {
    const { client } = watch();
    const none = undefined as typeof client | undefined;
    const observer = new MutationObserver(cacheForTest(), mutationOptions(none).add());
    await expect(observer.mutate('ann')).rejects.toThrow(
      'Cannot call add: the options were made without a client',
    );
  });
});
