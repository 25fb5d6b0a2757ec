/** A client notices whether the other end still answers, and a sleeping object does not notice the heartbeats. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { debug } from '../../../src/features/debug/client/debug.ts';
import { createRpcClient, type RpcClientOptions } from '../../../src/client.ts';
import { LAST } from '../../../src/wire/pieces.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { type Binding, serve } from '../../served/serve.ts';
import { failureOf } from '../../support/failure-of.ts';
import { BRIEFLY, type Watched } from '../../support/watched.ts';
import { ignore, Stub, upgradeOnly } from '../../served/stub.ts';
import type { Default } from '../../served/worker.ts';

const worker = await serve();

const watch = (
  instance: string,
  options: RpcClientOptions,
  binding: Binding = 'DEFAULT',
): Watched<Default> => worker.watch(instance, options, binding);

const isHeartbeat = (frame: string): boolean => frame === '[]';

const heartbeats = ({ sockets }: Watched<Default>): number =>
  sockets.flatMap(({ received }) => received).filter(isHeartbeat).length;

/** Returns how many frames other than heartbeats were sent. */
const calls = ({ sockets }: Watched<Default>): number =>
  sockets.flatMap(({ sent }) => sent).filter((frame) => !isHeartbeat(frame)).length;

const sleep = (time: number): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, time);
  });

const { now } = Date;

afterEach(() => {
  Date.now = now;
});

test('a client replaces its connection if the server falls silent', async () => {
  using stub = await new Stub(upgradeOnly).listen();
  using watched = watch('silent', { baseUrl: stub.url, heartbeat: 50 });
  const call = failureOf(watched.client.count());
  const { error, reason } = await watched.next('reconnecting');
  expect(error?.code).toBe('DISCONNECTED');
  expect(reason).toMatch(/^no answer from http/);
  await watched.next('open');
  expect(watched.sockets).toHaveLength(2);
  watched.client.close();
  expect(await call).toMatchObject({ code: 'CLOSED', maybeExecuted: true });
});

test.each(['heartbeat', 'connectTimeout'])(
  'without an end of %s, no connection is given up',
  async (option) => {
    using watched = watch(`endless ${option}`, { [option]: Infinity });
    using other = watch(`endless ${option}`, { transport: 'http' });
    const call = watched.client.wait('gate');
    await sleep(100);
    await other.client.openGate('gate');
    expect(await call).toBe('gate');
    expect(watched.stateNames).toEqual(['connecting', 'open']);
  },
);

describe.each(['up', 'down', 'both'])(
  'a network that drops everything, direction: %s',
  (direction) => {
    test('is noticed, and pending calls are answered once afterwards', async () => {
      const proxy = await new NetworkProxy(worker.runtime.port).listen();
      const instance = `black hole ${direction}`;
      using watched = watch(instance, { baseUrl: proxy.url, heartbeat: 100 });
      expect(await watched.client.add()).toBe(1);
      proxy.silence(
        ...((direction === 'both' ? ['up', 'down'] : [direction]) as ('up' | 'down')[]),
      );
      const pending = watched.client.add();
      await watched.next('reconnecting');
      proxy.resume();
      expect(await pending).toBe(2);
      expect(await watched.client.count()).toBe(2);
      proxy.close();
    });
  },
);

test('five silent connections in succession are each noticed as soon as the first', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using watched = watch('black holes', { baseUrl: proxy.url, heartbeat: 50 });
  using healthy = watch('healthy beside them', { heartbeat: 50 });
  void failureOf(healthy.client.wait('never'));
  expect(await watched.client.add()).toBe(1);
  for (let hole = 1; hole <= 5; hole++) {
    const before = heartbeats(healthy);
    proxy.silence('up', 'down');
    const pending = watched.client.add();
    await watched.next('reconnecting');
    expect(heartbeats(healthy) - before).toBeLessThan(10);
    proxy.resume();
    expect(await pending).toBe(hole + 1);
  }
  proxy.close();
});

describe.each(['client', 'upstream'] as const)(
  'a half-open connection, forgotten by the %s',
  (side) => {
    test('is noticed, and the call runs once', async () => {
      const proxy = await new NetworkProxy(worker.runtime.port).listen();
      using watched = watch(`half-open ${side}`, { baseUrl: proxy.url, heartbeat: 100 });
      expect(await watched.client.add()).toBe(1);
      proxy.forget(side);
      expect(await watched.client.add()).toBe(2);
      expect(await watched.client.count()).toBe(2);
      proxy.close();
    });
  },
);

test('an attempt to connect to a server that accepts and never answers ends, and the next follows', async () => {
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

describe.concurrent('heartbeats', () => {
  test.each([
    { binding: 'DEFAULT', wakes: false },
    { binding: 'OWN_AUTO_RESPONSE', wakes: true },
  ] as const)(
    'of $binding are answered, and reach the object: $wakes',
    async ({ binding, wakes }) => {
      using watched = watch('beating', { heartbeat: 100 }, binding);
      const before = await watched.client.messages();
      const called = calls(watched);
      await until(() => heartbeats(watched) > 3);
      const messages = (await watched.client.messages()) - before;
      if (wakes) expect(messages).toBeGreaterThan(3);
      // The call is one message, unless the connection was lost on a busy machine and the call was sent again.
      else expect(messages).toBeLessThanOrEqual(calls(watched) - called);
    },
  );

  test('of an object that does not hibernate are answered', async () => {
    using watched = watch('beating', { heartbeat: 100 }, 'RESIDENT');
    expect(await watched.client.add()).toBe(1);
    await until(() => heartbeats(watched) > 3);
    expect(await watched.client.add()).toBe(2);
  });

  test('are sent three times as often while a call is awaited', async () => {
    // This interval is longer than any answer takes on a busy machine.
    using idle = watch('idle one', { heartbeat: 500 });
    using busy = watch('busy one', { heartbeat: 500 });
    await Promise.all([idle.client.add(), busy.client.add()]);
    void failureOf(busy.client.wait('never'));
    const [first, before] = [heartbeats(idle), heartbeats(busy)];
    await until(() => heartbeats(busy) >= before + 15);
    // Both clients have timers of one process, which are late together.
    expect(heartbeats(idle) - first).toBeGreaterThan(2);
    expect(heartbeats(idle) - first).toBeLessThan(9);
  });

  test('let an idle object be evicted, which serves the same socket afterwards', async () => {
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
      await until(() => heartbeats(watched) > beats);
      starts = await watched.client.starts();
    }
    // The call has started the object again, and no heartbeat has.
    expect(starts).toBe(2);
    expect(await watched.client.messages()).toBe(2);
    expect(await watched.client.add()).toBe(2);
    expect(watched.stateNames).toEqual(['connecting', 'open']);
  });

  test('of a process that was stopped for a while are missing, so the process connects again', async () => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'lone-client-process.ts'), 'asleep', worker.runtime.url],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    await until(() => output.includes('open'));
    child.kill('SIGSTOP');
    await sleep(6_000);
    expect(output).toBe('connecting\nopen\n');
    child.kill('SIGCONT');
    await until(() => output.includes('reconnecting\nopen\n'));
    child.kill();
  });
});

test('heartbeats are answered under debug output too, which knows whether a call is awaited', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  using watched = watch('shown', { heartbeat: 20, debug });
  expect(await watched.client.add()).toBe(1);
  void failureOf(watched.client.wait('never'));
  const before = heartbeats(watched);
  await until(() => heartbeats(watched) > before + 3);
  Date.now = () => now() + 60_000;
  await watched.next('reconnecting');
  await watched.next('open');
  expect(await watched.client.add()).toBe(2);
  printed.mockRestore();
});

describe('a client on a machine that slept', () => {
  test('replaces its connection if a call is awaited, and the call runs once', async () => {
    // This interval is longer than any answer takes on a busy machine.
    using watched = watch('slept', { heartbeat: 1_000 });
    using other = watch('slept', { transport: 'http' });
    const call = watched.client.addInTwoTurns('gate');
    await until(async () => (await other.client.count()) === 1);
    Date.now = () => now() + 60_000;
    expect(await watched.next('reconnecting')).toMatchObject({ error: { code: 'DISCONNECTED' } });
    await watched.next('open');
    await other.client.openGate('gate');
    expect(await call).toBe(11);
    expect(watched.sockets).toHaveLength(2);
  });

  test('keeps its connection if no call is awaited', async () => {
    // This interval is longer than any answer takes on a busy machine.
    using watched = watch('slept idly', { heartbeat: 1_000 });
    expect(await watched.client.add()).toBe(1);
    Date.now = () => now() + 60_000;
    const before = heartbeats(watched);
    await until(() => heartbeats(watched) > before);
    expect(await watched.client.add()).toBe(2);
    expect(watched.stateNames).toEqual(['connecting', 'open']);
  });
});

describe('an answer that takes longer than a heartbeat', () => {
  const LARGE = 1_000_000;

  test('arrives once, and a later silence is noticed as before', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch('large', { baseUrl: proxy.url, heartbeat: 50 });
    using healthy = watch('healthy', { heartbeat: 50 });
    using other = watch('large', { transport: 'http' });
    const { client } = watched;
    await Promise.all([client.add(), healthy.client.add()]);
    void failureOf(healthy.client.wait('never'));
    proxy.rate = LARGE;
    expect(await client.text(LARGE)).toHaveLength(LARGE);
    // The wait has doubled with each lost connection.
    const losses = watched.stateNames.filter((state) => state === 'reconnecting').length;
    expect(losses).toBeLessThan(12);
    const messages = watched.sockets.flatMap(({ received }) => received);
    expect(messages.filter((message) => String(message).startsWith(LAST))).toHaveLength(1);

    proxy.rate = Infinity;
    expect(await client.add()).toBe(2);
    const call = client.addInTwoTurns('gate');
    const answered = heartbeats(watched);
    await until(() => heartbeats(watched) > answered + 1);
    const { length } = watched.states;
    const before = heartbeats(healthy);
    proxy.silence('up', 'down');
    await until(() => watched.states.length > length);
    expect(heartbeats(healthy) - before).toBeLessThan(10);
    proxy.resume();
    await other.client.openGate('gate');
    expect(await call).toBe(13);
    proxy.close();
  });

  test('arrives behind smaller answers that were ready first', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch('large behind', { baseUrl: proxy.url, heartbeat: 50 });
    using other = watch('large behind', { transport: 'http' });
    const { client } = watched;
    await client.add();
    proxy.rate = LARGE;
    const large = client.text(LARGE);
    const small = client.addInTwoTurns('gate');
    await other.client.openGate('gate');
    expect(await large).toHaveLength(LARGE);
    expect(await small).toBe(12);
    proxy.close();
  });

  test('arrives even if a large argument on a slow uplink has delayed it', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch('large argument', { baseUrl: proxy.url, heartbeat: 50 });
    await watched.client.add();
    proxy.rate = LARGE;
    expect(await watched.client.length('x'.repeat(LARGE))).toBe(LARGE);
    proxy.close();
  });
});

test('a heartbeat is not late while a frame is still leaving', async () => {
  let left = 0;
  let looks = 0;
  let isLeaving = true;
  // The WebSocket of Node reports a frame as sent only when all of it has left.
  class Slow extends WebSocket {
    get bufferedAmount(): number {
      looks++;
      if (isLeaving) left--;
      return 1_000_000 + left;
    }
  }
  using stub = await new Stub(upgradeOnly).listen();
  const states: string[] = [];
  using client = createRpcClient<Default>('DEFAULT', 'leaving', {
    baseUrl: stub.url,
    heartbeat: 20,
    reconnect: BRIEFLY,
    WebSocket: Slow,
    onStateChange: (state) => states.push(state),
  });
  void failureOf(client.count());
  await until(() => looks > 30);
  expect(states).toEqual(['connecting', 'open']);
  isLeaving = false;
  await until(() => states.includes('reconnecting'));
});
