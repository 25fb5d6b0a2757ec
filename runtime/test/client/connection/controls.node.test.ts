/** Messages beside the calls of a frame say which calls are awaited, cancelled or sent again. */
import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { type RpcClientOptions, withOptions } from '../../../src/client.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { serve } from '../../served/serve.ts';
import type { Default } from '../../served/worker.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Watched } from '../../support/watched.ts';

const worker = await serve();
let instance = '';
let instances = 0;
/** The bodies of POSTs. */
let posted: string[] = [];

beforeEach(() => {
  instance = `object ${++instances}`;
  posted = [];
});

const recordingFetch: typeof fetch = (input, init) => {
  posted.push(String(init?.body));
  return fetch(input, init);
};

const watch = (options: RpcClientOptions = {}): Watched<Default> =>
  worker.watch(instance, { fetch: recordingFetch, ...options });

type Message = [number | string, ...unknown[]];

/** Returns the messages that have been sent, without heartbeats, connection by connection. */
const sentBy = ({ sockets }: Watched<Default>): Message[][] =>
  [...sockets.flatMap(({ sent }) => sent), ...posted]
    .map((frame) => JSON.parse(frame) as Message[])
    .filter((frame) => frame.length > 0);

const controlsOf = (frames: Message[][]): Message[] =>
  frames.flat().filter(([kind]) => typeof kind === 'string');

const ticks = async (count: number): Promise<void> => {
  for (let tick = 0; tick < count; tick++) await new Promise(setImmediate);
};

describe.each(['websocket', 'http'] as const)('over %s', (transport) => {
  test('calls that are awaited one after the other need no such message', async () => {
    using watched = watch({ transport });
    for (let call = 0; call < 5; call++) await watched.client.add();
    await Promise.all([watched.client.add(), watched.client.add()]);
    await watched.client.add();
    expect(controlsOf(sentBy(watched))).toEqual([]);
  });

  test('beside a slow call, each frame names it and the calls that have been settled since the last frame', async () => {
    using watched = watch({ transport });
    const { client } = watched;
    await client.add();
    const slow = client.wait('gate');
    await ticks(3);
    await client.add();
    await client.add();
    await Promise.all([client.add(), client.add(), client.add()]);
    await client.add();
    await client.openGate('gate');
    await slow;
    await client.add();
    expect(sentBy(watched).map((frame) => controlsOf([frame]))).toEqual([
      [],
      [],
      [['awaits', 2]],
      [['awaits', 2, 3]],
      [['awaits', 2, 4]],
      [['awaits', 2, 5, 6, 7]],
      [['awaits', 2, 8]],
      [],
    ]);
  });

  test('a settled call is named once, however many calls follow', async () => {
    using watched = watch({ transport });
    const { client } = watched;
    await client.add();
    void failureOf(client.wait('never'));
    await ticks(3);
    for (let call = 0; call < 300; call++) await client.add();
    const named = controlsOf(sentBy(watched)).flatMap(([, , ...ids]) => ids);
    expect(named).toEqual(Array.from({ length: 299 }, (_, index) => index + 3));
  });

  test('a call that is given up is settled, too', async () => {
    using watched = watch({ transport });
    const { client } = watched;
    await client.add();
    void failureOf(client.wait('never'));
    await ticks(3);
    const abort = new AbortController();
    const [timed, aborted] = [
      failureOf(withOptions(client, { timeout: 300 }).wait('never')),
      failureOf(withOptions(client, { signal: abort.signal }).wait('never')),
    ];
    expect((await timed).code).toBe('TIMEOUT');
    abort.abort();
    expect((await aborted).code).toBe('ABORTED');
    await client.add();
    const awaits = controlsOf(sentBy(watched)).filter(([kind]) => kind === 'awaits');
    expect(awaits).toEqual([
      ['awaits', 2],
      ['awaits', 2, 3, 4],
    ]);
  });

  test('a call that leaves after later calls does not hide that these are settled', async () => {
    using watched = watch({ transport });
    using other = watch({ transport: 'http', fetch });
    using opener = watch({ transport: 'http', fetch });
    const { client } = watched;
    await client.add();
    // This call is of another client, so the client has to wait for its result.
    const input = other.client.wait('gate');
    const user = client.length(input);
    await ticks(3);
    const later = [client.add(), client.add(), client.add()];
    await Promise.all(later);
    await opener.client.openGate('gate');
    expect(await user).toBe(4);
    const frame = sentBy(watched).find((messages) => messages.some(([id]) => id === 2));
    // The call itself is the oldest that is awaited, and later calls have been settled.
    expect(frame).toEqual([
      ['awaits', 2, 3, 4, 5],
      [2, 'length', ['gate']],
    ]);
  });

  test('after a lost connection, a message has the age of the calls that are sent again', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ transport, baseUrl: proxy.url });
    const { client } = watched;
    await client.add();
    proxy.silence('down');
    const lost = [client.add(), client.add()];
    const begun = Date.now();
    await until(() => sentBy(watched).length === 2);
    const sent = Date.now();
    await until(() => Date.now() > sent + 50);
    const cut = Date.now();
    proxy.cutAll('reset');
    proxy.resume();
    await Promise.all(lost);
    const [[, upTo, age] = []] = controlsOf(sentBy(watched));
    expect(upTo).toBe(3);
    expect(age).toBeGreaterThanOrEqual(cut - sent);
    expect(age).toBeLessThanOrEqual(Date.now() - begun);
    // Later frames have no such message.
    await client.add();
    expect(new Set(controlsOf(sentBy(watched)).map(([kind]) => kind))).toEqual(new Set(['resent']));
    expect(controlsOf(sentBy(watched).slice(-1))).toEqual([]);
    proxy.close();
  });

  test('the age is that of the oldest call, if calls of several frames are sent again', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ transport, baseUrl: proxy.url });
    const { client } = watched;
    await client.add();
    proxy.silence('down');
    const first = client.add();
    await until(() => sentBy(watched).length === 2);
    using other = watch();
    const day = 86_400_000;
    const { now } = Date;
    let settled: Promise<unknown> | undefined;
    try {
      // The later call is sent a day later.
      Date.now = () => now() + day;
      settled = Promise.allSettled([first, client.add()]);
      await until(async () => (await other.client.count()) === 3);
      proxy.cutAll('reset');
      proxy.resume();
      await until(() => controlsOf(sentBy(watched)).some(([kind]) => kind === 'resent'));
    } finally {
      Date.now = now;
    }
    const resent = controlsOf(sentBy(watched)).find(([kind]) => kind === 'resent');
    expect(resent).toEqual(['resent', 3, expect.any(Number)]);
    expect(resent?.[2]).toBeGreaterThanOrEqual(day);
    // The object rejects a call of this age.
    await settled;
    proxy.close();
  });

  test('the age is not negative, even if the clock was set back', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ transport, baseUrl: proxy.url });
    await watched.client.add();
    proxy.silence('down');
    const lost = watched.client.add();
    using other = watch();
    await until(async () => (await other.client.count()) === 2);
    const { now } = Date;
    try {
      Date.now = () => now() - 3_600_000;
      proxy.cutAll('reset');
      proxy.resume();
      await lost;
    } finally {
      Date.now = now;
    }
    // On a busy machine, the call may be sent a third time.
    for (const control of controlsOf(sentBy(watched))) expect(control).toEqual(['resent', 2, 0]);
    expect(controlsOf(sentBy(watched)).length).toBeGreaterThan(0);
    proxy.close();
  });
});

/** Makes a call that has been sent, after an answered call. @returns the call, and a controller that aborts it */
async function slowCall(client: Watched<Default>['client']): Promise<{
  abort: AbortController;
  call: ReturnType<typeof failureOf>;
}> {
  await client.add();
  const abort = new AbortController();
  const call = failureOf(withOptions(client, { signal: abort.signal }).wait('never'));
  await ticks(3);
  return { abort, call };
}

test.each([
  ['is answered', (client: Watched<Default>['client']) => client.add()],
  ['is rejected', (client: Watched<Default>['client']) => client.add('one' as never)],
  [
    'times out',
    (client: Watched<Default>['client']) => withOptions(client, { timeout: 20 }).wait('never'),
  ],
  ['cannot be sent', (client: Watched<Default>['client']) => client.add((() => {}) as never)],
])('a call that %s leaves no listener on its signal', async (_, make) => {
  using watched = watch();
  const { signal } = new AbortController();
  await make(withOptions(watched.client, { signal })).catch(() => {});
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('cancel messages', () => {
  test('of a tick are one message of one frame', async () => {
    using watched = watch();
    const { client } = watched;
    await client.add();
    const abort = new AbortController();
    const abortable = withOptions(client, { signal: abort.signal });
    const calls = Array.from({ length: 100 }, () => failureOf(abortable.wait('never')));
    await ticks(3);
    const before = sentBy(watched).length;
    abort.abort();
    for (const call of calls) expect((await call).code).toBe('ABORTED');
    await ticks(3);
    const ids = calls.map((_, index) => index + 2);
    expect(sentBy(watched).slice(before)).toEqual([[['cancel', ...ids]]]);
  });

  test('come before the calls of their tick', async () => {
    using watched = watch();
    const { client } = watched;
    void failureOf(client.wait('never'));
    const abort = new AbortController();
    const call = failureOf(withOptions(client, { signal: abort.signal }).wait('never'));
    await until(() => sentBy(watched).length === 1);
    abort.abort();
    const next = client.add();
    expect((await call).code).toBe('ABORTED');
    await next;
    const frame = sentBy(watched).at(-1);
    expect(frame?.map(([kind]) => kind)).toEqual(['cancel', 'awaits', 3]);
    expect(frame).toEqual([
      ['cancel', 2],
      ['awaits', 1, 2],
      [3, 'add'],
    ]);
  });

  test('are only sent over the connection that has the calls', async () => {
    using watched = watch();
    const { client } = watched;
    const { abort, call } = await slowCall(client);
    await worker.kill();
    await watched.next('reconnecting');
    abort.abort();
    expect((await call).code).toBe('ABORTED');
    await worker.start();
    expect(await client.add()).toBe(2);
    expect(controlsOf(sentBy(watched))).toEqual([]);
  });

  test('are not sent over a new connection, if reconnect() replaces the connection in the same tick', async () => {
    using watched = watch();
    const { client } = watched;
    const { abort, call } = await slowCall(client);
    abort.abort();
    client.reconnect();
    expect((await call).code).toBe('ABORTED');
    expect(await client.add()).toBe(2);
    expect(controlsOf(sentBy(watched))).toEqual([]);
  });
});
