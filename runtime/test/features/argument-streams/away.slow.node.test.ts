/**
 * These clients send nothing while an object waits for their streams: for a while, or for ever. The object's clock runs
 * four times as fast as the runtime's. The tests spend their time waiting, so they run at the same time.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Proxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { withOptions } from '../../../src/client.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';
import { Producer } from './producer.ts';
import { serve } from './serve.ts';

const worker = await serve([join(import.meta.dirname, 'fast-clock.ts')]);

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

test.concurrent('a client that is away: the loop throws after about half a minute, and the object sleeps', async () => {
  const proxy = await new Proxy(worker.runtime.port).listen();
  using client = worker.connect('away', { baseUrl: proxy.url });
  const producer = new Producer(1_000_000, 20);
  const call = client.note('n', stream(producer.numbers()));
  call.catch(() => {});
  await until(() => producer.given > 10);
  // `client.close()` would tell the object that the stream ends.
  proxy.close();
  using other = worker.connect('away');
  await until(async () => (await other.noted('n')) !== undefined);
  const { items, error } = (await other.noted('n')) as { items: unknown[]; error: object };
  expect(items.length).toBeGreaterThan(0);
  expect(error).toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
  const lives = await other.lives();
  await sleep(IDLE);
  expect(await other.lives()).toBe(lives + 1);
});

/** Yields two numbers, and pauses between them. */
async function* paused(pause: number): AsyncGenerator<number> {
  yield 1;
  await sleep(pause);
  yield 2;
}

test.concurrent('a client that pauses: the object stays awake as long as it waits', async () => {
  using client = worker.connect('paused');
  // The pause is longer than the runtime keeps an idle object. The object waits at most 60 s by its own clock.
  const call = withOptions(client, { timeout: 60_000 }).sum(stream(paused(11_000)));
  expect(await call).toBe(3);
  expect(await client.lives()).toBe(1);
});

test.concurrent('a client that has paused and ended its stream: the object sleeps', async () => {
  using client = worker.connect('has paused');
  // The object has checked meanwhile that the client is connected.
  expect(await client.sum(stream(paused(3_000)))).toBe(3);
  expect(await client.lives()).toBe(1);
  await sleep(IDLE);
  expect(await client.lives()).toBe(2);
});
