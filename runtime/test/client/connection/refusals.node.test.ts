/** A server rejects a client: the error that the caller gets, and the client's behavior afterwards. */
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import { createRpcClient, type RpcClientOptions } from '../../../src/client.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { RouterHooks } from '../../served/router-hooks.ts';
import { serve } from '../../served/serve.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Watched } from '../../support/watched.ts';
import { answerWith, closeWith, Stub } from '../../served/stub.ts';
import type { Default } from '../../served/worker.ts';

const worker = await serve();
const hooks = new RouterHooks(worker.runtime.url);

const watch = (instance: string, options: RpcClientOptions = {}): Watched<Default> =>
  worker.watch(instance, options);

/** Returns the full message, with the address that answered. */
const messageFor = (instance: string, status: number): string =>
  `The server answered ${status}: refused with ${status} (${worker.runtime.url}/__rpc/DEFAULT/${encodeURIComponent(instance)}/call)`;

const FINAL = [
  { status: 400, code: 'BAD_RESPONSE' },
  { status: 401, code: 'UNAUTHORIZED' },
  { status: 403, code: 'FORBIDDEN' },
  { status: 404, code: 'NOT_FOUND' },
] as const;

describe.each(FINAL)('a hook answers $status', ({ status, code }) => {
  test('to an upgrade, which is final, and the error has the status and the text', async () => {
    const instance = `refused ${status}`;
    await hooks.refuse(instance, status);
    using watched = watch(instance);
    const message = messageFor(instance, status);
    const expected = { code, status, message };
    const calls = [failureOf(watched.client.add()), failureOf(watched.client.count())];
    for (const call of calls) {
      expect(await call).toMatchObject({ ...expected, maybeExecuted: false });
    }
    expect(watched.stateNames).toEqual(['connecting', 'closed']);
    expect(watched.states.at(-1)?.[1].error).toMatchObject(expected);
    await hooks.refuse(instance, 0);
    expect(await failureOf(watched.client.add())).toMatchObject(expected);
    expect(watched.sockets).toHaveLength(1);
    // Each call has an error of its own.
    expect(await failureOf(watched.client.add())).not.toBe(await calls[0]);
  });

  test('to a POST, which is not repeated', async () => {
    const instance = `refused post ${status}`;
    await hooks.refuse(instance, status);
    using watched = watch(instance, { transport: 'http' });
    expect(await failureOf(watched.client.add())).toMatchObject({
      code,
      status,
      message: messageFor(instance, status),
    });
    expect(await hooks.asked(instance)).toEqual(['request']);
    expect(await failureOf(watched.client.add())).toMatchObject({ code, status });
  });
});

// These tests run at the same time, because each waits some seconds until its client believes the hook.
test.concurrent.each(FINAL)(
  'a hook that answers $status after a lost connection ends the client after a while, and pending calls may have run',
  async ({ status, code }) => {
    const instance = `refused later ${status}`;
    using watched = watch(instance);
    await watched.client.add();
    const sent = failureOf(watched.client.wait('never'));
    await until(() => watched.sockets[0]?.sent.length === 2);
    await hooks.refuse(instance, status);
    // This call goes over the socket itself, because a POST would be rejected now.
    watched.client.closeSockets(1012, '').catch(() => {});
    await watched.next('closed');
    expect(await sent).toMatchObject({ code, status, maybeExecuted: true });
    expect(await failureOf(watched.client.add())).toMatchObject({ code, status });
    const tries = watched.states.filter(([, { error }]) => error?.status === status);
    // On a busy machine, an attempt can take a second.
    expect(tries.length).toBeGreaterThan(1);
  },
);

describe.each([408, 429, 500, 503])('a hook answers %i', (status) => {
  test('to an upgrade, which is repeated until it succeeds', async () => {
    const instance = `busy ${status}`;
    await hooks.refuse(instance, status);
    using watched = watch(instance);
    const call = watched.client.add();
    expect(await watched.next('reconnecting')).toMatchObject({
      attempt: 1,
      error: { code: 'UNAVAILABLE', status },
    });
    expect(await watched.next('reconnecting')).toMatchObject({ attempt: 2 });
    await hooks.refuse(instance, 0);
    expect(await call).toBe(1);
  });

  test('to a POST, which is repeated until it succeeds', async () => {
    const instance = `busy post ${status}`;
    await hooks.refuse(instance, status);
    using watched = watch(instance, { transport: 'http' });
    const call = watched.client.add();
    await until(async () => (await hooks.asked(instance)).length > 2);
    await hooks.refuse(instance, 0);
    expect(await call).toBe(1);
  });
});

test('a binding that does not exist is NOT_FOUND', async () => {
  using watched = worker.watch('x', {}, 'NOTHING' as 'DEFAULT');
  expect(await failureOf(watched.client.add())).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('no such object'),
  });
});

test('a server of another kind is BAD_RESPONSE, with its text', async () => {
  using stub = await new Stub(answerWith(418, 'I am a teapot')).listen();
  using watched = watch('teapot', { baseUrl: stub.url });
  expect(await failureOf(watched.client.add())).toMatchObject({
    code: 'BAD_RESPONSE',
    status: 418,
    message: expect.stringContaining('I am a teapot'),
  });
});

describe('the close code', () => {
  test.each([
    [4400, 'BAD_RESPONSE'],
    [4401, 'UNAUTHORIZED'],
    [4403, 'FORBIDDEN'],
    [4404, 'NOT_FOUND'],
    [4499, 'BAD_RESPONSE'],
  ])('%i is final: %s', async (closeCode, code) => {
    const instance = `closed ${closeCode}`;
    using watched = watch(instance);
    using other = watch(instance, { transport: 'http' });
    expect(await watched.client.add()).toBe(1);
    const pending = failureOf(watched.client.wait('never'));
    await until(() => watched.sockets[0]?.sent.length === 2);
    expect(await other.client.closeSockets(closeCode, 'because')).toBe(1);
    const status = closeCode - 4000;
    const expected = { code, status, message: expect.stringContaining('because') };
    expect(await pending).toMatchObject({ ...expected, maybeExecuted: true });
    expect(await failureOf(watched.client.add())).toMatchObject(expected);
    expect(watched.stateNames).toEqual(['connecting', 'open', 'closed']);
    expect(watched.sockets).toHaveLength(1);
  });

  test.each([1000, 1001, 1008, 1011, 1012, 1013, 3000, 4000, 4399, 4500])(
    '%i makes the client reconnect',
    async (closeCode) => {
      const instance = `closed ${closeCode}`;
      using watched = watch(instance);
      using other = watch(instance, { transport: 'http' });
      expect(await watched.client.add()).toBe(1);
      expect(await other.client.closeSockets(closeCode, 'because')).toBe(1);
      expect(await watched.next('reconnecting')).toMatchObject({
        attempt: 1,
        reason: expect.stringContaining(`${closeCode} because`),
        error: { code: 'DISCONNECTED' },
      });
      await watched.next('open');
      expect(await watched.client.add()).toBe(2);
    },
  );

  test('a server that closes each connection at once is tried ever more slowly', async () => {
    using stub = await new Stub(closeWith(1013, 'later')).listen();
    const reconnect = { minDelay: 1, maxDelay: 64 };
    using watched = watch('flapping', { baseUrl: stub.url, reconnect });
    void failureOf(watched.client.count());
    const attempts = (): (number | undefined)[] =>
      watched.states.flatMap(([state, { attempt }]) => (state === 'reconnecting' ? [attempt] : []));
    await until(() => attempts().length >= 6);
    // The short open connections do not reset the count, so the delays grow.
    expect(attempts().slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe.each(['websocket', 'http'] as const)('a temporary rejection over %s', (transport) => {
  test('does not end a client that was accepted before', async () => {
    const instance = `refused for a moment, ${transport}`;
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch(instance, { transport, baseUrl: proxy.url });
    expect(await watched.client.add()).toBe(1);
    await hooks.refuse(instance, 403);
    proxy.cutAll('reset');
    const call = watched.client.add();
    const isRefused = (): boolean => watched.states.at(-1)?.[1].error?.code === 'FORBIDDEN';
    await until(isRefused);
    const until500 = performance.now() + 500;
    await until(() => performance.now() > until500);
    // A POST that is on its way has not been rejected yet.
    await until(isRefused);
    await hooks.refuse(instance, 0);
    expect(await call).toBe(2);
    expect(watched.stateNames).not.toContain('closed');
    expect(watched.stateNames.at(-1)).toBe('open');
    proxy.close();
  });

  test('needs no reconnect(), but a final rejection does', async () => {
    const instance = `refused for long, ${transport}`;
    await hooks.refuse(instance, 403);
    using watched = watch(instance, { transport });
    expect((await failureOf(watched.client.add())).code).toBe('FORBIDDEN');
    watched.client.reconnect();
    expect((await failureOf(watched.client.add())).code).toBe('FORBIDDEN');
    expect(watched.stateNames.filter((state) => state === 'closed')).toHaveLength(2);
    await hooks.refuse(instance, 0);
    expect((await failureOf(watched.client.add())).code).toBe('FORBIDDEN');
    watched.client.reconnect();
    expect(await watched.client.add()).toBe(1);
  });
});

test('a listener can call reconnect when it is told that the client is closed', async () => {
  const instance = 'renewed by its listener';
  await hooks.refuse(instance, 403);
  let refusals = 0;
  using client = createRpcClient<Default>('DEFAULT', instance, {
    baseUrl: worker.runtime.url,
    onStateChange(state) {
      if (state !== 'closed' || ++refusals > 2) return;
      if (refusals === 2) void hooks.refuse(instance, 0).then(() => client.reconnect());
      else client.reconnect();
    },
  });
  expect((await failureOf(client.add())).code).toBe('FORBIDDEN');
  await until(async () => (await client.add().catch(() => 0)) > 0);
  expect(refusals).toBe(2);
});

describe('a token in the subprotocols', () => {
  const token = 'token.abc-123';

  test('reaches the hook with the upgrade, and with the request that asks why it was rejected', async () => {
    const instance = 'token refused';
    await hooks.refuse(instance, 401);
    using watched = watch(instance, { protocols: [token] });
    expect((await failureOf(watched.client.add())).code).toBe('UNAUTHORIZED');
    const questions = await hooks.asked(instance);
    // Node's WebSocket asks twice after a 401.
    expect(questions.length).toBeGreaterThan(1);
    for (const question of questions) {
      expect(question).toMatch(/^connect /);
      expect(question.split(/,? /)).toContain(token);
    }
    // Neither request has woken the object.
    await hooks.refuse(instance, 0);
    using other = watch(instance, { transport: 'http' });
    expect(await other.client.requests()).toEqual(['POST']);
  });

  test('is sent once if the upgrade is accepted', async () => {
    using watched = watch('token accepted', { protocols: [token] });
    expect(await watched.client.add()).toBe(1);
    const [upgrade = '', ...more] = await hooks.asked('token accepted');
    expect(upgrade).toContain(token);
    expect(more).toEqual([]);
  });

  test.each([
    ['a protocol that cannot be sent', { protocols: ['not a token'] }],
    ['an invalid address', { baseUrl: 'http://:nowhere' }],
  ])('%s rejects the call', async (_, options) => {
    using watched = watch('impossible', options);
    const error = await watched.client.add().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
  });
});

describe('a POST that a hook rejects for good', () => {
  const FORBIDDEN = { code: 'FORBIDDEN', status: 403 };

  test('has run no call, even if the client was accepted before', async () => {
    const instance = 'refused post, not run';
    using watched = watch(instance, { transport: 'http' });
    await hooks.refuse(instance, 403);
    expect(await failureOf(watched.client.add())).toMatchObject({
      ...FORBIDDEN,
      maybeExecuted: false,
    });
    await hooks.refuse(instance, 0);
    watched.client.reconnect();
    expect(await watched.client.add()).toBe(1);
    await hooks.refuse(instance, 403);
    const calls = [watched.client.add(), watched.client.add()].map(failureOf);
    for (const call of calls) {
      expect(await call).toMatchObject({ ...FORBIDDEN, maybeExecuted: false });
    }
    await hooks.refuse(instance, 0);
    watched.client.reconnect();
    expect(await watched.client.count()).toBe(1);
  });

  test('may have run a call that was sent before', async () => {
    const instance = 'refused post, run before';
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch(instance, { transport: 'http', baseUrl: proxy.url });
    using other = watch(instance, { transport: 'http' });
    const call = failureOf(watched.client.addInTwoTurns('never'));
    await until(async () => (await other.client.count()) === 1);
    await hooks.refuse(instance, 403);
    proxy.cutAll('reset');
    expect(await call).toMatchObject({ ...FORBIDDEN, maybeExecuted: true });
    proxy.close();
  });

  test('may have run a call of another request', async () => {
    const instance = 'refused post, another';
    using watched = watch(instance, { transport: 'http' });
    using other = watch(instance, { transport: 'http' });
    const running = failureOf(watched.client.addInTwoTurns('never'));
    await until(async () => (await other.client.count()) === 1);
    await hooks.refuse(instance, 403);
    const refused = failureOf(watched.client.add());
    expect(await running).toMatchObject({ ...FORBIDDEN, maybeExecuted: true });
    expect((await refused).code).toBe('FORBIDDEN');
  });
});
