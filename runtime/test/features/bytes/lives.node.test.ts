/** Bytes survive lost connections, and the restarts and the sleep of an object, in calls and in subscriptions. */
import { describe, expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { sleep } from '../../../../harness/waiting.mjs';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { difference } from '../../support/same.ts';
import { binary, random, serve, sizeOf, watchTraffic } from './serve.ts';
import type { Change } from './worker.ts';

const worker = await serve();
let instances = 0;
const next = (): string => `object ${++instances}`;

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

async function throughProxy(): Promise<NetworkProxy> {
  return new NetworkProxy(worker.runtime.port).listen();
}

describe('a call that is sent again', () => {
  test.each([1_025, 60_000, 400_000])('after its frame was cut off: %i bytes', async (length) => {
    const proxy = await throughProxy();
    const { client, traffic } = watchTraffic(worker, next(), { baseUrl: proxy.url });
    using one = client;
    await one.runs();
    const sent = random(length);
    const before = sent.slice();
    const cut = proxy.cutAfter(length / 2, 'up', 'reset');
    const answer = one.storeAndEcho(sent);
    // The client sends the bytes again as they were when the call was made.
    await Promise.resolve();
    sent.fill(0);
    await cut;
    expect(difference({ runs: 1, value: before }, await answer)).toBeUndefined();
    expect(binary(traffic.up)).toHaveLength(2);
    proxy.close();
  });

  test.each([1_025, 60_000, 400_000])('after its answer was cut off: %i bytes', async (length) => {
    const proxy = await throughProxy();
    const { client, traffic } = watchTraffic(worker, next(), { baseUrl: proxy.url });
    using one = client;
    await one.runs();
    const sent = random(length);
    const cut = proxy.cutAfter(length / 2, 'down', 'reset');
    const answer = one.storeAndEcho(sent);
    await cut;
    expect(difference({ runs: 1, value: sent }, await answer)).toBeUndefined();
    // The answer comes from the journal, as bytes.
    expect(binary(traffic.down).length).toBeGreaterThan(0);
    expect(sizeOf(binary(traffic.down)[0] as ArrayBuffer)).toBeLessThan(length + 200);
    proxy.close();
  });

  test.each([1_025, 60_000, 400_000])('to another life of the object: %i bytes', async (length) => {
    const instance = next();
    const proxy = await throughProxy();
    const { client, traffic } = watchTraffic(worker, instance, { baseUrl: proxy.url });
    using one = client;
    await one.runs();
    const values = [random(length), random(2_000), 'text'];
    proxy.silence('down');
    const answers = Promise.all(values.map((value) => one.storeAndEcho(value)));
    using other = worker.connect(instance);
    while ((await other.runs()) < values.length) await sleep(10);
    await worker.restart();
    proxy.cutAll('reset');
    proxy.resume();
    const echoed = await answers;
    expect(
      difference(
        values.map((value, index) => ({ runs: index + 1, value })),
        echoed,
      ),
    ).toBeUndefined();
    expect(binary(traffic.down)).toHaveLength(1);
    proxy.close();
  });
});

/** Makes the bytes of the changes. */
function changesOf(lengths: readonly number[]): ArrayBuffer[] {
  return lengths.map((length) => random(length).buffer);
}

describe('a feed', () => {
  const LENGTHS = [10, 1_024, 1_025, 20_000, 65_000];

  test('has bytes, also after a reconnect and for a client that does not read bytes', async () => {
    const instance = next();
    const proxy = await throughProxy();
    const { client, traffic } = watchTraffic(worker, instance, { baseUrl: proxy.url });
    using one = client;
    using writer = worker.connect(instance);
    using reader = worker.connect(instance, { bytes: () => {} });
    const loop = new Loop<Change>(subscribe(one).changes());
    const other = new Loop<Change>(subscribe(reader).changes());
    await Promise.all([one.runs(), reader.runs()]);
    const first = changesOf(LENGTHS);
    await writer.change('first', first);
    await loop.has(first.length);
    proxy.cutAll('reset');
    const second = changesOf(LENGTHS);
    await writer.change('second', second);
    const expected = [
      ...first.map((bytes) => ({ name: 'first', bytes })),
      ...second.map((bytes) => ({ name: 'second', bytes })),
    ];
    for (const { heard } of [loop, other]) {
      while (heard.length < expected.length) await sleep(5);
      expect(difference(expected, heard)).toBeUndefined();
    }
    // Two events have 1 024 and 10 bytes as text, beside the text of the frame itself.
    for (const frame of binary(traffic.down)) expect(sizeOf(frame)).toBeLessThan(86_025 + 3_000);
    expect(binary(traffic.down)).toHaveLength(2);
    proxy.close();
  });

  test('begins with a snapshot that has bytes', async () => {
    const { client, traffic } = watchTraffic(worker, next());
    using one = client;
    const [first] = await new Loop<Change>(subscribe(one).seats()).has(1);
    expect(first?.bytes.byteLength).toBe(3_000);
    expect(binary(traffic.down)).toHaveLength(1);
  });

  test('takes no event with more bytes than characters are allowed', async () => {
    using client = worker.connect(next());
    const refused = { code: 'LIMIT_EXCEEDED' };
    await expect(client.change('x', changesOf([65_537]))).rejects.toMatchObject(refused);
  });
});

describe('a live value', () => {
  test('has bytes, and is sent again when only its bytes have changed', async () => {
    const instance = next();
    const { client, traffic } = watchTraffic(worker, instance);
    using one = client;
    using reader = worker.connect(instance, { bytes: () => {} });
    using writer = worker.connect(instance);
    const loops = [one, reader].map((listener) => new Loop(subscribe(listener).current()));
    const values = [new ArrayBuffer(0), ...changesOf([2_000, 2_000, 3_000])];
    for (const [index, value] of values.entries()) {
      // An equal value is not sent again.
      if (index > 0) for (let time = 0; time < 2; time++) await writer.setCurrent(value);
      for (const loop of loops) await loop.has(index + 1);
    }
    await Promise.all([one.runs(), reader.runs()]);
    for (const { heard } of loops) expect(difference(values, heard)).toBeUndefined();
    expect(binary(traffic.down)).toHaveLength(3);
  });

  test('is sent again when the object has changed the bytes in place', async () => {
    using client = worker.connect(next());
    const values = [0, 7].map((byte) => new Uint8Array(2_000).fill(byte).buffer);
    await client.setCurrent(values[0] as ArrayBuffer);
    const loop = new Loop(subscribe(client).current());
    await loop.has(1);
    await client.fillCurrent(7);
    await loop.has(2);
    expect(difference(values, loop.heard)).toBeUndefined();
  });

  test('is its own for each argument, also if the arguments differ only in their bytes', async () => {
    const { client, traffic } = watchTraffic(worker, next());
    using one = client;
    const loops = [7, 8].map((byte) => {
      const argument = new Uint8Array(2_000).fill(byte);
      return new Loop(subscribe(one).live(argument));
    });
    for (const loop of loops) await loop.has(1);
    expect(binary(traffic.up)).toEqual([]);
  });

  test('comes again after a lost connection only if its bytes have changed', async () => {
    const instance = next();
    const proxy = await throughProxy();
    using client = worker.connect(instance, { baseUrl: proxy.url });
    using writer = worker.connect(instance);
    const values = changesOf([2_000, 2_000]);
    await writer.setCurrent(values[0] as ArrayBuffer);
    const loop = new Loop(subscribe(client).current());
    await loop.has(1);
    proxy.cutAll('reset');
    await client.runs();
    proxy.silence('up', 'down');
    proxy.cutAll('reset');
    await writer.setCurrent(values[1] as ArrayBuffer);
    proxy.resume();
    await loop.has(2);
    expect(difference(values, loop.heard)).toBeUndefined();
    proxy.close();
  });
});

describe('a stream', () => {
  const LENGTHS = [10, 1_024, 1_025, 65_536, 500_000, ...Array.from({ length: 100 }, () => 20_000)];
  const expected = LENGTHS.map((length) => Uint8Array.from({ length }, (_, at) => at));
  const asText = { bytes: () => {} };

  test.each([
    ['of a generator', {}],
    ['of a generator, as text', asText],
  ])('%s has bytes, through lost connections', async (_, options) => {
    const proxy = await throughProxy();
    const { client, traffic } = watchTraffic(worker, next(), { baseUrl: proxy.url, ...options });
    using one = client;
    const heard: Uint8Array[] = [];
    for await (const piece of subscribe(one).pieces(LENGTHS)) {
      heard.push(piece);
      if (heard.length % 30 === 0) proxy.cutAll('reset');
    }
    expect(difference(expected, heard)).toBeUndefined();
    expect(binary(traffic.down).length > 0).toBe(options !== asText);
    proxy.close();
  });

  test('that is an argument has bytes', async () => {
    const { client, traffic } = watchTraffic(worker, next());
    using one = client;
    const sent = expected.slice(0, 30);
    expect(difference(sent, await one.upload(sent))).toBeUndefined();
    const size = sent.reduce((sum, { length }) => sum + length, 0);
    const all = traffic.up.reduce((sum, frame) => sum + sizeOf(frame), 0);
    expect(all).toBeLessThan(size + sent.length * 200 + 3_000);
  });

  test('of bytes arrives complete, and so do rows with bytes', async () => {
    const { client, traffic } = watchTraffic(worker, next());
    using one = client;
    const pieces: Uint8Array[] = [];
    for await (const piece of subscribe(one).download(LENGTHS)) pieces.push(piece);
    // The pieces may be cut elsewhere, because a stream of bytes has no boundaries.
    const [sent, received] = [expected, pieces].map((all) =>
      new Blob(all as Uint8Array<ArrayBuffer>[]).bytes(),
    );
    expect(difference(await sent, await received)).toBeUndefined();
    const rows: ArrayBuffer[] = [];
    for await (const { bytes } of subscribe(one).rows(LENGTHS)) rows.push(bytes);
    expect(
      difference(
        expected.map(({ buffer }) => buffer),
        rows,
      ),
    ).toBeUndefined();
    const size = LENGTHS.reduce((sum, length) => sum + length, 0);
    const all = traffic.down.reduce((sum, frame) => sum + sizeOf(frame), 0);
    expect(all).toBeLessThan(2 * (size + LENGTHS.length * 100) + 100_000);
  });
});

describe('an object that has slept', () => {
  test('still sends bytes to a client that reads them', async () => {
    const instance = next();
    const { client, traffic } = watchTraffic(worker, instance);
    using one = client;
    using other = worker.connect(instance, { transport: 'http' });
    const loop = new Loop<Change>(subscribe(one).changes());
    const before = await one.life();
    const offers = (): number => String(traffic.up).split('["bytes"]').length - 1;
    const offered = offers();
    expect(offered).toBeGreaterThan(0);
    for (let wait = IDLE; ; wait *= 2) {
      await sleep(wait);
      const heard = loop.heard.length;
      const bytes = random(5_000);
      await other.change('after', [bytes.buffer]);
      await loop.has(heard + 1);
      expect(difference(bytes.buffer, loop.heard.at(-1)?.bytes)).toBeUndefined();
      expect(binary(traffic.down)).toHaveLength(heard + 1);
      expect(difference(bytes, await one.echo(bytes))).toBeUndefined();
      expect(binary(traffic.down)).toHaveLength(heard + 2);
      if ((await one.life()) !== before) break;
      traffic.down.length = 0;
      loop.heard.length = 0;
    }
    // The client did not ask again whether the object reads bytes.
    expect(offers()).toBe(offered);
  });
});

test('an object that does not hibernate sends bytes, too', async () => {
  const { client, traffic } = watchTraffic(worker, next(), {}, 'RESIDENT');
  using one = client;
  const value = random(5_000);
  expect(difference(value, await one.echo(value))).toBeUndefined();
  expect(binary(traffic.up)).toHaveLength(1);
  expect(binary(traffic.down)).toHaveLength(1);
});
