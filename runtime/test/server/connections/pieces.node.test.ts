/**
 * Large frames are sent in pieces. Over a slow link they arrive once, small calls are answered
 * between them, and the connection lasts. The tests observe an order, and never measure a time.
 */
import { expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { bytes } from '../../../src/features/bytes/client/bytes.ts';
import type { RpcClientOptions } from '../../../src/client.ts';
import { serve } from '../../served/serve.ts';
import type { Default } from '../../served/worker.ts';
import type { Watched } from '../../support/watched.ts';

const worker = await serve();
let instances = 0;

/** Bytes per second. At this rate, the large frames of these tests take seconds. */
const SLOW = 1_000_000;

async function slowly(
  options?: RpcClientOptions,
): Promise<{ watched: Watched<Default>; proxy: NetworkProxy } & Disposable> {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  const watched = worker.watch(`pieces ${++instances}`, {
    baseUrl: proxy.url,
    // The interval is much shorter than the time of a large frame.
    heartbeat: 300,
    ...options,
  });
  await watched.client.count();
  proxy.rate = SLOW;
  return {
    watched,
    proxy,
    [Symbol.dispose]() {
      watched.client.close();
      proxy.close();
    },
  };
}

test.each([['text'], ['bytes']])('a large answer of %s lets small answers pass', async (form) => {
  using slow = await slowly({ timeout: 120_000, ...(form === 'bytes' && { bytes }) });
  const { client, sockets } = slow.watched;
  const settled: string[] = [];
  const large = client.text(2_500_000).then((text) => {
    settled.push('large');
    return text.length;
  });
  // Calls of one tick are answered in one frame.
  await until(() => sockets[0]?.sent.at(-1)?.includes('"text"') === true);
  for (let call = 0; call < 4; call++) {
    await client.add();
    settled.push('small');
  }
  expect(await large).toBe(2_500_000);
  expect(settled).toEqual([...Array(4).fill('small'), 'large']);
  expect(sockets).toHaveLength(1);
  expect(await client.count()).toBe(4);
});

test('a large argument is not mistaken for a lost connection', async () => {
  using slow = await slowly({ timeout: 120_000 });
  const { client, sockets } = slow.watched;
  expect(await client.length('x'.repeat(2_500_000))).toBe(2_500_000);
  expect(sockets).toHaveLength(1);
});

test('characters of two code units are not divided', async () => {
  using slow = await slowly({ timeout: 120_000 });
  slow.proxy.rate = Infinity;
  const { client } = slow.watched;
  // One text puts the characters at even places of a piece, the other at odd places.
  for (const text of ['💧', 'x💧']) {
    expect(await client.repeat(text, 300_000)).toBe(text.repeat(300_000));
    expect(await client.length(text.repeat(300_000))).toBe(text.length * 300_000);
  }
});

test('the answers of a frame may exceed what an object holds for a client, and are sent once', async () => {
  const watched = worker.watch(`pieces ${++instances}`);
  using client = watched.client;
  // The reads share one frame. The answers of changes are not stored, because they are too large.
  const reads = Array.from({ length: 20 }, () => client.repeat('x', 1_000_000));
  const changes = Array.from({ length: 20 }, () => client.addAndReturn('x', 1_000_000));
  for (const answer of await Promise.all([...reads, ...changes])) {
    expect(answer).toHaveLength(1_000_000);
  }
  expect(await client.count()).toBe(20);
  expect(watched.sockets).toHaveLength(1);
});

test('several large answers arrive whole, each once', async () => {
  using slow = await slowly({ timeout: 120_000 });
  slow.proxy.rate = 20 * SLOW;
  const { client } = slow.watched;
  const letters = [...'abcdefgh'];
  const all = await Promise.all(letters.map((letter) => client.repeat(letter, 700_000)));
  expect(all.map((text) => [text[0], text.length])).toEqual(
    letters.map((letter) => [letter, 700_000]),
  );
});

test('a connection that is lost in the middle of large frames loses and doubles nothing', async () => {
  using slow = await slowly({ timeout: 120_000, reconnect: { maxDelay: 50 } });
  const { watched, proxy } = slow;
  const { client } = watched;
  proxy.rate = 20 * SLOW;
  let calls = 0;
  for (const [direction, count] of [
    ['down', 200_000],
    ['down', 450_000],
    ['up', 300_000],
    ['up', 900_000],
  ] as const) {
    const cut = proxy.cutAfter(count, direction, 'reset');
    // The journal keeps the answers of changes up to 600 000 characters.
    const changes = client.addAndReturn('x', 500_000);
    const reads = client.length('y'.repeat(2_000_000));
    expect((await changes).length).toBe(500_000);
    expect(await reads).toBe(2_000_000);
    await cut;
    calls++;
  }
  expect(await client.count()).toBe(calls);
  expect(watched.sockets.length).toBeGreaterThan(calls);
});

test('a frame that is too large is refused after its last piece, and the connection lasts', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  const watched = worker.watch(`pieces ${++instances}`, { baseUrl: proxy.url }, 'SMALL');
  await expect(watched.client.length('x'.repeat(600_000))).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: 'frameSize is at most 1000',
  });
  expect(await watched.client.length('x')).toBe(1);
  expect(watched.sockets).toHaveLength(1);
  watched.client.close();
  proxy.close();
});

test('an object that is stopped in the middle of a frame receives the call again', async () => {
  using slow = await slowly({ timeout: 120_000, reconnect: { maxDelay: 50 } });
  const { watched } = slow;
  const answer = watched.client.length('x'.repeat(3_000_000));
  await until(() => (watched.sockets[0]?.sent.length ?? 0) > 4);
  await worker.restart();
  expect(await answer).toBe(3_000_000);
});
