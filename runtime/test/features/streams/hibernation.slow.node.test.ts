/**
 * Streams and hibernation: rows let an object sleep, and go on. Streams in its memory keep it awake. Each test waits
 * until the object would have slept, so the tests run at the same time.
 */
import { expect, test, vi } from 'vitest';
import { sleep } from '../../../../harness/waiting.mjs';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { numbers } from './items.ts';
import { serve } from './serve.ts';

// These tests only wait, so they run at the same time.
vi.setConfig({ maxConcurrency: 10 });

const worker = await serve();

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

test.concurrent('rows go on after the object has slept', async () => {
  using client = worker.connect('rows');
  await client.fill(3_000);
  using post = worker.connect('rows', { transport: 'http' });
  const iterator = subscribe(client).rows(1)[Symbol.asyncIterator]();
  const got: number[] = [];
  const read = async (count: number): Promise<void> => {
    for (let row = 0; row < count; row++) {
      const { done, value } = await iterator.next();
      if (done) return;
      got.push(value.number);
    }
  };
  // These rows are too few for a request of the next page.
  await read(200);
  for (let wait = IDLE; (await post.lives()) === 1; wait *= 2) await sleep(wait);
  await read(3_000);
  expect(got).toEqual(numbers(1, 3_000));
  expect(await iterator.next()).toMatchObject({ done: true });
});

test.concurrent('an open stream keeps the object awake, and so does a page that is being made', async () => {
  using client = worker.connect('awake');
  using other = worker.connect('awake pages');
  const stream = subscribe(client).gated('a')[Symbol.asyncIterator]();
  const rows = subscribe(other).gatedRows('a')[Symbol.asyncIterator]();
  await stream.next();
  const [next, row] = [stream.next(), rows.next()];
  await sleep(IDLE);
  for (const one of [client, other]) {
    await one.open('a');
    expect(await one.lives()).toBe(1);
  }
  expect(await next).toMatchObject({ value: 'after' });
  expect(await row).toMatchObject({ value: { id: 1 } });
});

test.concurrent('the object sleeps after a stream and rows have ended', async () => {
  using client = worker.connect('ended');
  using other = worker.connect('ended pages');
  const stream = subscribe(client).gated('a')[Symbol.asyncIterator]();
  const rows = subscribe(other).gatedRows('a')[Symbol.asyncIterator]();
  await stream.next();
  const [next, row] = [stream.next(), rows.next()];
  await sleep(100);
  for (const one of [client, other]) await one.open('a');
  await Promise.all([next, row]);
  expect((await stream.next()).done).toBe(true);
  expect((await rows.next()).done).toBe(true);
  for (const one of [client, other]) {
    for (let wait = IDLE; (await one.lives()) === 1; wait *= 2) await sleep(wait);
  }
});
