/** Calls of which only the newest counts: which of them are sent, and how the promises of the others settle. */
import { beforeEach, describe, expect, test } from 'vitest';
import { latest, type RpcClientOptions, stream, withOptions } from '../../src/client.ts';
import { Proxy as NetworkProxy } from '../../../harness/network-proxy.ts';
import { until } from '../../../harness/waiting.mjs';
import { serve } from '../server/calls/volatile/serve.ts';
import type { Room } from '../server/calls/volatile/worker.ts';
import { failureOf } from '../support/failure-of.ts';
import type { Watched } from '../support/watched.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(async () => {
  instance = `room ${++instances}`;
  await worker.start();
});

const watch = (options: RpcClientOptions = {}): Watched<Room> => worker.watch(instance, options);

/** Returns the frames that a client has sent over its sockets. */
const sentBy = ({ sockets }: Watched<Room>): string[] => sockets.flatMap(({ sent }) => sent);

describe('while the client is not connected', () => {
  test('only the newest of a thousand calls is sent', async () => {
    using watched = watch();
    const { client } = watched;
    const cursor = latest(client);
    await client.path();
    await worker.kill();
    await watched.next('reconnecting');
    const replaced: unknown[] = [];
    for (let at = 1; at < 1_000; at++) {
      void cursor.move(at).then((result) => replaced.push(result));
      await undefined;
    }
    const last = cursor.move(1_000);
    await until(() => replaced.length === 999);
    expect(new Set(replaced)).toEqual(new Set([undefined]));
    const others = [client.move(1), client.move(2)];
    await worker.start();
    expect(await Promise.all([last, ...others])).toEqual([1, 2, 3]);
    expect(await client.path()).toEqual([1_000, 1, 2]);
    expect(sentBy(watched)).toContain('[[1001,"move",[1000]],[1002,"move",[1]],[1003,"move",[2]]]');
  });

  test('these calls never take more than one place of the queue', async () => {
    using watched = watch({ maxQueue: 1 });
    const cursor = latest(watched.client);
    await watched.client.path();
    await worker.kill();
    await watched.next('reconnecting');
    const replaced = [cursor.move(1), cursor.move(2)];
    const last = cursor.move(3);
    expect(await Promise.all(replaced)).toEqual([undefined, undefined]);
    expect(await failureOf(watched.client.move(4))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await worker.start();
    expect(await last).toBe(1);
  });

  test('a call that is not replaced times out like any other', async () => {
    using watched = watch();
    await watched.client.path();
    await worker.kill();
    await watched.next('reconnecting');
    const cursor = latest(withOptions(watched.client, { timeout: 30 }));
    const failure = failureOf(cursor.move(1));
    expect(await failure).toMatchObject({ code: 'TIMEOUT', maybeExecuted: false });
  });
});

test('only the newest call of a tick is sent', async () => {
  using watched = watch();
  const { client } = watched;
  await client.path();
  const calls = [latest(client).move(1), latest(client).move(2), latest(client).move(3)];
  expect(await Promise.all(calls)).toEqual([undefined, undefined, 1]);
  expect(sentBy(watched).at(-1)).toBe('[[4,"move",[3]]]');
  expect(await client.path()).toEqual([3]);
});

test('calls of other methods and targets are not replaced', async () => {
  using client = worker.connect(instance);
  const [one, other] = [await client.desk(), await client.desk()];
  const calls = [
    latest(client).move(1),
    latest(client).note('a'),
    client.move(2),
    latest(one).point(3),
    // Both variables refer to the same capability.
    latest(other).point(4),
    latest(client).note('bc'),
  ];
  expect(await Promise.all(calls)).toEqual([1, undefined, 2, undefined, 3, 2]);
  expect(await client.path()).toEqual([1, 2, 4]);
});

test('a call that was sent does not wait for its answer if there is a newer call', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using watched = watch({ baseUrl: proxy.url });
  using other = worker.connect(instance);
  const cursor = latest(watched.client);
  await watched.client.path();
  proxy.silence('down');
  const sent = [cursor.move(1)];
  await until(async () => (await other.path()).length === 1);
  const newest = cursor.move(2);
  expect(await Promise.all(sent)).toEqual([undefined]);
  await until(async () => (await other.path()).length === 2);
  proxy.resume();
  expect(await newest).toBe(2);
  // No message about the earlier call is needed.
  expect(sentBy(watched).slice(1)).toEqual(['[[2,"move",[1]]]', '[[3,"move",[2]]]']);
  proxy.close();
});

describe('a call that was on its way when the connection was lost', () => {
  test.each([
    ['its answer was lost', 'down', [1]],
    ['it never arrived', 'up', []],
  ] as const)('is dropped if %s', async (_, direction, path) => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ baseUrl: proxy.url });
    using other = worker.connect(instance);
    await watched.client.path();
    proxy.silence(direction);
    const call = latest(watched.client).move(1);
    await until(async () => (await other.path()).length === path.length);
    await until(() => sentBy(watched).length === 2);
    proxy.cutAll('reset');
    proxy.resume();
    expect(await call).toBeUndefined();
    expect(await other.path()).toEqual(path);
    proxy.close();
  });

  test('is not sent again if there is a newer call', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ baseUrl: proxy.url });
    const cursor = latest(watched.client);
    await watched.client.path();
    proxy.silence('up');
    const lost = cursor.move(1);
    await until(() => sentBy(watched).length === 2);
    proxy.cutAll('reset');
    await watched.next('reconnecting');
    const newest = cursor.move(2);
    proxy.resume();
    expect(await Promise.all([lost, newest])).toEqual([undefined, 1]);
    expect(sentBy(watched).at(-1)).toBe('[[3,"move",[2]]]');
    proxy.close();
  });

  test('is answered if its method is in the journal', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ baseUrl: proxy.url });
    await watched.client.path();
    proxy.silence('down');
    const call = latest(watched.client).note('abc');
    await until(() => sentBy(watched).length === 2);
    proxy.cutAll('reset');
    proxy.resume();
    expect(await call).toBe(3);
    proxy.close();
  });

  test('is dropped even if the client does not reconnect', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ baseUrl: proxy.url, reconnect: false });
    await watched.client.path();
    proxy.silence('down');
    const call = latest(watched.client).move(1);
    await until(() => sentBy(watched).length === 2);
    proxy.cutAll('reset');
    expect(await call).toBeUndefined();
    proxy.close();
  });
});

describe('over HTTP', () => {
  /** Holds requests back until `go` is called. */
  function held(): { options: RpcClientOptions; bodies: string[]; go: () => void } {
    const bodies: string[] = [];
    const waiting: (() => void)[] = [];
    const send: typeof fetch = async (input, init) => {
      bodies.push(String(init?.body));
      await new Promise<void>((resolve) => waiting.push(resolve));
      return fetch(input, init);
    };
    return { options: { transport: 'http', fetch: send }, bodies, go: () => waiting.shift()?.() };
  }

  test('a call waits for the call before it, and the newest arrives last', async () => {
    const { options, bodies, go } = held();
    using client = worker.connect(instance, options);
    const cursor = latest(client);
    const first = cursor.move(1);
    await until(() => bodies.length === 1);
    const replaced = [cursor.move(2), cursor.move(3)];
    const last = cursor.move(4);
    expect(await Promise.all(replaced)).toEqual([undefined, undefined]);
    // Other calls do not wait.
    const note = client.note('a');
    await until(() => bodies.length === 2);
    go();
    expect(await first).toBe(1);
    go();
    expect(await note).toBe(1);
    await until(() => bodies.length === 3);
    expect(bodies[2]).toContain('"move",[4]');
    const after = cursor.move(5);
    go();
    expect(await last).toBe(2);
    await until(() => bodies.length === 4);
    go();
    expect(await after).toBe(3);
  });

  test('a request that fails is dropped, and the next call is sent', async () => {
    const cursor = latest(worker.connect(instance, { transport: 'http' }));
    await worker.kill();
    const lost = cursor.move(1);
    const newest = cursor.move(2);
    await worker.start();
    expect(await Promise.all([lost, newest])).toEqual([undefined, undefined]);
    expect(await cursor.move(3)).toBe(1);
    cursor.close();
  });
});

test.each<[string, (client: Watched<Room>['client']) => Promise<unknown>, object]>([
  ['invalid arguments', (client) => latest(client).move(0.5), { code: 'INVALID_ARGUMENTS' }],
  ['an error of the method', (client) => latest(client).fail(), { name: 'RangeError' }],
  [
    'an argument that cannot be sent',
    (client) => latest(client).move(Symbol('a') as never),
    { code: 'UNSERIALIZABLE' },
  ],
  [
    'a signal',
    (client) => latest(withOptions(client, { signal: AbortSignal.abort() })).move(1),
    { code: 'ABORTED' },
  ],
  [
    'the end of the client',
    (client) => {
      const call = latest(client).move(1);
      client.close();
      return call;
    },
    { code: 'CLOSED' },
  ],
])('rejects for %s', async (_, call, error) => {
  using client = worker.connect(instance);
  await expect(call(client)).rejects.toMatchObject(error);
});

test('the stream of a call that is replaced ends', async () => {
  using client = worker.connect(instance);
  let isEnded = false;
  async function* path(): AsyncGenerator<number> {
    try {
      for (let at = 1; ; at++) yield at;
    } finally {
      isEnded = true;
    }
  }
  await client.path();
  const replaced = latest(client).moveAlong(stream(path()));
  await until(async () => (await client.path()).length > 10);
  const last = latest(client).moveAlong([0]);
  expect(await replaced).toBeUndefined();
  await until(() => isEnded);
  expect(await last).toBeGreaterThan(10);
});

test('a value that is not a client throws', () => {
  expect(() => latest({})).toThrow(TypeError);
});
