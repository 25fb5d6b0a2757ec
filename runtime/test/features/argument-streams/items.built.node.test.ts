/** Streams as arguments: all items arrive complete and in order, from every kind of source. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { holding } from '../../served/gates.ts';
import { Producer, upTo } from './producer.ts';
import { serve } from './serve.ts';
import { stream } from '../../../src/features/argument-streams/client/stream.ts';

const worker = await serve();

async function* texts(...values: string[]): AsyncGenerator<string> {
  yield* values;
}

function streamOf<Item>(values: Iterable<Item>): ReadableStream<Item> {
  return Readable.toWeb(Readable.from(values)) as unknown as ReadableStream<Item>;
}

test.each(['DEFAULT', 'RESIDENT', 'UNJOURNALED', 'STRICT'] as const)(
  '%s: items arrive in order',
  async (binding) => {
    using client = worker.connect('order', {}, binding);
    expect(await client.upload('a', stream(texts('one', 'two', 'three')))).toBe(3);
    expect(await client.lines('a')).toEqual(['one', 'two', 'three']);
  },
);

describe('from', () => {
  const three = ['a', 'b', 'c'];
  const sources: Record<string, () => AsyncIterable<string> | Iterable<string>> = {
    'an async generator': () => texts(...three),
    'a generator': () =>
      (function* () {
        yield* three;
      })(),
    'an iterator': () => three.values(),
    'an array': () => three,
    'a set': () => new Set(three),
    'a ReadableStream': () => streamOf(three),
    'a stream of Node': () => Readable.from(three),
    'an object with Symbol.asyncIterator': () => ({
      [Symbol.asyncIterator]: () => texts(...three),
    }),
    'an object with Symbol.iterator alone': () =>
      new (class {
        [Symbol.iterator](): Iterator<string> {
          return three.values();
        }
      })(),
    'an iterator without return': () => {
      let left = 3;
      const next = async (): Promise<IteratorResult<string>> =>
        left-- > 0 ? { value: three[2 - left] as string } : { done: true, value: undefined };
      return { [Symbol.asyncIterator]: () => ({ next }) };
    },
  };

  test.each(Object.entries(sources))('%s', async (_, source) => {
    using client = worker.connect('sources');
    expect(await client.all(stream(source()))).toEqual(three);
  });
});

test.each([0, 1, 63, 64, 65, 1_000, 20_000])('%d items', async (count) => {
  using client = worker.connect('counts');
  const producer = new Producer(count);
  expect(await client.sum(stream(producer.numbers()))).toBe((count * (count + 1)) / 2);
  expect(producer.isEnded).toBe(true);
});

test('items of any type, and undefined', async () => {
  using client = worker.connect('types');
  const cycle: Record<string, unknown> = { map: new Map([[1, new Date(0)]]), none: undefined };
  cycle['self'] = cycle;
  const values = [cycle, undefined, null, -0, 5n, 'rich', ['rich', 1], ['error', 'x'], 0, ''];
  expect(await client.all(stream(values.values()))).toEqual(values);
});

test('two streams of one call, and of calls at once', async () => {
  using client = worker.connect('several');
  expect(await client.zip(stream(texts('a', 'b')), stream(texts('1', '2')))).toEqual(['a1', 'b2']);
  const sums = await Promise.all(
    upTo(20).map((count) => client.sum(stream(new Producer(count).numbers()))),
  );
  expect(sums).toEqual(upTo(20).map((count) => (count * (count + 1)) / 2));
});

test('items that are requested at once come one by one', async () => {
  using client = worker.connect('at once');
  const results = await client.atOnce(3, stream(texts('a', 'b')));
  expect(results).toEqual([
    { value: 'a', done: false },
    { value: 'b', done: false },
    { value: undefined, done: true },
  ]);
});

test('ReadableStream.from accepts the stream that a method gets', async () => {
  using client = worker.connect('streams');
  expect(await client.throughStream(stream(new Producer(500).numbers()))).toEqual(upTo(500));
});

test('a method of a capability gets a stream, also in the frame that returns the capability', async () => {
  using client = worker.connect('folder');
  const folder = client.folder('in');
  expect(await folder.upload(stream(texts('x', 'y')))).toBe(2);
  expect(await client.lines('in')).toEqual(['x', 'y']);
  const kept = await client.folder('in');
  expect(await kept.upload(stream(texts('z')))).toBe(1);
});

describe('a call that takes the result of another', () => {
  test('gets the items that arrived before it ran', async () => {
    using client = worker.connect('inputs');
    const producer = new Producer(1_000);
    const name = client.later('later', 200);
    expect(await client.upload(name, stream(producer.texts()))).toBe(1_000);
    expect(await client.lines('later')).toHaveLength(1_000);
    // The other call was made in an earlier tick, and its result has arrived.
    const other = client.later('other', 10);
    await other;
    expect(await client.upload(other, stream(texts('a')))).toBe(1);
  });

  test('that fails ends its stream', async () => {
    using client = worker.connect('failed input');
    const producer = new Producer(1_000);
    const call = client.upload(client.fail(), stream(producer.texts()));
    await expect(call).rejects.toThrow('no text');
    await expect.poll(() => producer.isEnded).toBe(true);
    expect(producer.given).toBeLessThanOrEqual(64);
  });
});

test('bytes of a ReadableStream arrive whole, in pieces of 64 KiB at most', async () => {
  using client = worker.connect('bytes');
  const pieces = [0, 1, 65_536, 65_537, 1_000_000, 3].map((size) => randomBytes(size));
  const { sizes, hash } = await client.bytes(stream(streamOf(pieces)));
  expect(hash).toBe(createHash('sha256').update(Buffer.concat(pieces)).digest('hex'));
  expect(Math.max(...sizes)).toBe(65_536);
  const body = new Response(Buffer.concat(pieces)).body as ReadableStream<Uint8Array>;
  expect((await client.bytes(stream(body))).hash).toBe(hash);
});

test('small calls go on beside a stream', async () => {
  using client = worker.connect('beside');
  const producer = new Producer(Infinity);
  const upload = client.hold('held', true, stream(producer.numbers()));
  upload.catch(() => {});
  await holding(client, 'held');
  expect(await Promise.all(upTo(50).map(() => client.one()))).toHaveLength(50);
});

test('items of one tick leave in one frame, after the frame of their call', async () => {
  const { client, sockets } = worker.watch('frames');
  expect(await client.sum(stream([1, 2, 3].values()))).toBe(6);
  client.close();
  expect(sockets[0]?.sent.slice(0, 2)).toEqual([
    '[[1,"sum","rich",[[[[1]]],["Stream",1]]]]',
    '[["item",1,1,1],["item",1,2,2],["item",1,3,3],["end",1,3]]',
  ]);
  expect(sockets[0]?.received).toEqual(['[[1,6]]']);
});

test('native Workers RPC checks items, too', async () => {
  const response = await fetch(`${worker.runtime.url}/native`);
  expect(await response.json()).toEqual([
    {
      sizes: [3],
      hash: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81',
    },
    'RpcError: sum: item [0][0] must be integer, got a Uint8Array',
    'RpcError: sum: argument [0] must be a stream, got 5',
    3,
  ]);
});
