/**
 * Clients that say nothing while an object waits for their streams: for a while, or for good without a word. The object's
 * clock runs four times as fast, and the runtime's does not. The tests do little but wait, so they wait together.
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

test.concurrent('who is away: the loop throws after half a minute or so, and the object sleeps', async () => {
  const proxy = await new Proxy(worker.runtime.port).listen();
  using client = worker.connect('away', { baseUrl: proxy.url });
  const producer = new Producer(1_000_000, 20);
  const call = client.note('n', stream(producer.numbers()));
  call.catch(() => {});
  await until(() => producer.given > 10);
  // `client.close()` would say that the stream is to end.
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

/** Gives two numbers, and says nothing between them. */
async function* paused(pause: number): AsyncGenerator<number> {
  yield 1;
  await sleep(pause);
  yield 2;
}

test.concurrent('who pauses: the object stays awake as long as it waits', async () => {
  using client = worker.connect('paused');
  // Longer than it takes the runtime to evict an idle object; the object waits no longer than 60 s of its clock.
  const call = withOptions(client, { timeout: 60_000 }).sum(stream(paused(11_000)));
  expect(await call).toBe(3);
  expect(await client.lives()).toBe(1);
});

test.concurrent('who has paused: the object sleeps then', async () => {
  using client = worker.connect('has paused');
  // The object has looked after the client meanwhile.
  expect(await client.sum(stream(paused(3_000)))).toBe(3);
  expect(await client.lives()).toBe(1);
  await sleep(IDLE);
  expect(await client.lives()).toBe(2);
});
