/** Whether the other end is still there: noticed by the client, and unnoticed by a sleeping object. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RpcClientOptions } from '../../template/src/rpc/client.ts';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { until } from '../../harness/waiting.mjs';
import { Server } from './server.ts';
import { ignore, Stub, upgradeOnly } from './stub.ts';
import { type Binding, failureOf, Watched } from './watched.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.make();
});

afterAll(() => server?.stop());

const watch = (
  instance: string,
  options: RpcClientOptions,
  binding: Binding = 'DEFAULT',
): Watched => new Watched(binding, instance, { baseUrl: server.url, ...options });

const isHeartbeat = (frame: string): boolean => frame === '[]';

const heartbeats = ({ sockets }: Watched): number =>
  sockets.flatMap(({ received }) => received).filter(isHeartbeat).length;

test('a server that falls silent is noticed, and a connection to another made', async () => {
  using stub = await new Stub(upgradeOnly).listen();
  using watched = watch('silent', { baseUrl: stub.url, heartbeat: 50 });
  const call = failureOf(watched.client.count());
  const { error, reason } = await watched.next('reconnecting');
  expect(error?.code).toBe('DISCONNECTED');
  expect(reason).toBe('No answer');
  await watched.next('open');
  expect(watched.sockets).toHaveLength(2);
  watched.client.close();
  expect(await call).toMatchObject({ code: 'CLOSED', maybeExecuted: true });
});

describe.each(['up', 'down', 'both'])('a black hole, %s', (direction) => {
  test('is noticed; after it pending calls are answered, once', async () => {
    const proxy = await new NetworkProxy(server.port).listen();
    const instance = `black hole ${direction}`;
    using watched = watch(instance, { baseUrl: proxy.url, heartbeat: 100 });
    expect(await watched.client.add()).toBe(1);
    proxy.silence(...((direction === 'both' ? ['up', 'down'] : [direction]) as ('up' | 'down')[]));
    const pending = watched.client.add();
    await watched.next('reconnecting');
    proxy.resume();
    expect(await pending).toBe(2);
    expect(await watched.client.count()).toBe(2);
    proxy.close();
  });
});

describe.each(['client', 'upstream'] as const)(
  'a half-open connection, forgotten by the %s',
  (side) => {
    test('is noticed, and the call runs once', async () => {
      const proxy = await new NetworkProxy(server.port).listen();
      using watched = watch(`half-open ${side}`, { baseUrl: proxy.url, heartbeat: 100 });
      expect(await watched.client.add()).toBe(1);
      proxy.forget(side);
      expect(await watched.client.add()).toBe(2);
      expect(await watched.client.count()).toBe(2);
      proxy.close();
    });
  },
);

test('a server that accepts and never answers: the attempt ends, and the next follows', async () => {
  using stub = await new Stub(ignore).listen();
  using watched = watch('ignored', { baseUrl: stub.url, connectTimeout: 50 });
  const call = failureOf(watched.client.count());
  expect(await watched.next('reconnecting')).toMatchObject({ error: { code: 'DISCONNECTED' } });
  await watched.next('reconnecting');
  watched.client.close();
  expect(await call).toMatchObject({ code: 'CLOSED', maybeExecuted: false });
  expect(stub.accepted).toBeGreaterThan(1);
  await until(() => stub.open === 0);
});

describe('heartbeats pass', () => {
  test.each([
    { binding: 'DEFAULT', wakes: false },
    { binding: 'OWN_AUTO_RESPONSE', wakes: true },
  ] as const)('$binding: and reach the object: $wakes', async ({ binding, wakes }) => {
    using watched = watch('beating', { heartbeat: 100 }, binding);
    const before = await watched.client.messages();
    await until(() => heartbeats(watched) > 3);
    const messages = (await watched.client.messages()) - before;
    if (wakes) expect(messages).toBeGreaterThan(3);
    else expect(messages).toBe(1);
  });

  test('of an object that does not hibernate', async () => {
    using watched = watch('beating', { heartbeat: 100 }, 'RESIDENT');
    expect(await watched.client.add()).toBe(1);
    await until(() => heartbeats(watched) > 3);
    expect(await watched.client.add()).toBe(2);
  });

  test('and an idle object is evicted under them, and serves the same socket afterwards', async () => {
    using watched = watch('idle', { heartbeat: 3_000 });
    expect(await watched.client.starts()).toBe(1);
    expect(await watched.client.add()).toBe(1);
    let starts = 1;
    // The runtime evicts an object that has been idle for some ten seconds.
    for (let wait = 11_000; starts === 1; wait *= 2) {
      const beats = heartbeats(watched);
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
      expect(heartbeats(watched)).toBeGreaterThan(beats);
      starts = await watched.client.starts();
    }
    // No heartbeat has made it again: the question did.
    expect(starts).toBe(2);
    expect(await watched.client.messages()).toBe(2);
    expect(await watched.client.add()).toBe(2);
    expect(watched.stateNames).toEqual(['connecting', 'open']);
  });
});
