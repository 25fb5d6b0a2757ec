/** When a client connects, and which states it reports. */
import {
  type ConnectionState,
  createRpcClient,
  type RpcClient,
  RpcError,
} from '../../../src/client.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serve } from '../../served/serve.ts';
import { failureOf } from '../../support/failure-of.ts';
import { BRIEFLY, type Watched } from '../../support/watched.ts';
import { freePort } from '../../../../harness/ports.mjs';
import { until } from '../../../../harness/waiting.mjs';
import type { Default } from '../../served/worker.ts';

const worker = await serve();

const watch = (instance: string, options = {}): Watched<Default> => worker.watch(instance, options);

test('nothing happens before the first call', async () => {
  using watched = watch('lazy');
  await fetch(worker.runtime.url);
  expect(watched.states).toEqual([]);
  expect(watched.sockets).toHaveLength(0);
});

test('the first calls of a client share one socket', async () => {
  using watched = watch('shared');
  const first = watched.client.add();
  await Promise.resolve();
  const second = watched.client.add();
  const third = new Promise((resolve) => {
    setImmediate(() => resolve(watched.client.add()));
  });
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 3]);
  expect(watched.sockets).toHaveLength(1);
});

test('a client reports connecting, open and closed', async () => {
  const watched = watch('clean');
  await watched.client.add();
  watched.client.close();
  watched.client.close();
  expect(watched.states).toEqual([
    ['connecting', {}],
    ['open', {}],
    ['closed', { reason: 'Client closed', error: expect.any(RpcError) }],
  ]);
});

test('a client that is closed before its first use reports only that', () => {
  const watched = watch('unused');
  watched.client.close();
  expect(watched.states).toEqual([
    ['closed', { reason: 'Client closed', error: expect.any(RpcError) }],
  ]);
});

test('a client that is closed while it connects reports it once', async () => {
  const watched = watch('closed early');
  const call = failureOf(watched.client.add());
  await watched.next('connecting');
  watched.client.close();
  expect((await call).code).toBe('CLOSED');
  await fetch(worker.runtime.url);
  expect(watched.stateNames).toEqual(['connecting', 'closed']);
});

test('a client reports a restart of the server as reconnecting and open, and its next call is answered', async () => {
  using watched = watch('restart');
  expect(await watched.client.add()).toBe(1);
  await worker.kill();
  const lost = await watched.next('reconnecting');
  expect(lost).toMatchObject({ attempt: 1, error: { code: 'DISCONNECTED' } });
  expect(lost.reason).toBe(lost.error?.message);
  expect(lost.delay).toBeLessThanOrEqual(BRIEFLY.minDelay);
  await worker.start();
  await watched.next('open');
  expect(await watched.client.add()).toBe(2);
  expect(watched.stateNames.slice(0, 2)).toEqual(['connecting', 'open']);
  expect(new Set(watched.stateNames.slice(2, -1))).toEqual(new Set(['reconnecting']));
  expect(watched.stateNames.at(-1)).toBe('open');
  await worker.kill();
  expect(await watched.next('reconnecting')).toMatchObject({ attempt: 1 });
  await worker.start();
});

test('attempts are counted, and their delays are random below a bound that doubles up to the maximum', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const reconnect = { minDelay: 4, maxDelay: 64 };
  const runs = Array.from({ length: 4 }, () => watch('backoff', { baseUrl, reconnect }));
  try {
    for (const { client } of runs) void failureOf(client.count());
    await until(() => runs.every(({ states }) => states.length > 9));
    const details = runs.map(({ states }) => states.slice(1).map(([, detail]) => detail));
    for (const run of details) {
      expect(run.map(({ attempt }) => attempt)).toEqual(run.map((_, index) => index + 1));
      for (const [index, { delay = -1 }] of run.entries()) {
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(Math.min(64, 4 * 2 ** index));
      }
    }
    const delays = details.flat().map(({ delay }) => delay ?? 0);
    expect(new Set(delays).size).toBe(delays.length);
    // Of some thirty delays below 64, at least one is longer than any first delay.
    expect(Math.max(...delays)).toBeGreaterThan(4);
  } finally {
    for (const { client } of runs) client.close();
  }
});

describe('with reconnect: false, a client', () => {
  test('reports closed with the reason, and connects again for the next call', async () => {
    using watched = watch('no reconnect', { reconnect: false });
    expect(await watched.client.add()).toBe(1);
    const pending = failureOf(watched.client.wait('never'));
    await until(() => watched.sockets[0]?.sent.length === 2);
    await worker.kill();
    expect(await pending).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
    expect(await watched.next('closed')).toMatchObject({ error: { code: 'DISCONNECTED' } });
    const refused = await failureOf(watched.client.add());
    expect(refused).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: false });
    await worker.start();
    expect(await watched.client.add()).toBe(2);
    expect(watched.stateNames).toEqual([
      'connecting',
      'open',
      'closed',
      'connecting',
      'closed',
      'connecting',
      'open',
    ]);
  });
});

describe('a listener that throws', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  test('is reported, and changes nothing', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const told: ConnectionState[] = [];
    using client = createRpcClient<Default>('DEFAULT', 'thrower', {
      baseUrl: worker.runtime.url,
      reconnect: BRIEFLY,
      onStateChange(state) {
        told.push(state);
        throw new Error(`no ${state}`);
      },
    });
    expect(await client.add()).toBe(1);
    await worker.restart();
    await until(() => told.includes('reconnecting'));
    expect(await client.add()).toBe(2);
    client.close();
    expect(new Set(told)).toEqual(new Set(['connecting', 'open', 'reconnecting', 'closed']));
    expect(reported.mock.calls.flat()).toEqual(told.map((state) => new Error(`no ${state}`)));
  });

  test('is logged to the console if there is no reportError', async () => {
    vi.stubGlobal('reportError', undefined);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const error = new Error('mine');
    using client = createRpcClient<Default>('DEFAULT', 'thrower', {
      baseUrl: worker.runtime.url,
      onStateChange() {
        throw error;
      },
    });
    expect(await client.add()).toBeGreaterThan(0);
    expect(logged.mock.calls).toEqual([[error], [error]]);
  });
});

describe.each(['websocket', 'http'] as const)('a listener over %s', (transport) => {
  test.each(['connecting', 'open', 'reconnecting'] as const)(
    'can close the client when it is %s',
    async (when) => {
      const told: ConnectionState[] = [];
      const closing = Promise.withResolvers<void>();
      const watched = watch(`closed by a listener, ${transport} ${when}`, { transport });
      const client: RpcClient<Default> = createRpcClient(
        'DEFAULT',
        `closing ${transport} ${when}`,
        {
          baseUrl:
            when === 'reconnecting' ? `http://127.0.0.1:${await freePort()}` : worker.runtime.url,
          transport,
          reconnect: BRIEFLY,
          onStateChange(state) {
            told.push(state);
            if (state !== when) return;
            client.close();
            closing.resolve();
          },
        },
      );
      expect((await failureOf(client.add())).code).toBe('CLOSED');
      await closing.promise;
      // This wait leaves time for reports that must not come.
      await watched.client.add();
      await new Promise((resolve) => {
        setTimeout(resolve, 3 * BRIEFLY.maxDelay);
      });
      expect(told.at(-1)).toBe('closed');
      expect(told.filter((state) => state === when)).toHaveLength(1);
      expect((await failureOf(client.add())).code).toBe('CLOSED');
      watched.client.close();
    },
  );
});

describe('reconnect', () => {
  test('replaces the connection, and sends unanswered calls again', async () => {
    using watched = watch('anew');
    using other = watch('anew', { transport: 'http' });
    expect(await watched.client.add()).toBe(1);
    const call = watched.client.addInTwoTurns('gate');
    await until(async () => (await other.client.count()) === 2);
    watched.client.reconnect();
    expect(watched.stateNames).toEqual(['connecting', 'open', 'connecting']);
    await until(() => watched.sockets[0]?.readyState === WebSocket.CLOSED);
    await other.client.openGate('gate');
    expect(await call).toBe(12);
    expect(await watched.client.add()).toBe(13);
    expect(watched.sockets).toHaveLength(2);
    expect(watched.stateNames).toEqual(['connecting', 'open', 'connecting', 'open']);
  });

  test('does not wait for the next attempt', async () => {
    const patient = { minDelay: 1_000_000_000, maxDelay: 1_000_000_000 };
    using watched = watch('impatient', { reconnect: patient });
    expect(await watched.client.add()).toBe(1);
    await worker.restart();
    await watched.next('reconnecting');
    const call = watched.client.add();
    watched.client.reconnect();
    expect(await call).toBe(2);
  });

  test('connects a client that has not been used', async () => {
    using watched = watch('early');
    watched.client.reconnect();
    await watched.next('open');
    expect(await watched.client.add()).toBe(1);
    expect(watched.sockets).toHaveLength(1);
  });

  test('does not reopen a closed client', async () => {
    const watched = watch('closed for good');
    await watched.client.add();
    watched.client.close();
    watched.client.reconnect();
    expect((await failureOf(watched.client.add())).code).toBe('CLOSED');
    expect(watched.stateNames).toEqual(['connecting', 'open', 'closed']);
    expect(watched.sockets).toHaveLength(1);
  });

  test('over HTTP sends a running call again, which runs once', async () => {
    using watched = watch('posted anew', { transport: 'http' });
    using other = watch('posted anew', { transport: 'http' });
    const call = watched.client.addInTwoTurns('gate');
    await until(async () => (await other.client.count()) === 1);
    watched.client.reconnect();
    await other.client.openGate('gate');
    expect(await call).toBe(11);
    expect(await other.client.count()).toBe(11);
  });
});

describe.each(['online', 'visibilitychange'])('the browser event %s', (type) => {
  const patient = { minDelay: 1_000_000_000, maxDelay: 1_000_000_000 };
  /** Stands in for the page, which Node lacks. */
  let page: EventTarget;

  beforeEach(() => {
    page = new EventTarget();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  });

  afterEach(() => void vi.unstubAllGlobals());

  test('ends the wait for the next attempt, and changes nothing after that has succeeded', async () => {
    using watched = watch(`hopeful, ${type}`, { reconnect: patient });
    expect(await watched.client.add()).toBe(1);
    await worker.restart();
    await watched.next('reconnecting');
    const call = watched.client.add();
    page.dispatchEvent(new Event(type));
    expect(await call).toBe(2);
    page.dispatchEvent(new Event(type));
    expect(await watched.client.add()).toBe(3);
    expect(watched.sockets).toHaveLength(2);
    expect(watched.stateNames).toEqual(['connecting', 'open', 'reconnecting', 'open']);
  });

  test('does not reopen a client that was closed', async () => {
    const watched = watch(`closed, ${type}`, { reconnect: patient });
    expect(await watched.client.add()).toBe(1);
    await worker.restart();
    await watched.next('reconnecting');
    watched.client.close();
    page.dispatchEvent(new Event(type));
    await fetch(worker.runtime.url);
    expect(watched.sockets).toHaveLength(1);
    expect(watched.stateNames.at(-1)).toBe('closed');
  });
});
