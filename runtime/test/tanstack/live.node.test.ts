/** Tests queries that follow live values and feeds, with a real cache and a real object. */
import { dehydrate, hydrate, MutationObserver, QueryClient } from '@tanstack/query-core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../../harness/waiting.mjs';
import { liveStore, type RpcClientOptions } from '../../src/client.ts';
import {
  feedOptions,
  liveOptions,
  mutationOptions,
  queryKey,
  queryOptions,
} from '../../src/tanstack.ts';
import type { Watched } from '../support/watched.ts';
import { cacheForTest, Component, serve } from './serve.ts';
import type { Board } from './worker.ts';

const worker = await serve();
let instances = 0;

function watch(options: RpcClientOptions = {}, instance = `live ${++instances}`): Watched<Board> {
  const watched = worker.watch(instance, options);
  onTestFinished(() => watched.client.close());
  return watched;
}

/** Returns how often a client has sent a kind of message. */
function sent({ sockets }: Watched<Board>, kind: string): number {
  const frames = sockets.flatMap((socket) => socket.sent).join('');
  return frames.split(`["${kind}"`).length - 1;
}

/** Returns the numbers of subscriptions that a client has opened and closed. */
const opened = (watched: Watched<Board>) => [
  sent(watched, 'subscribe'),
  sent(watched, 'unsubscribe'),
];

test('the data follow the value while a component is mounted', async () => {
  const watched = watch();
  const { client } = watched;
  const component = new Component<number>(cacheForTest(), liveOptions(client).score('ann'));
  await until(() => component.data === 0);
  expect(component.result).toMatchObject({
    status: 'success',
    fetchStatus: 'idle',
    isStale: false,
  });
  for (let count = 1; count <= 3; count++) {
    await client.add('ann');
    await until(() => component.data === count);
  }
  expect(component.shown).toEqual([undefined, 0, 1, 2, 3]);
  expect(opened(watched)).toEqual([1, 0]);
  component.unmount();
  await until(() => sent(watched, 'unsubscribe') === 1);
  await client.add('ann');
  expect(component.shown).toEqual([undefined, 0, 1, 2, 3]);
});

test('components share a subscription, which the last component closes', async () => {
  const watched = watch();
  const { client } = watched;
  const cache = cacheForTest();
  const one = new Component<number>(cache, liveOptions(client).score('ann'));
  const other = new Component<number>(cache, liveOptions(client).score('ann'));
  await until(() => one.data === 0 && other.data === 0);
  const late = new Component<number>(cache, liveOptions(client).score('ann'));
  expect(late.data).toBe(0);
  one.unmount();
  other.unmount();
  await client.add('ann');
  await until(() => late.data === 1);
  expect(opened(watched)).toEqual([1, 0]);
  late.unmount();
  await until(() => sent(watched, 'unsubscribe') === 1);
});

test('strict mode, which mounts a component twice, subscribes once', async () => {
  const watched = watch();
  const component = new Component<number>(cacheForTest(), liveOptions(watched.client).score('ann'));
  component.unmount();
  component.mount();
  await until(() => component.data === 0);
  component.unmount();
  component.mount();
  await watched.client.add('ann');
  await until(() => component.data === 1);
  expect(opened(watched)).toEqual([1, 0]);
});

test('a component that mounts again within the gcTime has the last data, and then the newest', async () => {
  const watched = watch();
  const { client } = watched;
  const component = new Component<number>(cacheForTest(), liveOptions(client).score('ann'));
  await until(() => component.data === 0);
  component.unmount();
  await until(() => sent(watched, 'unsubscribe') === 1);
  await client.add('ann');
  component.mount();
  expect(component.data).toBe(0);
  await until(() => component.data === 1);
  expect(opened(watched)).toEqual([2, 1]);
});

test('a query without components is collected, and keeps no subscription', async () => {
  const watched = watch();
  const cache = cacheForTest();
  const options = { ...liveOptions(watched.client).score('ann'), gcTime: 1 };
  const component = new Component<number>(cache, options);
  await until(() => component.data === 0);
  component.unmount();
  await until(() => cache.getQueryCache().getAll().length === 0);
  expect(opened(watched)).toEqual([1, 1]);
});

test.each<[string, (cache: QueryClient) => void]>([
  ['clear', (cache) => cache.clear()],
  ['removeQueries', (cache) => cache.removeQueries()],
])('%s closes the subscription', async (_, remove) => {
  const watched = watch();
  const cache = cacheForTest();
  const component = new Component<number>(cache, liveOptions(watched.client).score('ann'));
  await until(() => component.data === 0);
  remove(cache);
  await until(() => sent(watched, 'unsubscribe') === 1);
});

test('a component that unmounts before the first value leaves no subscription', async () => {
  const watched = watch();
  await watched.client.reads();
  await worker.kill();
  await watched.next('reconnecting');
  const cache = cacheForTest();
  const component = new Component<number>(cache, liveOptions(watched.client).score('ann'));
  await watched.next('reconnecting');
  expect(component.result.fetchStatus).toBe('fetching');
  component.unmount();
  const [query] = cache.getQueryCache().getAll();
  expect(query?.state).toMatchObject({ status: 'pending', fetchStatus: 'idle' });
  await worker.start();
  await watched.client.reads();
  expect(sent(watched, 'subscribe')).toBe(0);
});

test('a value that arrives before a slow persister has restored is not replaced by an older value', async () => {
  const { client } = watch();
  let isSlow = false;
  const options = {
    ...liveOptions(client).score('ann'),
    persister: async (read: (context: never) => unknown, context: never) => {
      const data = await read(context);
      if (isSlow) await until(() => component.data === 1);
      return data;
    },
  };
  const component = new Component<number>(cacheForTest(), options);
  await until(() => component.data === 0);
  isSlow = true;
  const refetched = component.result.refetch();
  await client.add('ann');
  await refetched;
  expect(component.data).toBe(1);
});

test('a query that `enabled` switches off is closed, and opens again', async () => {
  const watched = watch();
  const cache = cacheForTest();
  const options = liveOptions(watched.client).score('ann');
  const component = new Component<number>(cache, { ...options, enabled: false });
  expect(component.result).toMatchObject({ status: 'pending', fetchStatus: 'idle' });
  component.render(options);
  await until(() => component.data === 0);
  component.render({ ...options, enabled: false });
  await until(() => sent(watched, 'unsubscribe') === 1);
  await watched.client.add('ann');
  component.render(options);
  await until(() => component.data === 1);
  expect(opened(watched)).toEqual([2, 1]);
});

test('a query that `enabled` switches off before the first value waits no longer', async () => {
  const watched = watch();
  await watched.client.reads();
  await worker.kill();
  await watched.next('reconnecting');
  const options = liveOptions(watched.client).score('ann');
  const component = new Component<number>(cacheForTest(), options);
  expect(component.result.fetchStatus).toBe('fetching');
  component.render({ ...options, enabled: false });
  await until(() => component.result.fetchStatus === 'idle');
  await worker.start();
  await watched.client.reads();
  expect(opened(watched)).toEqual([0, 0]);
  component.render(options);
  await until(() => component.data === 0);
});

test('another argument causes another subscription', async () => {
  const watched = watch();
  const component = new Component<number>(cacheForTest(), liveOptions(watched.client).score('ann'));
  await until(() => component.data === 0);
  await watched.client.add('bob', 5);
  component.render(liveOptions(watched.client).score('bob'));
  await until(() => component.data === 5);
  await until(() => sent(watched, 'unsubscribe') === 1);
  expect(opened(watched)).toEqual([2, 1]);
});

test('a component that renders again with equal options does nothing', async () => {
  const watched = watch();
  const component = new Component<number>(cacheForTest(), liveOptions(watched.client).score('ann'));
  await until(() => component.data === 0);
  for (let times = 0; times < 5; times++) {
    component.render(liveOptions(watched.client).score('ann'));
    await watched.client.reads();
  }
  expect(opened(watched)).toEqual([1, 0]);
});

test('a value that arrives with the answer of a mutation survives its invalidation', async () => {
  const watched = watch();
  const { client } = watched;
  const cache = cacheForTest();
  const component = new Component<number>(cache, liveOptions(client).score('ann'));
  await until(() => component.data === 0);
  const mutation = new MutationObserver(cache, {
    ...mutationOptions(client).add(),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKey(client) }),
  });
  for (let count = 1; count <= 20; count++) {
    await mutation.mutate('ann');
    await until(() => component.data === count);
    // No later message replaces the value.
    await client.reads();
    expect(component.data).toBe(count);
  }
  expect(component.shown).toEqual([undefined, ...Array.from({ length: 21 }, (_, count) => count)]);
  expect(opened(watched)).toEqual([1, 0]);
});

test('a refetch sends nothing, and ends at once', async () => {
  const watched = watch();
  const component = new Component<number>(cacheForTest(), liveOptions(watched.client).score('ann'));
  await until(() => component.data === 0);
  const frames = watched.sockets[0]?.sent.length;
  const { data } = await component.result.refetch();
  expect([data, component.result.fetchStatus]).toEqual([0, 'idle']);
  expect(watched.sockets[0]?.sent.length).toBe(frames);
});

test('data that the page has written stay until a newer value arrives', async () => {
  const { client } = watch();
  const cache = cacheForTest();
  const options = liveOptions(client).score('ann');
  const component = new Component<number>(cache, options);
  await until(() => component.data === 0);
  cache.setQueryData(options.queryKey, 7);
  await client.reads();
  expect(component.data).toBe(7);
  await cache.invalidateQueries({ queryKey: options.queryKey });
  expect(component.data).toBe(0);
  cache.setQueryData(options.queryKey, 7);
  await client.add('ann');
  await until(() => component.data === 1);
});

test('cancelled queries receive the value when it arrives', async () => {
  const { client } = watch();
  const cache = cacheForTest();
  const component = new Component<number>(cache, liveOptions(client).score('ann'));
  await cache.cancelQueries();
  expect(component.result).toMatchObject({ status: 'pending', fetchStatus: 'idle' });
  await until(() => component.data === 0);
});

test('undefined becomes null', async () => {
  const { client } = watch();
  const component = new Component(cacheForTest(), liveOptions(client).topic());
  await until(() => component.data === null);
  await client.setTopic('tea');
  await until(() => component.data === 'tea');
  await client.setTopic();
  await until(() => component.data === null);
});

describe('errors', () => {
  test('an error of the method is shown beside the last data, and a refetch tries again', async () => {
    const watched = watch();
    const { client } = watched;
    const onError = vi.fn();
    const cache = cacheForTest();
    cache.getQueryCache().config.onError = onError;
    const component = new Component<number>(cache, liveOptions(client).score('ann'));
    await until(() => component.data === 0);
    await client.breakOrMend(true);
    await until(() => component.result.isError);
    expect(component.result).toMatchObject({
      data: 0,
      error: new RangeError('It is broken'),
      fetchStatus: 'idle',
      isStale: true,
    });
    expect(onError).toHaveBeenCalledTimes(1);
    await client.reads();
    expect(sent(watched, 'subscribe')).toBe(1);
    await component.result.refetch();
    expect(component.result.isError).toBe(true);
    await client.breakOrMend(false);
    await component.result.refetch();
    expect(component.result).toMatchObject({ status: 'success', error: null, isStale: false });
    await client.add('ann');
    await until(() => component.data === 1);
  });

  test('an error before the first value', async () => {
    const { client } = watch();
    await client.breakOrMend(true);
    const component = new Component(cacheForTest(), liveOptions(client).score('ann'));
    await until(() => component.result.isError);
    expect(component.result.error).toEqual(new RangeError('It is broken'));
    await client.breakOrMend(false);
    component.unmount();
    component.mount();
    await until(() => component.data === 0);
  });

  test('an error of a client that is closed, or has no WebSocket', async () => {
    const { client } = watch();
    const component = new Component(cacheForTest(), liveOptions(client).score('ann'));
    await until(() => component.data === 0);
    client.close();
    await until(() => component.result.isError);
    expect(component.result.error).toMatchObject({ code: 'CLOSED' });
    vi.stubGlobal('window', {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const http = watch({ transport: 'http' });
    const other = new Component(cacheForTest(), liveOptions(http.client).score('ann'));
    await until(() => other.result.isError);
    expect(other.result.error).toEqual(new TypeError('Subscriptions need a WebSocket'));
  });

  test('an error of the connection is retried like that of a query', async () => {
    vi.stubGlobal('window', {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const watched = watch({ reconnect: false });
    const options = { ...liveOptions(watched.client).score('ann'), retryDelay: 1 };
    const component = new Component<number>(cacheForTest(), options);
    await until(() => component.data === 0);
    watched.sockets[0]?.close();
    await until(() => watched.sockets.length === 2);
    await until(() => !component.result.isStale);
    await watched.client.add('ann');
    await until(() => component.data === 1);
    expect(component.result.isError).toBe(false);
  });
});

test('after a restart of the object, the same subscription goes on', async () => {
  const watched = watch();
  const { client } = watched;
  const component = new Component<number>(cacheForTest(), liveOptions(client).score('ann'));
  await until(() => component.data === 0);
  await worker.restart();
  await client.add('ann');
  await until(() => component.data === 1);
  expect(component.shown).toEqual([undefined, 0, 1]);
  expect(sent(watched, 'unsubscribe')).toBe(0);
});

describe('two clients of one object', () => {
  test('share the data and one subscription, which moves to the other client when the first closes', async () => {
    const instance = `live ${++instances}`;
    const [one, other] = [watch({}, instance), watch({}, instance)];
    const cache = cacheForTest();
    const first = new Component<number>(cache, liveOptions(one.client).score('ann'));
    const second = new Component<number>(cache, liveOptions(other.client).score('ann'));
    await until(() => first.data === 0 && second.data === 0);
    expect(opened(other)).toEqual([0, 0]);
    first.unmount();
    one.client.close();
    await until(() => opened(other)[0] === 1);
    await other.client.add('ann');
    await until(() => second.data === 1);
    expect(second.result.isError).toBe(false);
  });

  test('do not use a client that is replaced during a refetch', async () => {
    const instance = `live ${++instances}`;
    const [one, other] = [watch({}, instance), watch({}, instance)];
    const component = new Component<number>(cacheForTest(), liveOptions(one.client).score('ann'));
    await until(() => component.data === 0);
    const refetched = component.result.refetch();
    component.render(liveOptions(other.client).score('ann'));
    one.client.close();
    await refetched;
    await other.client.add('ann');
    await until(() => component.data === 1);
    expect(component.result.isError).toBe(false);
    expect(opened(other)).toEqual([1, 0]);
  });

  test('move the subscription when a component gets the other client', async () => {
    const instance = `live ${++instances}`;
    const [one, other] = [watch({}, instance), watch({}, instance)];
    const component = new Component<number>(cacheForTest(), liveOptions(one.client).score('ann'));
    await until(() => component.data === 0);
    component.render(liveOptions(other.client).score('ann'));
    await until(() => opened(other)[0] === 1);
    await until(() => opened(one)[1] === 1);
    await other.client.add('ann');
    await until(() => component.data === 1);
  });
});

describe('without components', () => {
  test('a query calls the method once, and leaves nothing open', async () => {
    const watched = watch();
    const cache = cacheForTest();
    expect(await cache.fetchQuery(liveOptions(watched.client).score('ann'))).toBe(0);
    await cache.prefetchQuery(feedOptions(watched.client).messages());
    expect(opened(watched)).toEqual([0, 0]);
    const component = new Component<number>(cache, liveOptions(watched.client).score('ann'));
    expect(component.data).toBe(0);
    await watched.client.add('ann');
    await until(() => component.data === 1);
    expect(opened(watched)).toEqual([1, 0]);
  });

  test('data that a server has loaded are shown, and followed', async () => {
    const instance = `live ${++instances}`;
    const server = watch({ transport: 'http' }, instance);
    const rendered = cacheForTest();
    await rendered.prefetchQuery(liveOptions(server.client).score('ann'));
    const state = JSON.parse(JSON.stringify(dehydrate(rendered)));
    await server.client.add('ann');
    const watched = watch({}, instance);
    const page = cacheForTest();
    hydrate(page, state);
    const component = new Component<number>(page, liveOptions(watched.client).score('ann'));
    expect(component.data).toBe(0);
    await until(() => component.data === 1);
    expect(opened(watched)).toEqual([1, 0]);
  });

  test('a component on a server without WebSockets has the value', async () => {
    const { client } = watch({ transport: 'http' });
    const component = new Component(cacheForTest(), liveOptions(client).score('ann'));
    await until(() => component.data === 0);
  });

  test('data that count as fresh, as after Suspense, are also followed', async () => {
    const watched = watch();
    const cache = cacheForTest();
    const options = { ...liveOptions(watched.client).score('ann'), staleTime: 60_000 };
    await cache.fetchQuery(options);
    await cache.fetchQuery({ ...liveOptions(watched.client).score('bob'), staleTime: 60_000 });
    const component = new Component<number>(cache, options);
    await watched.client.add('ann');
    await until(() => component.data === 1);
    component.render({ ...liveOptions(watched.client).score('bob'), staleTime: 60_000 });
    await watched.client.add('bob', 5);
    await until(() => component.data === 5);
  });
});

test('a plain query of the same method shares the data, and does not subscribe', async () => {
  const watched = watch();
  const cache = cacheForTest();
  const followed = new Component<number>(cache, liveOptions(watched.client).score('ann'));
  await until(() => followed.data === 0);
  const plain = new Component<number>(cache, { ...queryOptions(watched.client).score('ann') });
  await watched.client.add('ann');
  await until(() => plain.data === 1);
  followed.unmount();
  await until(() => sent(watched, 'unsubscribe') === 1);
  await watched.client.add('ann');
  expect(plain.data).toBe(1);
  await plain.result.refetch();
  expect(plain.data).toBe(2);
  expect(opened(watched)).toEqual([1, 1]);
});

test('a live store of the same value shares the subscription', async () => {
  const watched = watch();
  const { client } = watched;
  let stored: number | undefined;
  const stop = liveStore(client, (board) => board.score('ann')).subscribe(
    ({ value }) => (stored = value),
  );
  await until(() => stored === 0);
  const component = new Component<number>(cacheForTest(), liveOptions(client).score('ann'));
  await until(() => component.data === 0);
  await client.add('ann');
  await until(() => component.data === 1);
  expect(stored).toBe(1);
  expect(opened(watched)).toEqual([1, 0]);
  stop();
  await client.add('ann');
  await until(() => component.data === 2);
  component.unmount();
  await until(() => sent(watched, 'unsubscribe') === 1);
});

describe('feeds', () => {
  test('events are collected in a list, which is empty at first', async () => {
    const watched = watch();
    const { client } = watched;
    const component = new Component<string[]>(cacheForTest(), feedOptions(client).messages());
    await until(() => component.result.isSuccess);
    expect(component.data).toEqual([]);
    await until(() => watched.sockets[0]?.received.join('').includes('subscribed') ?? false);
    await client.say('a');
    await client.say('b');
    await until(() => component.data?.length === 2);
    expect(component.data).toEqual(['a', 'b']);
    expect(opened(watched)).toEqual([1, 0]);
  });

  test('events from a cursor arrive once, through restarts, refetches, and components that unmount and mount again', async () => {
    const watched = watch();
    const { client } = watched;
    const after = await client.cursor();
    const said: string[] = [];
    const say = async (text: string) => {
      said.push(text);
      await client.say(text);
    };
    await say('before');
    const component = new Component<string[]>(
      cacheForTest(),
      feedOptions(client, { after }).messages(),
    );
    const isComplete = () => component.data?.length === said.length;
    await until(isComplete);
    for (let round = 0; round < 3; round++) {
      await say(`here ${round}`);
      await component.result.refetch();
      await until(isComplete);
      component.unmount();
      await say(`away ${round}`);
      component.mount();
      await until(isComplete);
      if (round === 1) await worker.restart();
    }
    expect(component.data).toEqual(said);
  });

  test('a component that unmounts while events arrive misses none', async () => {
    const { client } = watch();
    const after = await client.cursor();
    const component = new Component<string[]>(
      cacheForTest(),
      feedOptions(client, { after }).messages(),
    );
    const said = Array.from({ length: 40 }, (_, index) => `${index}`);
    for (const text of said) {
      await client.say(text);
      for (let turn = 0; turn < Number(text) % 9; turn++) await undefined;
      component.unmount();
      for (let turn = 0; turn < Number(text) % 7; turn++) await undefined;
      component.mount();
      if (Number(text) % 4 === 3) await until(() => component.data?.at(-1) === text);
    }
    await until(() => component.data?.length === said.length);
    expect(component.data).toEqual(said);
  });

  test('a feed that no longer has the next event fails, and a refetch begins again', async () => {
    const watched = watch();
    const { client } = watched;
    const after = await client.cursor();
    const component = new Component<string[]>(
      cacheForTest(),
      feedOptions(client, { after }).messages(),
    );
    await client.say('a');
    await until(() => component.data?.length === 1);
    component.unmount();
    await until(() => sent(watched, 'unsubscribe') === 1);
    for (let count = 0; count < 10; count++) await client.say(`missed ${count}`);
    component.mount();
    await until(() => component.result.isError);
    expect(component.result.error).toMatchObject({ code: 'CURSOR_EXPIRED' });
    expect(component.data).toEqual(['a']);
    // The cursor of the option is as old as the list.
    component.render(feedOptions(client, { after: await client.cursor() }).messages());
    await client.say('b');
    await until(() => component.data?.at(-1) === 'b');
    expect(component.data).toEqual(['b']);
  });

  test('a reducer makes a value that is not a list', async () => {
    const watched = watch();
    const { client } = watched;
    const options = feedOptions(client, {
      after: await client.cursor(),
      reducer: (all: string, text: string) => all + text,
      initialValue: '',
    }).messages();
    const component = new Component<string>(cacheForTest(), options);
    await until(() => component.data === '');
    await client.say('a');
    await client.say('b');
    await until(() => component.data === 'ab');
    component.unmount();
    component.mount();
    await client.say('c');
    await until(() => component.data === 'abc');
  });

  test('an error of the reducer becomes the error of the query', async () => {
    const watched = watch();
    const { client } = watched;
    const options = feedOptions(client, {
      after: await client.cursor(),
      reducer: (): string => {
        throw new RangeError('no');
      },
      initialValue: 'none',
    }).messages();
    const component = new Component<string>(cacheForTest(), options);
    await client.say('a');
    await until(() => component.result.isError);
    expect(component.result).toMatchObject({ data: 'none', error: new RangeError('no') });
    await until(() => sent(watched, 'unsubscribe') === 1);
  });
});
