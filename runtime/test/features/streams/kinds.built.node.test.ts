/** Streams of each kind are read to their end, are left early, and fail in the middle. */
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import { bytes } from '../../../src/features/bytes/client/bytes.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { all, numbers } from './items.ts';
import { serve } from './serve.ts';

const worker = await serve();

describe('a stream that is read to its end', () => {
  test.each(['count', 'countSoon', 'countQuickly'] as const)(
    '%s gives each item',
    async (method) => {
      using client = worker.connect(`all ${method}`);
      const items = await all(subscribe(client)[method]('a', 1, 1_000));
      expect(items).toEqual(numbers(1, 1_000));
      expect(await client.trace('a')).toEqual({ taken: 1_000, ended: 1 });
    },
  );

  test('can be without items', async () => {
    using client = worker.connect('empty');
    expect(await all(subscribe(client).count('a', 1, 0))).toEqual([]);
  });

  test('can come from a method that is not readonly', async () => {
    using client = worker.connect('write');
    expect(await all(subscribe(client).write('a', 100))).toEqual(numbers(1, 100));
    expect(await client.written()).toBe(100);
  });

  test('can be a promise, which can reject', async () => {
    using client = worker.connect('later');
    expect(await all(subscribe(client).later('a', 100))).toEqual(numbers(1, 100));
    await expect(all(subscribe(client).later('a', 0))).rejects.toThrow('nothing');
  });

  test('can have rich values', async () => {
    using client = worker.connect('rich');
    const items = await all(subscribe(client).rich());
    expect(0 in (items[6] as unknown[])).toBe(false);
    const map = items[5] as Map<object, object>;
    expect([...map][0]?.[0]).toBe([...map][0]?.[1]);
    expect(items.with(5, 'map').with(6, 'holes').with(7, 'error')).toEqual([
      undefined,
      null,
      -0,
      1n,
      new Date(0),
      'map',
      'holes',
      'error',
    ]);
  });

  test('can have promises from a synchronous generator', async () => {
    using client = worker.connect('promises');
    expect(await all(subscribe(client).promises())).toEqual([1, 2, 3]);
    const items: number[] = [];
    await expect(
      (async () => {
        for await (const item of subscribe(client).refusals('r')) items.push(item);
      })(),
    ).rejects.toThrow('no second');
    expect(items).toEqual([1]);
    expect(await client.trace('r')).toEqual({ taken: 0, ended: 1 });
  });

  test('can be a ReadableStream of values', async () => {
    using client = worker.connect('values');
    const items = await all(subscribe(client).values('a', 200));
    expect(items.map(({ number }) => number)).toEqual(numbers(1, 200));
  });

  test.each([
    { chunk: 10, chunks: 100, pieces: 100 },
    { chunk: 65_536, chunks: 50, pieces: 50 },
    { chunk: 200_000, chunks: 10, pieces: 40 },
    { chunk: 200_000, chunks: 20, pieces: 80, options: { bytes } },
  ])(
    'can be a ReadableStream of bytes, $chunk at once',
    async ({ chunk, chunks, pieces, options }) => {
      using client = worker.connect(`bytes ${chunk} ${chunks}`, options);
      const items = await all(subscribe(client).bytes('a', chunk, chunks));
      expect(items.length).toBe(pieces);
      expect(items.every((item) => item instanceof Uint8Array)).toBe(true);
      const got = Buffer.concat(items);
      const expected = Buffer.concat(
        Array.from({ length: chunks }, (_, index) => Buffer.alloc(chunk, index % 256)),
      );
      expect(got.equals(expected)).toBe(true);
    },
  );

  test('can have large items', async () => {
    using client = worker.connect('large');
    const items = await all(subscribe(client).texts('a', 40, 300_000));
    expect(items.map(({ length }) => length)).toEqual(Array.from({ length: 40 }, () => 300_000));
  });

  test('can come from a capability', async () => {
    using client = worker.connect('capability');
    await client.fill(1_500);
    const reader = await client.reader();
    expect(await all(subscribe(reader).count('a', 1, 100))).toEqual(numbers(1, 100));
    const rows = await all(subscribe(reader).rows(1));
    expect(rows.map(({ number }) => number)).toEqual(numbers(1, 1_500));
  });

  test('is separate for each loop', async () => {
    using client = worker.connect('loops');
    const stream = subscribe(client).count('a', 1, 200);
    expect(await Promise.all([all(stream), all(stream)])).toEqual([
      numbers(1, 200),
      numbers(1, 200),
    ]);
  });
});

describe('a stream that is left', () => {
  test.each(['count', 'countSoon', 'values', 'bytes'] as const)(
    'ends the producer of %s by break, within a window',
    async (method) => {
      using client = worker.connect(`break ${method}`);
      const stream =
        method === 'values'
          ? subscribe(client).values('a', 10_000)
          : subscribe(client)[method]('a', 1, 10_000);
      let got = 0;
      for await (const _ of stream) if (++got === 100) break;
      await until(async () => (await client.trace('a')).ended === 1);
      const { taken } = await client.trace('a');
      expect(taken).toBeLessThanOrEqual(100 + 64);
    },
  );

  test('ends its producer by a signal', async () => {
    using client = worker.connect('signal');
    const controller = new AbortController();
    const stream = subscribe(client, { signal: controller.signal }).count('a', 1, 10_000);
    const reading = (async () => {
      for await (const item of stream) if (item === 100) controller.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
    await until(async () => (await client.trace('a')).ended === 1);
  });

  test('ends its producer by return() while an item is awaited, after the item has arrived', async () => {
    using client = worker.connect('return');
    const iterator = subscribe(client).gated('a')[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: 'before' });
    const pending = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await client.trace('a')).toEqual({ taken: 1, ended: 0 });
    await client.open('a');
    await until(async () => (await client.trace('a')).ended === 1);
  });

  test('ends its producer when its client is closed', async () => {
    using watcher = worker.connect('closed');
    const client = worker.connect('closed');
    const iterator = subscribe(client).count('a', 1, 10_000)[Symbol.asyncIterator]();
    await iterator.next();
    client.close();
    await until(async () => (await watcher.trace('a')).ended === 1);
  });

  test('ends its producer by asyncDispose', async () => {
    using client = worker.connect('dispose');
    {
      await using stream = subscribe(client).count('a', 1, 10_000);
      await stream[Symbol.asyncIterator]().next();
    }
    await until(async () => (await client.trace('a')).ended === 1);
  });

  test('stops its producer within one window', async () => {
    using client = worker.connect('stopped');
    const iterator = subscribe(client).count('a', 1, 10_000)[Symbol.asyncIterator]();
    await iterator.next();
    await client.lives();
    expect((await client.trace('a')).taken).toBe(64);
    // The client acknowledges only after 32 items.
    for (let item = 2; item < 32; item++) await iterator.next();
    await client.lives();
    expect((await client.trace('a')).taken).toBe(64);
    await iterator.next();
    await until(async () => (await client.trace('a')).taken === 96);
    await iterator.return?.();
  });

  test('has been produced for a mebibyte, or for one large item', async () => {
    using client = worker.connect('stopped large');
    const iterator = subscribe(client).texts('a', 1_000, 100_000)[Symbol.asyncIterator]();
    await iterator.next();
    await client.lives();
    expect((await client.trace('a')).taken).toBe(11);
    await iterator.return?.();
    const larger = subscribe(client).texts('b', 1_000, 1_040_000)[Symbol.asyncIterator]();
    await larger.next();
    await client.lives();
    expect((await client.trace('b')).taken).toBeLessThanOrEqual(3);
    await larger.return?.();
  });
});

describe('an error in the middle of a stream', () => {
  test.each([1, 2, 64, 65, 200])('comes after the items before %i', async (at) => {
    using client = worker.connect(`fail ${at}`);
    const items: number[] = [];
    const reading = (async () => {
      for await (const item of subscribe(client).failAt('a', at)) items.push(item);
    })();
    await expect(reading).rejects.toThrow(new RangeError(`no item ${at}`));
    expect(items).toEqual(numbers(1, at - 1));
  });

  test('names an item that cannot be sent, and ends the producer', async () => {
    using client = worker.connect('unsendable');
    const reading = all(subscribe(client).unsendableAt('a', 3));
    await expect(reading).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
      path: '[2].deep[0]',
      message: 'unsendableAt: item [2]: Cannot send a function at .deep[0]',
    });
    expect(await client.trace('a')).toEqual({ taken: 2, ended: 2 });
  });

  test('says that an item is too large, and ends the producer', async () => {
    using client = worker.connect('huge');
    const reading = all(subscribe(client).texts('a', 1, 1_100_000));
    await expect(reading).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect((await client.trace('a')).ended).toBe(1);
  });

  test('is thrown in finally at the end of the stream, and is ignored if the stream was left', async () => {
    using client = worker.connect('finally');
    await expect(all(subscribe(client).failAtEnd('a'))).rejects.toThrow('in finally');
    for await (const _ of subscribe(client).failAtEnd('b')) break;
    await until(async () => (await client.trace('b')).ended === 1);
  });

  test('is rewritten by onError once', async () => {
    using client = worker.connect('rewritten', {}, 'STRICT');
    await expect(all(subscribe(client).failAt('a', 3))).rejects.toThrow('seen: no item 3');
    await expect(all(subscribe(client).later('a', 0))).rejects.toThrow(/^seen: nothing$/);
  });
});

describe('a method whose result and entry do not match', () => {
  test.each([
    ['number', 'no stream'],
    ['plain', 'no stream'],
    ['mislabelled', 'a feed: write events([…])'],
  ])('%s is listed as a stream, and returns none', async (method, returned) => {
    using client = worker.connect('no stream');
    const methods = subscribe(client) as unknown as Record<string, () => AsyncIterable<unknown>>;
    await expect(all(methods[method]!())).rejects.toMatchObject({
      code: 'METHOD_NOT_FOUND',
      maybeExecuted: true,
      message: `${method} cannot be subscribed to: it is listed by stream([…]) or rows(key, […]), but returned ${returned}. The method has run`,
    });
  });

  test.each([
    ['noFeed', 'is listed by events([…]), but returned no feed: return feed(this, name)'],
    [
      'foreignFeed',
      'returned a feed of another copy of lumenize-rpc: install one copy (npm ls lumenize-rpc)',
    ],
  ])('%s is listed as a feed, and returns none', async (method, problem) => {
    using client = worker.connect('no feed');
    const methods = subscribe(client) as unknown as Record<string, () => AsyncIterable<unknown>>;
    await expect(all(methods[method]!())).rejects.toMatchObject({
      code: 'METHOD_NOT_FOUND',
      message: `${method} cannot be subscribed to: it ${problem}. The method has run`,
    });
  });

  test('a method that is listed as a call cannot be subscribed to, and does not run', async () => {
    using client = worker.connect('no kind');
    const methods = subscribe(client) as unknown as Record<
      string,
      (count: number) => AsyncIterable<unknown>
    >;
    await expect(all(methods['fill']!(5))).rejects.toMatchObject({
      code: 'METHOD_NOT_FOUND',
      message:
        'fill cannot be subscribed to: the contract lists it as a call. Write live([…]), events([…]), stream([…]) or rows(key, […]) in the contract',
    });
    expect(await all(subscribe(client).rows(1))).toEqual([]);
  });

  test.each([
    ['unlistedStream', 'unlistedStream returned a stream: write stream([…]) in the contract'],
    ['unlistedFeed', 'unlistedFeed returned a feed: write events([…]) in the contract'],
  ])('%s is listed as a call, and the error says what to write', async (method, message) => {
    using client = worker.connect(`unlisted ${method}`);
    using post = worker.connect(`unlisted ${method}`, { transport: 'http' });
    for (const one of [client, post]) {
      const called = one as unknown as Record<string, () => Promise<unknown>>;
      await expect(called[method]!()).rejects.toMatchObject({ code: 'UNSERIALIZABLE', message });
    }
    // The stream was ended, so that its producer is not held.
    if (method === 'unlistedStream') {
      expect(await client.trace('unlisted')).toEqual({ taken: 0, ended: 2 });
    }
  });

  test.each(['count', 'countSoon', 'values', 'later', 'rows', 'literal'])(
    '%s can only be subscribed to, and the error says what to write',
    async (method) => {
      using client = worker.connect(`call ${method}`);
      using post = worker.connect(`call ${method}`, { transport: 'http' });
      const args: unknown[] = { values: ['a', 5], later: ['a', 5], rows: [1], literal: [] }[
        method
      ] ?? ['a', 1, 5];
      for (const one of [client, post]) {
        const called = one as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
        await expect(called[method]!(...args)).rejects.toMatchObject({
          code: 'UNSERIALIZABLE',
          message: expect.stringContaining(`subscribe(client).${method}(`),
        });
      }
      // The method has not run.
      if (method === 'values') expect(await client.trace('a')).toEqual({ taken: 0, ended: 0 });
    },
  );

  test('the error for a Response or a Request says to send its body', async () => {
    using client = worker.connect('response');
    await expect(client.response()).rejects.toMatchObject({
      code: 'UNSERIALIZABLE',
      path: '.deep[0]',
      message: expect.stringMatching(/an instance of Response at .deep\[0\]: send its body/),
    });
    await expect(client.request()).rejects.toMatchObject({
      message: expect.stringMatching(/an instance of Request at top: send its body/),
    });
  });
});
