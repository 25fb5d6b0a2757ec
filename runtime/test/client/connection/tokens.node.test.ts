/** Subprotocols and headers can come from a function, so that a token can be renewed. */
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
/** The tokens that the function returns in order. The last is repeated for ever. */
let answers: string[] = [];
/** The number of times that the function was called. */
let asked = 0;

beforeEach(() => {
  instance = `guarded ${++instances}`;
  answers = ['first'];
  asked = 0;
});

const current = (): string => answers[asked++] ?? answers.at(-1) ?? '';

/** Options that send the token of a function, which returns it at once or later. */
const showing: Record<string, RpcClientOptions> = {
  'websocket, at once': { protocols: () => [current()] },
  'websocket, later': { protocols: async () => [current()] },
  'http, at once': { transport: 'http', headers: () => ({ Authorization: current() }) },
  'http, later': { transport: 'http', headers: async () => ({ Authorization: current() }) },
};

const watch = (options: RpcClientOptions): Watched<Default> => worker.watch(instance, options);

describe.each(Object.entries(showing))('%s', (_, options) => {
  test('the token is requested for the connection, and not before', async () => {
    await hooks.letIn(instance, 'second');
    using watched = watch(options);
    answers = ['second'];
    expect(await watched.client.add()).toBe(1);
    expect(asked).toBe(1);
  });

  test('a 401 is tried once more with another token', async () => {
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

  test('another rejection is final at once', async () => {
    await hooks.refuse(instance, 403);
    using watched = watch(options);
    expect((await failureOf(watched.client.add())).code).toBe('FORBIDDEN');
    expect(asked).toBe(1);
  });

  test('the token is requested again after a lost connection', async () => {
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
  ])('that %s causes a lost connection with this cause, and another attempt', async (__, fail) => {
    using watched = watch(failing(fail));
    const call = watched.client.add();
    const { error } = await watched.next('reconnecting');
    expect(error).toMatchObject({ code: 'DISCONNECTED', cause: new TypeError('no token') });
    expect(await call).toBe(1);
    expect(asked).toBe(3);
  });

  test('rejects the call with its error, if reconnect is false', async () => {
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

test('a function that never answers ends with connectTimeout', async () => {
  using watched = watch({ connectTimeout: 50, protocols: () => new Promise(() => {}) });
  void failureOf(watched.client.add());
  expect(await watched.next('reconnecting')).toMatchObject({ error: { code: 'DISCONNECTED' } });
  expect(watched.sockets).toHaveLength(0);
});

test('a client that is closed while it waits for the function opens no socket', async () => {
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

test('the request that asks why an upgrade was rejected sends the token of the upgrade', async () => {
  await hooks.letIn(instance, 'none of them');
  using watched = watch({ protocols: () => [`token-${++asked}`] });
  expect((await failureOf(watched.client.add())).code).toBe('UNAUTHORIZED');
  const shown = (await hooks.asked(instance)).map((question) => /token-\d/.exec(question)?.[0]);
  // Node's WebSocket asks twice after a 401. Then the question follows, and all of this happens again.
  expect(shown.filter((name) => name === 'token-1').length).toBeGreaterThan(1);
  expect(shown.filter((name) => name === 'token-2').length).toBeGreaterThan(1);
  expect(new Set(shown)).toEqual(new Set(['token-1', 'token-2']));
  expect(shown).toEqual(shown.toSorted());
});

test('a socket that is closed with 4401 or 4403 is final, so the function is not called again', async () => {
  for (const code of [4401, 4403]) {
    using stub = await new Stub(closeWith(code, 'out')).listen();
    asked = 0;
    using watched = watch({ baseUrl: stub.url, protocols: () => [current()] });
    const status = code - 4000;
    expect(await failureOf(watched.client.count())).toMatchObject({ status });
    expect(asked).toBe(1);
  }
});

test('headers are requested for each request', async () => {
  using watched = watch(showing['http, later'] ?? {});
  for (let call = 1; call < 4; call++) {
    expect(await watched.client.add()).toBe(call);
    expect(asked).toBe(call);
  }
});

test('the function is not called before the first call', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  using watched = watch({ baseUrl, protocols: () => [current()] });
  expect(watched.states).toEqual([]);
  expect(asked).toBe(0);
});
