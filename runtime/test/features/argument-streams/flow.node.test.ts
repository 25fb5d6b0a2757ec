/** Streams as arguments: how far ahead of the method a client sends, and how either end stops the other. */
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import { withOptions } from '../../../src/client.ts';
import { STREAM_SIZE, STREAM_WINDOW } from '../../../src/features/argument-streams/wire.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';
import { movableClock } from '../../support/clock.ts';
import { unhandledDuring } from '../../calls/unhandled.ts';
import { holding } from '../../served/gates.ts';
import { Producer, upTo } from './producer.ts';
import { type Client, serve } from './serve.ts';

const worker = await serve();

/** Waits for `least` items and until no more are requested for a while. @returns the number of requested items */
async function settled(producer: Producer, least: number): Promise<number> {
  await until(() => producer.given >= least);
  for (let before = -1; producer.given !== before; await sleep(200)) before = producer.given;
  return producer.given;
}

/** Makes a call time out, so that the client checks the timeouts of all calls. */
async function timeOutWhatIsLate(client: Client): Promise<void> {
  const call = withOptions(client, { timeout: 1 }).gated('never');
  await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
}

describe('a method that does not read', () => {
  test('is sent a window of items', async () => {
    using client = worker.connect('window');
    const producer = new Producer(1_000_000);
    const call = client.hold('held', false, stream(producer.numbers()));
    await holding(client, 'held');
    expect(await settled(producer, STREAM_WINDOW)).toBe(STREAM_WINDOW);
    await client.release('held');
    expect(await call).toBe(0);
    await until(() => producer.isEnded);
    expect(producer.given).toBe(STREAM_WINDOW);
  });

  test('is sent 256 KiB of large items at first', async () => {
    using client = worker.connect('size at first');
    const producer = new Producer(1_000);
    const call = client.hold('held', false, stream(producer.texts(100_000)));
    await holding(client, 'held');
    expect(await settled(producer, 3)).toBe(3);
    await client.release('held');
    expect(await call).toBe(0);
  });

  test('is sent 1 MiB of large items at most', async () => {
    using client = worker.connect('size');
    const producer = new Producer(1_000);
    const size = 100_000;
    const call = client.hold('held', true, stream(producer.texts(size)));
    await holding(client, 'held');
    expect(await settled(producer, 3)).toBeLessThanOrEqual(Math.ceil(STREAM_SIZE / size));
    await client.release('held');
    expect(await call).toBe(1_000);
  });

  test.each([
    [
      'numbers that are long as text',
      () => Array.from({ length: 4_000 }, () => -Math.random() / 1e9),
    ],
    ['text that is escaped', () => '\u0001'.repeat(30_000)],
    ['empty lists', () => Array.from({ length: 30_000 }, () => [])],
    ['one character', () => 'x'],
  ])('and is sent %s: neither end waits for ever', async (_, make) => {
    using client = worker.connect('estimates');
    function* values(): Generator<unknown> {
      for (let count = 0; count < 200; count++) yield make();
    }
    // This timeout is shorter than the time after which the object asks whether the client is connected.
    const call = withOptions(client, { timeout: 9_000 }).hold('held', true, stream(values()));
    await holding(client, 'held');
    await client.release('held');
    expect(await call).toBe(200);
  });

  test('and reads slowly: the client is never more than a window ahead', async () => {
    using client = worker.connect('slowly');
    const producer = new Producer(200);
    const call = client.slowly('slow', stream(producer.numbers()));
    for (let taken = 1; taken <= 200; taken++) {
      await holding(client, 'slow');
      expect(producer.given).toBeLessThanOrEqual(taken + STREAM_WINDOW);
      expect(await client.taken('slow')).toEqual([taken, taken]);
      await client.release('slow');
    }
    expect(await call).toBe(200);
  });

  test('and ends at once stops the stream', async () => {
    using client = worker.connect('ignored');
    const producer = new Producer(1_000_000);
    await client.keepInMemory(stream(producer.numbers()));
    await until(() => producer.isEnded);
    expect(producer.given).toBeLessThanOrEqual(STREAM_WINDOW);
    expect(await client.readLate()).toMatchObject({
      items: [],
      error: { code: 'CLOSED', message: 'Stream 1 ended with its call' },
    });
  });
});

describe('a method that stops reading', () => {
  test('ends the stream, and goes on', async () => {
    using client = worker.connect('break');
    const producer = new Producer(1_000_000);
    const call = client.take('rest', 3, stream(producer.numbers()));
    await holding(client, 'rest');
    await until(() => producer.isEnded);
    expect(producer.given).toBeLessThanOrEqual(STREAM_WINDOW + 3);
    await client.release('rest');
    expect(await call).toEqual([1, 2, 3]);
  });

  test('by throwing ends the stream', async () => {
    using client = worker.connect('throw');
    const producer = new Producer(1_000_000);
    await expect(client.throwAfter(70, stream(producer.numbers()))).rejects.toThrow(
      new RangeError('after 70'),
    );
    await until(() => producer.isEnded);
  });

  test('cancels a ReadableStream', async () => {
    using client = worker.connect('cancel');
    let cancelled = 0;
    const source = new ReadableStream<string>({
      pull: (controller) => controller.enqueue('again'),
      cancel: () => void cancelled++,
    });
    const call = client.take('rest', 1, stream(source));
    await holding(client, 'rest');
    await until(() => cancelled === 1);
    await client.release('rest');
    await call;
    expect(cancelled).toBe(1);
  });

  test('at the moment when its client ends the stream gets its items without an error', async () => {
    using client = worker.connect('both');
    for (const count of upTo(20)) {
      const call = client.take('rest', count, stream(new Producer(10).numbers()));
      await holding(client, 'rest');
      await client.release('rest');
      expect(await call).toHaveLength(Math.min(count, 10));
    }
  });
});

describe('a stream that fails', () => {
  test.each([
    ['an error', new RangeError('no more')],
    ['something else', { reason: ['odd'] }],
  ])('with %s: the loop throws it', async (_, thrown) => {
    using client = worker.connect('errors');
    async function* numbers(): AsyncGenerator<number> {
      yield 1;
      throw thrown;
    }
    await expect(client.sum(stream(numbers()))).rejects.toEqual(thrown);
  });

  test('because an item cannot be sent: the loop throws the reason', async () => {
    using client = worker.connect('unsendable');
    let isEnded = false;
    async function* values(): AsyncGenerator<unknown> {
      try {
        yield 1;
        yield { f: () => {} };
      } finally {
        isEnded = true;
      }
    }
    expect(await client.outcome(stream(values()))).toEqual({
      items: [1],
      error: expect.objectContaining({
        code: 'UNSERIALIZABLE',
        message: 'Cannot send a function at .f',
        path: '.f',
      }),
    });
    expect(isEnded).toBe(true);
  });

  test('at once, or when it is stopped, causes no unhandled rejection', async () => {
    using client = worker.connect('unhandled');
    const refuse = (): never => {
      throw new RangeError('at once');
    };
    const seen = await unhandledDuring(async () => {
      const source = { [Symbol.asyncIterator]: () => ({ next: refuse, return: refuse }) };
      await expect(client.sum(stream(source))).rejects.toThrow('at once');
      const next = async (): Promise<IteratorResult<number>> => ({ value: 1 });
      const endless = { [Symbol.asyncIterator]: () => ({ next, return: refuse }) };
      await expect(client.throwAfter(1, stream(endless))).rejects.toThrow('after 1');
      await sleep(50);
    });
    expect(seen).toEqual([]);
  });

  test('because an item is too large: the loop throws the reason', async () => {
    using client = worker.connect('large');
    const most = 'x'.repeat(STREAM_SIZE - '["item",1,1,""]'.length);
    expect(await client.outcome(stream([most].values()))).toEqual({ items: [most] });
    const large = `${most}x`;
    expect(await client.outcome(stream([large].values()))).toMatchObject({
      items: [],
      error: { code: 'LIMIT_EXCEEDED' },
    });
    // An array is a value, which may be as large as a frame.
    expect(await client.all([large])).toEqual([large]);
  });
});

describe('a call that is given up', () => {
  test('ends its stream, and the loop throws', async () => {
    using client = worker.connect('aborted');
    const controller = new AbortController();
    const producer = new Producer(1_000_000, 5);
    const call = withOptions(client, { signal: controller.signal }).note(
      'n',
      stream(producer.numbers()),
    );
    await until(() => producer.given > 10);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    await until(() => producer.isEnded);
    await until(async () => (await client.noted('n')) !== undefined);
    expect((await client.noted('n'))?.error).toMatchObject({ code: 'ABORTED' });
  });

  test('or has ended leaves no listener at its signal', async () => {
    using client = worker.connect('signal');
    const { signal } = new AbortController();
    expect(await withOptions(client, { signal }).sum(stream(new Producer(3).numbers()))).toBe(6);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('before it was sent does not start its stream', async () => {
    using client = worker.connect('early');
    const producer = new Producer(5);
    const signal = AbortSignal.abort();
    await expect(
      withOptions(client, { signal }).sum(stream(producer.numbers())),
    ).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const controller = new AbortController();
    const call = withOptions(client, { signal: controller.signal }).sum(stream(producer.numbers()));
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    expect(producer.given).toBe(0);
  });

  test('while it waits for another call gives the places of its streams back', async () => {
    using client = worker.connect('waiting');
    const controller = new AbortController();
    const { signal } = controller;
    const name = client.gated('name');
    // A client may have this number of streams open.
    const calls = Array.from({ length: 32 }, () =>
      withOptions(client, { signal }).upload(name, stream(new Producer(5).texts())),
    );
    const ends = calls.map((call) => expect(call).rejects.toMatchObject({ code: 'ABORTED' }));
    await client.one();
    controller.abort();
    await Promise.all(ends);
    await holding(client, 'name');
    await client.release('name');
    await name;
    expect(await client.upload('another', stream(new Producer(5).texts()))).toBe(5);
  });

  test('because its client closes ends its stream', async () => {
    const client = worker.connect('closed');
    const producer = new Producer(1_000_000, 5);
    const call = client.sum(stream(producer.numbers()));
    await until(() => producer.given > 0);
    client.close();
    await expect(call).rejects.toMatchObject({ code: 'CLOSED' });
    await until(() => producer.isEnded);
  });

  test('by its timeout: each item starts the timeout again', async () => {
    using client = worker.connect('timeout');
    const clock = movableClock();
    const patient = withOptions(client, { timeout: 600_000 });
    const slowly = async function* (): AsyncGenerator<number> {
      for await (const number of new Producer(8).numbers()) {
        clock.ahead += 400_000;
        await timeOutWhatIsLate(client);
        yield number;
      }
    };
    expect(await patient.sum(stream(slowly()))).toBe(36);
    const producer = new Producer(1_000_000);
    const call = patient.hold('held', true, stream(producer.numbers()));
    const outcome = expect(call).rejects.toMatchObject({ code: 'TIMEOUT', maybeExecuted: true });
    await until(() => producer.given === STREAM_WINDOW);
    await holding(client, 'held');
    clock.ahead += 600_000;
    await timeOutWhatIsLate(client);
    await outcome;
    expect(producer.isEnded).toBe(true);
    await client.release('held');
  });

  test('by its timeout: each acknowledgement of the object starts it again', async () => {
    const clock = movableClock();
    const { client, sockets } = worker.watch('taken');
    const call = withOptions(client, { timeout: 600_000 }).slowly(
      'slow',
      stream(new Producer(40).numbers()),
    );
    let released = 0;
    const releaseOne = async (): Promise<void> => {
      await holding(client, 'slow');
      await client.release('slow');
      released++;
    };
    await holding(client, 'slow');
    clock.ahead += 500_000;
    const hears = (): boolean =>
      sockets.some(({ received }) => received.includes('[["ack",1,32]]'));
    while (!hears()) await releaseOne();
    clock.ahead += 500_000;
    await timeOutWhatIsLate(client);
    for (let count = released; count < 40; count++) await releaseOne();
    expect(await call).toBe(40);
    client.close();
  });
});
