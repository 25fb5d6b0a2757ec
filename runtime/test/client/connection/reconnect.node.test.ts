/** Calls while the connection is lost. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type RpcClientOptions, withOptions } from '../../../src/client.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { type Binding, serve } from '../../served/serve.ts';
import type { Default } from '../../served/worker.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Watched } from '../../support/watched.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(async () => {
  instance = `object ${++instances}`;
  await worker.start();
});

const watch = (options: RpcClientOptions = {}, binding: Binding = 'DEFAULT'): Watched<Default> =>
  worker.watch(instance, options, binding);

describe('the server comes back', () => {
  test('calls that were made meanwhile wait, and are answered in their order', async () => {
    using watched = watch();
    await watched.client.add();
    await worker.kill();
    await watched.next('reconnecting');
    const calls = Array.from({ length: 50 }, () => watched.client.add());
    await watched.next('reconnecting');
    calls.push(watched.client.add());
    await worker.start();
    expect(await Promise.all(calls)).toEqual(calls.map((_, index) => index + 2));
    expect(await watched.client.count()).toBe(52);
  });

  test('a call that was sent and not answered is sent again, and runs once', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ baseUrl: proxy.url });
    expect(await watched.client.add()).toBe(1);
    // The object answers, and the answer is lost.
    proxy.silence('down');
    const unheard = watched.client.add();
    using other = watch({ transport: 'http' });
    await until(async () => (await other.client.count()) === 2);
    proxy.cutAll('reset');
    proxy.resume();
    expect(await unheard).toBe(2);
    expect(await watched.client.count()).toBe(2);
    proxy.close();
  });

  test('a call that was sent and never arrived runs then', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ baseUrl: proxy.url });
    expect(await watched.client.add()).toBe(1);
    proxy.silence('up');
    const lost = watched.client.add();
    await until(() => watched.sockets[0]?.sent.length === 2);
    proxy.cutAll('reset');
    proxy.resume();
    expect(await lost).toBe(2);
    proxy.close();
  });

  test('a first call waits for a server that does not listen yet', async () => {
    using watched = watch();
    await worker.kill();
    const call = watched.client.add();
    await watched.next('reconnecting');
    await worker.start();
    expect(await call).toBe(1);
    expect(watched.stateNames.at(0)).toBe('connecting');
    expect(watched.stateNames.at(-1)).toBe('open');
  });

  test('calls over POST wait, too', async () => {
    using watched = watch({ transport: 'http' });
    expect(await watched.client.add()).toBe(1);
    await worker.kill();
    const calls = [watched.client.add(), watched.client.add()];
    await worker.start();
    expect(await Promise.all(calls)).toEqual([2, 3]);
  });
});

test('requests that fail together count as one lost connection', async () => {
  const down = Promise.withResolvers<never>();
  let isDown = false;
  const fetchIfUp: typeof fetch = (input, init) => (isDown ? down.promise : fetch(input, init));
  using watched = watch({ transport: 'http', fetch: fetchIfUp });
  await watched.client.add();
  isDown = true;
  const calls = [watched.client.add()];
  await new Promise(setImmediate);
  calls.push(watched.client.add());
  await new Promise(setImmediate);
  isDown = false;
  down.reject(new TypeError('down'));
  expect(await Promise.all(calls)).toEqual([2, 3]);
  expect(watched.stateNames).toEqual(['connecting', 'open', 'reconnecting', 'open']);
});

test('a lost connection is not the cause of a later timeout', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using watched = watch({ baseUrl: proxy.url });
  const { client } = watched;
  await client.add();
  proxy.cutAll('reset');
  await watched.next('reconnecting');
  expect(await client.add()).toBe(2);
  const { message, cause } = await failureOf(withOptions(client, { timeout: 50 }).wait('never'));
  expect(message).toMatch(/: no answer from [^,]*$/);
  expect(cause).toBeUndefined();
  proxy.close();
});

describe('without a connection', () => {
  test('a timeout says whether the call had been sent', async () => {
    using watched = watch();
    const { client } = watched;
    await client.add();
    const sent = withOptions(client, { timeout: 300 }).wait('never');
    const sentFails = failureOf(sent);
    await until(() => watched.sockets[0]?.sent.length === 2);
    await worker.kill();
    await watched.next('reconnecting');
    const neverSent = failureOf(withOptions(client, { timeout: 300 }).add());
    expect(await sentFails).toMatchObject({ code: 'TIMEOUT', maybeExecuted: true });
    expect(await neverSent).toMatchObject({ code: 'TIMEOUT', maybeExecuted: false });
    await worker.start();
    // The calls that were given up are not sent any more.
    expect(await client.add()).toBe(2);
  });

  test('an abort says whether the call had been sent', async () => {
    using watched = watch();
    await watched.client.add();
    await worker.kill();
    await watched.next('reconnecting');
    const abort = new AbortController();
    const call = failureOf(withOptions(watched.client, { signal: abort.signal }).add());
    abort.abort(new Error('enough'));
    expect(await call).toMatchObject({ code: 'ABORTED', maybeExecuted: false });
    await worker.start();
    expect(await watched.client.add()).toBe(2);
  });
});

describe('maxQueue', () => {
  const full = { code: 'LIMIT_EXCEEDED' };

  test.each([
    { maxQueue: 3, calls: 2, refused: 0 },
    { maxQueue: 3, calls: 3, refused: 0 },
    { maxQueue: 3, calls: 4, refused: 1 },
    { maxQueue: 0, calls: 2, refused: 2 },
  ])(
    '$maxQueue: of $calls calls without a connection, $refused fail at once',
    async ({ maxQueue, calls, refused }) => {
      using watched = watch({ maxQueue });
      expect(await watched.client.add()).toBe(1);
      await worker.kill();
      await watched.next('reconnecting');
      const made = Array.from({ length: calls }, () => watched.client.add());
      const overflow = made.slice(calls - refused).map(failureOf);
      for (const failure of overflow) expect(await failure).toMatchObject(full);
      await worker.start();
      const answers = await Promise.all(made.slice(0, calls - refused));
      expect(answers).toEqual(answers.map((_, index) => index + 2));
      await watched.next('open');
      expect(await watched.client.add()).toBe(answers.length + 2);
    },
  );

  test('gets the place of a call back that timed out or was aborted', async () => {
    using watched = watch({ maxQueue: 2 });
    await watched.client.add();
    await worker.kill();
    await watched.next('reconnecting');
    const abort = new AbortController();
    const aborted = failureOf(withOptions(watched.client, { signal: abort.signal }).add());
    const timed = failureOf(withOptions(watched.client, { timeout: 1 }).add());
    expect(await failureOf(watched.client.add())).toMatchObject(full);
    abort.abort();
    expect((await aborted).code).toBe('ABORTED');
    expect((await timed).code).toBe('TIMEOUT');
    const calls = [watched.client.add(), watched.client.add()];
    await worker.start();
    expect(await Promise.all(calls)).toEqual([2, 3]);
  });

  test('does not count the first calls of a tick while the server is connected', async () => {
    using watched = watch({ maxQueue: 2 });
    const calls = Array.from({ length: 10 }, () => watched.client.add());
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

test('no call is lost or runs twice if the server restarts again and again', async () => {
  using watched = watch();
  const calls: Promise<number>[] = [];
  for (let round = 0; round < 5; round++) {
    for (let call = 0; call < 20; call++) calls.push(watched.client.add());
    await worker.restart();
  }
  expect(await Promise.all(calls)).toEqual(calls.map((_, index) => index + 1));
  expect(await watched.client.count()).toBe(100);
});

test('one of two clients of an object loses its connection, and the other notices nothing', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using unlucky = watch({ baseUrl: proxy.url });
  using lucky = watch();
  await Promise.all([unlucky.client.add(), lucky.client.add()]);
  const pending = lucky.client.wait('gate');
  proxy.cutAll('reset');
  await unlucky.next('reconnecting');
  await unlucky.next('open');
  await unlucky.client.openGate('gate');
  expect(await pending).toBe('gate');
  expect(lucky.stateNames).toEqual(['connecting', 'open']);
  proxy.close();
});
