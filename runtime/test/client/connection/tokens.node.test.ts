/** Subprotocols and headers that a function gives, so that a token can be renewed. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RpcClientOptions } from '../../../src/client.ts';
import { freePort } from '../../../../harness/ports.mjs';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { RouterHooks } from '../../served/router-hooks.ts';
import type { Default } from '../../served/worker.ts';
import { serve } from '../../served/serve.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Watched } from '../../support/watched.ts';
import { closeWith, Stub } from '../../served/stub.ts';

const worker = await serve();
const hooks = new RouterHooks(worker.runtime.url);
let instance = '';
let instances = 0;
/** The tokens that the function gives, one after the other, and the last for ever. */
let answers: string[] = [];
/** How often it was asked. */
let asked = 0;

beforeEach(() => {
  instance = `guarded ${++instances}`;
  answers = ['first'];
  asked = 0;
});

const current = (): string => answers[asked++] ?? answers.at(-1) ?? '';

/** The option that shows the token, by a function that answers at once or later. */
const showing: Record<string, RpcClientOptions> = {
  'websocket, at once': { protocols: () => [current()] },
  'websocket, later': { protocols: async () => [current()] },
  'http, at once': { transport: 'http', headers: () => ({ Authorization: current() }) },
  'http, later': { transport: 'http', headers: async () => ({ Authorization: current() }) },
};

const watch = (options: RpcClientOptions): Watched<Default> => worker.watch(instance, options);

describe.each(Object.entries(showing))('%s', (_, options) => {
  test('a token is shown that is asked for then', async () => {
    await hooks.letIn(instance, 'second');
    using watched = watch(options);
    answers = ['second'];
    expect(await watched.client.add()).toBe(1);
    expect(asked).toBe(1);
  });

  test('a 401 is tried once more with another answer', async () => {
    await hooks.letIn(instance, 'second');
    using watched = watch(options);
    answers = ['first', 'second'];
    expect(await watched.client.add()).toBe(1);
    expect(asked).toBe(2);
    expect(watched.stateNames).toEqual(['connecting', 'open']);
  });

  test('a second 401 is final', async () => {
    await hooks.letIn(instance, 'third');
    using watched = watch(options);
    expect(await failureOf(watched.client.add())).toMatchObject({
      code: 'UNAUTHORIZED',
      status: 401,
    });
    expect(asked).toBe(2);
    expect(watched.stateNames.at(-1)).toBe('closed');
    expect((await failureOf(watched.client.add())).code).toBe('UNAUTHORIZED');
    expect(asked).toBe(2);
    await hooks.letIn(instance, '');
    watched.client.reconnect();
    expect(await watched.client.add()).toBe(1);
  });

  test('another refusal is final at once', async () => {
    await hooks.refuse(instance, 403);
    using watched = watch(options);
    expect((await failureOf(watched.client.add())).code).toBe('FORBIDDEN');
    expect(asked).toBe(1);
  });

  test('after a loss it is asked again', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch({ ...options, baseUrl: proxy.url });
    await hooks.letIn(instance, 'first');
    expect(await watched.client.add()).toBe(1);
    await hooks.letIn(instance, 'second');
    answers = ['first', 'second'];
    proxy.cutAll('reset');
    expect(await watched.client.add()).toBe(2);
    expect(asked).toBeGreaterThan(1);
    proxy.close();
  });
});

describe.each(['websocket', 'http'] as const)('a function that fails, over %s', (transport) => {
  const failing = (fail: () => unknown): RpcClientOptions => {
    const give = (): never => {
      asked++;
      return (asked < 3 ? fail() : transport === 'http' ? {} : []) as never;
    };
    return { transport, [transport === 'http' ? 'headers' : 'protocols']: give };
  };

  test.each([
    [
      'throws',
      () => {
        throw new TypeError('no token');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('no token'))],
  ])('%s: a lost connection with that cause, tried again', async (__, fail) => {
    using watched = watch(failing(fail));
    const call = watched.client.add();
    const { error } = await watched.next('reconnecting');
    expect(error).toMatchObject({ code: 'DISCONNECTED', cause: new TypeError('no token') });
    expect(await call).toBe(1);
    expect(asked).toBe(3);
  });

  test('without reconnection the call rejects with the cause', async () => {
    using watched = watch({
      ...failing(() => Promise.reject(new TypeError('no token'))),
      reconnect: false,
    });
    expect(await failureOf(watched.client.add())).toMatchObject({
      code: 'DISCONNECTED',
      cause: new TypeError('no token'),
    });
  });
});

test('a function that never answers ends with the time for connecting', async () => {
  using watched = watch({ connectTimeout: 50, protocols: () => new Promise(() => {}) });
  void failureOf(watched.client.add());
  expect(await watched.next('reconnecting')).toMatchObject({ error: { code: 'DISCONNECTED' } });
  expect(watched.sockets).toHaveLength(0);
});

test('a client that is closed while a function is asked opens no socket', async () => {
  const answer = Promise.withResolvers<string[]>();
  using watched = watch({ protocols: () => answer.promise });
  const call = failureOf(watched.client.add());
  await watched.next('connecting');
  watched.client.close();
  answer.resolve([]);
  expect((await call).code).toBe('CLOSED');
  await fetch(worker.runtime.url);
  expect(watched.sockets).toHaveLength(0);
});

test('the question why an upgrade was refused shows what the upgrade showed', async () => {
  await hooks.letIn(instance, 'none of them');
  using watched = watch({ protocols: () => [`token-${++asked}`] });
  expect((await failureOf(watched.client.add())).code).toBe('UNAUTHORIZED');
  const shown = (await hooks.asked(instance)).map((question) => /token-\d/.exec(question)?.[0]);
  // Node's WebSocket asks twice when it hears 401; then comes the question, and all of it again.
  expect(shown.filter((name) => name === 'token-1').length).toBeGreaterThan(1);
  expect(shown.filter((name) => name === 'token-2').length).toBeGreaterThan(1);
  expect(new Set(shown)).toEqual(new Set(['token-1', 'token-2']));
  expect(shown).toEqual(shown.toSorted());
});

test('a socket that is closed with 4401 or 4403 is closed on purpose, and asks for no token', async () => {
  for (const code of [4401, 4403]) {
    using stub = await new Stub(closeWith(code, 'out')).listen();
    asked = 0;
    using watched = watch({ baseUrl: stub.url, protocols: () => [current()] });
    const status = code - 4000;
    expect(await failureOf(watched.client.count())).toMatchObject({ status });
    expect(asked).toBe(1);
  }
});

test('headers are asked for each request', async () => {
  using watched = watch(showing['http, later'] ?? {});
  for (let call = 1; call < 4; call++) {
    expect(await watched.client.add()).toBe(call);
    expect(asked).toBe(call);
  }
});

test('nobody is asked before the first call', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  using watched = watch({ baseUrl, protocols: () => [current()] });
  expect(watched.states).toEqual([]);
  expect(asked).toBe(0);
});
