/** The server's side of an argument stream: how long it waits for its client, when it acknowledges, and how it ends. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { RpcError } from '../../../src/server.ts';
import { ArgumentStream } from '../../../src/features/argument-streams/server/argument-stream.ts';
import { DEFAULT_LIMITS } from '../../../src/server/base/limits.ts';
import { STREAM_SIZE } from '../../../src/features/argument-streams/wire.ts';
import { ClientConnection } from '../../../src/server/connections/client-connection.ts';

/** Creates the stream of a client. The connection of the client is optional. */
function streamFrom(
  connection: () => ClientConnection | undefined,
  timeout = Infinity,
): ArgumentStream {
  return new ArgumentStream(1, 1, {
    limits: DEFAULT_LIMITS,
    timeout,
    memory: new ClientConnection({}, { send() {} }).memory,
    connection,
    await() {},
  });
}

test('a client that comes back in time may be away as long again', async () => {
  const frames: unknown[] = [];
  const there = new ClientConnection({}, { send: (frame) => frames.push(frame), close() {} });
  let connection: ClientConnection | undefined;
  const stream = streamFrom(() => connection);
  const items = stream[Symbol.asyncIterator]();
  const first = items.next();
  stream.checkClient(0, 100);
  stream.checkClient(99, 100);
  connection = there;
  stream.checkClient(199, 100);
  await Promise.resolve();
  // The object asks the client whether it still has the stream.
  expect(frames).toEqual(['[["ack",1,0]]']);
  connection = undefined;
  stream.checkClient(200, 100);
  stream.checkClient(299, 100);
  stream.push([1, 'item'], there);
  expect(await first).toEqual({ done: false, value: 'item' });
  stream.checkClient(300, 100);
  await expect(items.next()).rejects.toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
});

test('a method that takes long for each item acknowledges items, so that its call does not time out', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const frames: unknown[] = [];
  const connection = new ClientConnection({}, { send: (frame) => frames.push(frame), close() {} });
  const stream = streamFrom(() => connection);
  for (let i = 1; i <= 4; i++) stream.push([i, 'item'], connection);
  const items = stream[Symbol.asyncIterator]();
  await items.next();
  vi.advanceTimersByTime(999);
  await items.next();
  await Promise.resolve();
  expect(frames).toEqual([]);
  vi.advanceTimersByTime(1);
  await items.next();
  await Promise.resolve();
  expect(frames).toEqual(['[["ack",1,3]]']);
  await items.next();
  await Promise.resolve();
  expect(frames).toHaveLength(1);
});

describe('a stream whose client sends nothing', () => {
  const open = (timeout: number): ArgumentStream =>
    streamFrom(() => new ClientConnection({}, { send() {}, close() {}, isOpen: true }), timeout);

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('ends after the time limit, even if the client is connected', async () => {
    const stream = open(60_000);
    const item = stream[Symbol.asyncIterator]().next();
    const outcome = expect(item).rejects.toMatchObject({ code: 'TIMEOUT', maybeExecuted: true });
    stream.checkClient(Date.now() + 59_999, 30_000);
    stream.checkClient(Date.now() + 60_000, 30_000);
    await outcome;
  });

  test('has the full time for each item, counted from when the method waits', async () => {
    const stream = open(60_000);
    const connection = new ClientConnection({}, { send() {}, close() {} });
    const items = stream[Symbol.asyncIterator]();
    stream.push([1, 'a'], connection);
    expect(await items.next()).toMatchObject({ value: 'a' });
    vi.advanceTimersByTime(100_000);
    const next = items.next();
    await Promise.resolve();
    stream.checkClient(Date.now() + 59_999, 30_000);
    stream.push([2, 'b'], connection);
    expect(await next).toMatchObject({ value: 'b' });
  });
});

describe('the streams of a client', () => {
  test('hold together at most as much as the limit allows, and give the memory back', async () => {
    const connection = new ClientConnection({}, { send() {}, close() {} });
    const limits = { ...DEFAULT_LIMITS, memoryPerClient: 100 };
    connection.serve({}, limits);
    const { memory } = connection;
    const open = (s: number): ArgumentStream =>
      new ArgumentStream(s, 1, {
        limits,
        timeout: 1_000,
        memory,
        connection: () => connection,
        await() {},
      });
    const [first, second, third] = [open(1), open(2), open(3)];
    first.push([1, 'x'.repeat(50)], connection);
    second.push([1, 'x'.repeat(40)], connection);
    expect(() => third.push([1, 'x'.repeat(20)], connection)).toThrow(
      'memoryPerClient is at most 100',
    );
    await first[Symbol.asyncIterator]().next();
    second.close(new RpcError('CLOSED', 'ended'));
    expect(memory.held).toBe(0);
    open(4).push([1, 'x'.repeat(80)], connection);
  });

  test('keep items as text if they hold much, and return them as they came', async () => {
    const connection = new ClientConnection({}, { send() {}, close() {} });
    const { memory } = connection;
    memory.add(2_000_000);
    const limits = DEFAULT_LIMITS;
    const stream = new ArgumentStream(1, 1, {
      limits,
      timeout: 1_000,
      memory,
      connection: () => connection,
      await() {},
    });
    const values = [[[], [[]]], { a: [1, null] }, 'text', new Uint8Array(2_000).buffer];
    stream.push([1, values[0]], connection);
    stream.push([2, values[1]], connection);
    stream.push([3, values[2]], connection);
    stream.push([4, 'rich', [[1], values[3]]], connection);
    const items = stream[Symbol.asyncIterator]();
    for (const value of values.slice(0, 3)) expect(await items.next()).toMatchObject({ value });
  });
});

describe('an argument stream', () => {
  let frames: unknown[];
  let connection: ClientConnection | undefined;
  let stream: ArgumentStream;

  const open = (): ClientConnection =>
    new ClientConnection({}, { send: (frame) => frames.push(frame), close() {} });

  /** Returns the messages that have been sent so far. */
  async function sent(): Promise<unknown[]> {
    await Promise.resolve();
    return frames.splice(0);
  }

  const push = (i: number, value: unknown = 'item'): void =>
    stream.push([i, value], connection as ClientConnection);

  beforeEach(() => {
    frames = [];
    connection = open();
    stream = streamFrom(() => connection);
  });

  afterEach(() => void vi.useRealTimers());

  async function take(count: number): Promise<void> {
    const items = stream[Symbol.asyncIterator]();
    for (let item = 0; item < count; item++) await items.next();
  }

  test('acknowledges again when its last item comes again, and only then', async () => {
    for (let i = 1; i <= 3; i++) push(i);
    await take(3);
    push(1);
    push(2);
    expect(await sent()).toEqual([]);
    push(3);
    expect(await sent()).toEqual(['[["ack",1,3]]']);
  });

  test('stops its client once for each connection after the method has stopped reading, even without a connection at first', async () => {
    push(1);
    const last = connection as ClientConnection;
    connection = undefined;
    for await (const _ of stream) break;
    stream.push([2, 'x'], last);
    stream.push([3, 'x'], last);
    expect(await sent()).toEqual(['[["stop",1]]']);
    stream.push([4, 'x'], open());
    expect(await sent()).toEqual(['[["stop",1]]']);
  });

  test('ignores how the client ends it after the method has stopped reading', async () => {
    push(1);
    for await (const _ of stream) break;
    expect(await sent()).toEqual(['[["stop",1]]']);
    stream.finish([-1]);
    stream.finish([1, 'error', [['Nonsense']]]);
    expect(await sent()).toEqual([]);
  });

  test('that has failed is stopped, fails with its first error, and sends nothing at its end', async () => {
    stream.push([5, 'gap'], connection as ClientConnection);
    expect(await sent()).toEqual([]);
    push(1);
    expect(await sent()).toEqual(['[["stop",1]]']);
    stream.close(new RpcError('CLOSED', 'later'));
    const reading = stream[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
    expect(await sent()).toEqual([]);
  });

  test('is acknowledged after 131 072 characters, and again after another 131 072', async () => {
    // The number of the item counts too, and so do two characters for the list.
    const half = 'x'.repeat(65_533);
    for (let i = 1; i <= 5; i++) push(i, half);
    const items = stream[Symbol.asyncIterator]();
    const acknowledged: unknown[] = [];
    for (let item = 0; item < 5; item++) {
      await items.next();
      acknowledged.push(...(await sent()));
    }
    expect(acknowledged).toEqual(['[["ack",1,2]]', '[["ack",1,4]]']);
  });

  test('takes an item of the largest size, and then no other item', async () => {
    push(1, 'x'.repeat(STREAM_SIZE - 3));
    expect(() => push(2, 'x')).not.toThrow();
    expect(() => push(3, 'x')).toThrow('the size of a stream is at most 1048576');
    stream = streamFrom(() => connection);
    expect(() => push(1, 'x'.repeat(STREAM_SIZE - 2))).toThrow('the size of a stream');
  });

  test('whose client may wait for room is acknowledged once, unless it has ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const items = stream[Symbol.asyncIterator]();
    const large = 'x'.repeat(5_000);
    for (let i = 1; i <= 2; i++) {
      const next = items.next();
      push(i, large);
      await next;
    }
    let waiting = items.next();
    await Promise.resolve();
    vi.runAllTimers();
    expect(await sent()).toEqual(['[["ack",1,2]]']);
    push(3, large);
    await waiting;
    waiting = items.next();
    await Promise.resolve();
    stream.finish([3]);
    expect(await waiting).toEqual({ done: true, value: undefined });
    vi.runAllTimers();
    expect(await sent()).toEqual([]);
  });
});
