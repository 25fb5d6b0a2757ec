/** Bytes in arguments and results: the values that arrive, and the frames that carry them. */
import { describe, expect, test } from 'vitest';
import { difference } from '../../support/same.ts';
import { binary, type Client, random, serve, sizeOf, watchTraffic } from './serve.ts';
import { callback } from '../../../src/features/callbacks/client/callback.ts';

const worker = await serve();
let instances = 0;
const next = (): string => `object ${++instances}`;

/** Smaller buffers are sent in the text of a frame. */
const LEAST = 1_025;

const LENGTHS = [0, 1, 1_024, LEAST, 65_536, 1_048_576];

const shared = random(5_000).buffer;
const VALUES: Record<string, unknown> = {
  ...Object.fromEntries(LENGTHS.map((length) => [`${length} bytes`, random(length).buffer])),
  'one view': random(2_000),
  'a DataView': new DataView(random(4_000).buffer, 8, 3_000),
  'a Float64Array': new Float64Array([1.5, NaN, -0, ...Array.from({ length: 500 }, Math.random)]),
  'several in one value': { a: random(2_000), b: [random(3_000).buffer, random(10)], c: 'text' },
  'a buffer twice': [shared, { again: shared }],
  'a view twice': ((view) => [view, view])(random(2_000)),
  'views of a whole buffer': [new Uint8Array(shared), new DataView(shared), shared],
  'views of parts of a buffer': [
    new Uint8Array(shared, 100, 2_000),
    new Int16Array(shared, 2, 900),
  ],
  'in a Map': new Map<unknown, unknown>([
    ['a', random(2_000)],
    [random(1_500).buffer, 'key'],
  ]),
  'in a Set': new Set([random(2_000).buffer]),
  'in an Error': Object.assign(new Error('with', { cause: random(2_000) }), {
    more: random(3_000),
  }),
  'deep down': [[[{ a: { b: [new Map([[1, { c: random(2_000) }]])] } }]]],
  'beside a value that looks like a reference': [
    random(2_000),
    ['Bytes', 0],
    { 0: 'Bytes' },
    [['Bytes', 0]],
  ],
  'in a cycle': ((one: Record<string, unknown>) => Object.assign(one, { one }))({
    at: random(2_000),
  }),
};

/** Counts the bytes that are sent beside the text. A view counts with the bytes that it shows. */
function besideText(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  const inner = (parts: Iterable<unknown>): number => {
    let sum = 0;
    for (const part of parts) sum += besideText(part, seen);
    return sum;
  };
  if (ArrayBuffer.isView(value)) {
    const isWhole = value.byteLength === value.buffer.byteLength;
    return isWhole
      ? besideText(value.buffer, seen)
      : value.byteLength >= LEAST
        ? value.byteLength
        : 0;
  }
  if (value instanceof ArrayBuffer) return value.byteLength >= LEAST ? value.byteLength : 0;
  if (value instanceof Map) return inner([...value].flat());
  if (value instanceof Set) return inner(value);
  if (value instanceof Error) return inner([value.cause, ...Object.values(value)]);
  return inner(Object.values(value));
}

const WAYS = ['websocket', 'http'] as const;

describe.each(WAYS)('over %s', (transport) => {
  describe.each(Object.entries(VALUES))('%s', (_, value) => {
    test.each(['echo', 'echoLater'] as const)('%s', async (method) => {
      const { client, traffic } = watchTraffic(worker, next(), { transport });
      using one = client;
      expect(difference(value, await one[method](value))).toBeUndefined();
      const size = besideText(value);
      for (const frames of [traffic.up, traffic.down]) {
        expect(binary(frames)).toHaveLength(size > 0 ? 1 : 0);
        // The text adds little, except for the stack of an error.
        if (size > 0) expect(sizeOf(binary(frames)[0] as ArrayBuffer)).toBeLessThan(size + 2_500);
      }
    });

    test.each(['storeAndEcho', 'storeAndEchoLater'] as const)('%s', async (method) => {
      using client = worker.connect(next(), { transport });
      const echoed = (await client[method](value)) as { value: unknown };
      expect(difference(value, echoed.value)).toBeUndefined();
    });
  });

  test('a change that a client makes after a call is not sent', async () => {
    using client = worker.connect(next(), { transport });
    const sent = random(10_000);
    const before = sent.slice();
    const echoed = client.echo(sent);
    sent.fill(0);
    expect(difference(before, await echoed)).toBeUndefined();
  });

  test('a change that the object makes after a method has returned is not sent', async () => {
    using client = worker.connect(next(), { transport });
    const answers = await Promise.all([1, 2, 3].map((first) => client.held(first)));
    expect(answers.map(([first]) => first)).toEqual([1, 2, 3]);
    expect(answers.map(({ length }) => length)).toEqual([4_096, 4_096, 4_096]);
  });

  test('calls with bytes and calls without bytes share a frame', async () => {
    const { client, traffic } = watchTraffic(worker, next(), { transport });
    using one = client;
    const values = [random(2_000), 'text', [random(3_000), random(4_000)], random(10), { a: 1 }];
    const echoed = await Promise.all(values.map((value) => one.echo(value)));
    expect(difference(values, echoed)).toBeUndefined();
    expect(traffic.up).toHaveLength(1);
    expect(traffic.down).toHaveLength(1);
    expect(sizeOf(traffic.up[0] as ArrayBuffer)).toBeLessThan(9_000 + 400);
  });

  test('later calls of a client get bytes, too', async () => {
    const { client, traffic } = watchTraffic(worker, next(), { transport });
    using one = client;
    for (let call = 0; call < 3; call++) await one.make(3_000);
    expect(binary(traffic.down)).toHaveLength(3);
  });

  test('a result with bytes is an argument of the next call without being sent for it', async () => {
    const { client, traffic } = watchTraffic(worker, next(), { transport });
    using one = client;
    const made = one.make(3_000);
    const both = one.echo([made, made, random(2_000)]);
    const [first, second, third] = (await both) as ArrayBuffer[];
    expect(first).toBe(second);
    expect(new Uint8Array(first as ArrayBuffer)).toEqual(new Uint8Array(await made));
    expect(third).toHaveLength(2_000);
    expect(traffic.up).toHaveLength(1);
    expect(sizeOf(traffic.up[0] as ArrayBuffer)).toBeLessThan(2_000 + 300);
  });

  test('a result of another client is sent as an argument, beside the bytes of the call', async () => {
    using client = worker.connect(next(), { transport });
    using other = worker.connect(next(), { transport });
    const own = random(2_000);
    const before = own.slice();
    const both = client.echo([own, other.make(3_000)]);
    own.fill(0);
    const [mine, theirs] = (await both) as [Uint8Array, ArrayBuffer];
    expect(difference(before, mine)).toBeUndefined();
    expect(theirs.byteLength).toBe(3_000);
  });

  test('a thrown error has its bytes', async () => {
    using client = worker.connect(next(), { transport });
    const error = await client.throwBytes(5_000).catch((thrown: unknown) => thrown);
    expect((error as { bytes: ArrayBuffer }).bytes.byteLength).toBe(5_000);
  });

  test('a client that does not read binary frames gets text, and sends text', async () => {
    const { client, traffic } = watchTraffic(worker, next(), { transport, bytes: () => {} });
    using one = client;
    for (const value of Object.values(VALUES)) {
      expect(difference(value, await one.echo(value))).toBeUndefined();
    }
    expect(binary([...traffic.up, ...traffic.down])).toEqual([]);
  });

  test('a call beyond the size of a frame is rejected, and the error gives the limit', async () => {
    using client = worker.connect(next(), { transport });
    const refused = {
      code: 'LIMIT_EXCEEDED',
      message: 'frameSize is at most 4194304',
    };
    await expect(client.hash(new ArrayBuffer(4_194_305))).rejects.toMatchObject(refused);
    using small = worker.connect(next(), { transport }, 'SMALL');
    const alike = {
      code: 'LIMIT_EXCEEDED',
      message: 'frameSize is at most 100000',
    };
    await expect(small.hash(new ArrayBuffer(100_001))).rejects.toMatchObject(alike);
    expect(await small.hash(random(99_000))).toHaveLength(64);
    expect(await client.hash(random(4_194_000))).toHaveLength(64);
  });

  test('calls that are too large for one frame leave in several', async () => {
    const { client, traffic } = watchTraffic(worker, next(), { transport });
    using one = client;
    const values = Array.from({ length: 5 }, () => random(900_000));
    const echoed = await Promise.all(values.map((value) => one.echo(value)));
    expect(difference(values, echoed)).toBeUndefined();
    expect(traffic.up).toHaveLength(2);
  });
});

test.each([
  [
    'the method of a capability',
    async (client: Client, value: Uint8Array) => {
      return client.open('folder').echo(value);
    },
  ],
  [
    'a callback, and its answer',
    (client: Client, value: Uint8Array) => {
      return client.ask(
        callback((asked) => Promise.resolve(asked)),
        value,
      );
    },
  ],
] as const)('%s can have bytes', async (_, call) => {
  const { client, traffic } = watchTraffic(worker, next());
  using one = client;
  const value = random(10_000);
  expect(difference(value, await call(one, value))).toBeUndefined();
  const frames = [...traffic.up, ...traffic.down];
  const size = frames.reduce((sum, frame) => sum + sizeOf(frame), 0);
  expect(binary(frames)).toHaveLength(
    frames.some((frame) => String(frame).includes('"return"')) ? 3 : binary(frames).length,
  );
  expect(size).toBeLessThan(binary(frames).length * 10_000 + 1_000);
});
