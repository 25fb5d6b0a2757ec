/** Streams as arguments through lost connections and restarts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { Proxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { withOptions } from '../../../src/client.ts';
import { STREAM_WINDOW } from '../../../src/features/argument-streams/wire.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';
import { holding } from '../../served/gates.ts';
import { Producer, upTo } from './producer.ts';
import { serve } from './serve.ts';

const worker = await serve();

const lost = { code: 'DISCONNECTED', maybeExecuted: true };

const texts = (count: number): string[] => upTo(count).map((number) => `${number}`);

describe('a lost connection', () => {
  test('again and again: every item arrives once and in order', async () => {
    using client = worker.connect('reconnect');
    const producer = new Producer(20_000);
    const end = { isHere: false };
    const upload = client.upload('a', stream(producer.texts())).finally(() => (end.isHere = true));
    let reconnects = 0;
    for (; !end.isHere; reconnects++) {
      // Without this wait, a slow machine would only reconnect, and make no progress.
      const { given } = producer;
      await until(() => end.isHere || producer.given > given);
      await sleep(Math.random() * 60);
      client.reconnect();
    }
    expect(await upload).toBe(20_000);
    expect(await client.lines('a')).toEqual(texts(20_000));
    expect(await client.runs('a')).toBe(1);
    expect(reconnects).toBeGreaterThan(1);
  });

  test('cut after any byte in either direction: every item arrives once and in order', async () => {
    const proxy = await new Proxy(worker.runtime.port).listen();
    afterAll(() => proxy.close());
    using client = worker.connect('cuts', { baseUrl: proxy.url });
    const count = 5_000;
    const end = { isHere: false };
    const upload = client
      .upload('a', stream(new Producer(count).texts(200)))
      .finally(() => (end.isHere = true));
    let cuts = 0;
    for (; !end.isHere && cuts < 100; cuts++) {
      const isUp = Math.random() < 0.7;
      // This is at most an eighth of the upload, or of its acknowledgements.
      const bytes = Math.random() * (isUp ? 40_000 : 300);
      const ending = Math.random() < 0.5 ? 'reset' : 'close';
      await Promise.race([proxy.cutAfter(bytes, isUp ? 'up' : 'down', ending), sleep(300)]);
    }
    expect(await upload).toBe(count);
    const lines = await client.lines('a');
    expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(upTo(count));
    expect(cuts).toBeGreaterThan(5);
  });

  test('while the window is full: the object acknowledges again', async () => {
    using client = worker.connect('full');
    const producer = new Producer(200);
    const call = client.hold('held', true, stream(producer.numbers()));
    await until(() => producer.given === STREAM_WINDOW);
    client.reconnect();
    await holding(client, 'held');
    await client.release('held');
    expect(await call).toBe(200);
  });

  test('when a method stops reading: the client learns it from the next connection', async () => {
    using client = worker.connect('stop');
    const producer = new Producer(1_000_000, 2);
    const call = client.take('rest', 3, stream(producer.numbers()));
    client.reconnect();
    await holding(client, 'rest');
    client.reconnect();
    await until(() => producer.isEnded);
    await client.release('rest');
    expect(await call).toEqual([1, 2, 3]);
  });

  test('without a journal: the call rejects, and the loop of the method ends', async () => {
    using client = worker.connect('unjournaled', {}, 'UNJOURNALED');
    const producer = new Producer(1_000_000, 5);
    const call = client.note('n', stream(producer.numbers()));
    await until(() => producer.given > 5);
    client.reconnect();
    await expect(call).rejects.toMatchObject(lost);
    await until(() => producer.isEnded);
    await until(async () => (await client.noted('n')) !== undefined);
    expect((await client.noted('n'))?.error).toMatchObject({ code: 'ABORTED' });
  });

  test('during a method that is readonly: it goes on', async () => {
    using client = worker.connect('readonly');
    const producer = new Producer(300, 2);
    const call = client.outcome(stream(producer.numbers()));
    await until(() => producer.given > 100);
    client.reconnect();
    expect(await call).toEqual({ items: upTo(300) });
  });

  test('while a call is given up: the object learns it when it asks', async () => {
    const proxy = await new Proxy(worker.runtime.port).listen();
    afterAll(() => proxy.close());
    using client = worker.connect('given up', { baseUrl: proxy.url });
    const controller = new AbortController();
    const producer = new Producer(1_000_000, 5);
    const call = withOptions(client, { signal: controller.signal }).note(
      'n',
      stream(producer.numbers()),
    );
    await until(() => producer.given > 5);
    await proxy.cutAfter(0, 'up', 'reset');
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    using other = worker.connect('given up');
    // This call waits until the client has reconnected.
    await client.one();
    await until(async () => (await other.noted('n')) !== undefined);
    expect((await other.noted('n'))?.error).toMatchObject({ code: 'ABORTED' });
  });
});

describe('an object that is killed', () => {
  test('in the middle: the taken items stay stored, and the call has maybe run', async () => {
    using client = worker.connect('killed');
    for (const run of ['a', 'b', 'c', 'd', 'e']) {
      const producer = new Producer(1_000_000, 1);
      const upload = client.upload(run, stream(producer.texts()));
      const outcome = upload.catch((error: unknown) => error);
      await until(() => producer.given > 50);
      await sleep(Math.random() * 100);
      await worker.restart();
      expect(await outcome).toMatchObject(lost);
      await until(() => producer.isEnded);
      const lines = await client.lines(run);
      expect(lines).toEqual(texts(lines.length));
      expect(lines.length).toBeLessThanOrEqual(producer.given);
      expect(await client.runs(run)).toBe(1);
    }
  });

  test('before the call arrived: it runs once, with all items', async () => {
    using client = worker.connect('not yet');
    await client.one();
    await worker.kill();
    const producer = new Producer(1_000);
    const upload = client.upload('a', stream(producer.texts()));
    await sleep(50);
    await worker.start();
    expect(await upload).toBe(1_000);
    expect(await client.lines('a')).toEqual(texts(1_000));
    expect(await client.runs('a')).toBe(1);
  });
});
