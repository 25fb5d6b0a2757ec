/** Streams whose connection is lost at random moments bring each item once, and in order. */
import { describe, expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { sleep, until } from '../../../../harness/waiting.mjs';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { randomNumbers } from '../../../src/perf/measure/statistics.ts';
import { all, numbers } from './items.ts';
import { type Client, serve } from './serve.ts';

const worker = await serve();

interface Behind extends Disposable {
  client: Client;
  proxy: NetworkProxy;
}

async function behindProxy(instance: string, binding?: 'STRICT'): Promise<Behind> {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  const client = worker.connect(instance, { baseUrl: proxy.url, heartbeat: 100 }, binding);
  return {
    client,
    proxy,
    [Symbol.dispose]: () => {
      client.close();
      proxy.close();
    },
  };
}

const random = randomNumbers(20_261_122);

/** Returns a random integer below `most`. */
const some = (most: number): number => Math.floor(random() * most);

/** Cuts, stalls and forgets connections at random moments until `isOver` returns `true`. */
async function torment(proxy: NetworkProxy, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const bytes = some(20_000);
    const direction = some(4) === 0 ? 'up' : 'down';
    const ending = some(2) === 0 ? 'reset' : 'close';
    const isCut = proxy.cutAfter(direction === 'up' ? some(200) : bytes, direction, ending);
    await Promise.race([isCut, sleep(200)]);
    if (some(3) === 0) {
      proxy.silence('down');
      await sleep(some(300));
      proxy.resume();
    }
    await sleep(some(30));
  }
}

type Numbered = AsyncIterable<number | { number: number }>;

const STREAMS: [name: string, open: (client: Client, count: number) => Numbered][] = [
  ['a generator', (client, count) => subscribe(client).count('a', 1, count)],
  ['an asynchronous generator', (client, count) => subscribe(client).countQuickly('a', 1, count)],
  ['a ReadableStream', (client, count) => subscribe(client).values('a', count)],
  ['a generator that is not readonly', (client, count) => subscribe(client).write('a', count)],
  ['rows with cursor', (client) => subscribe(client).rows(1)],
];

describe.each(STREAMS)('%s', (name, open) => {
  test('goes on over lost connections', async () => {
    const COUNT = 10_000;
    using watcher = worker.connect(`lost ${name}`);
    await watcher.fill(COUNT);
    using behind = await behindProxy(`lost ${name}`);
    let isOver = false;
    let tormented: Promise<void> | undefined;
    const items: number[] = [];
    for await (const item of open(behind.client, COUNT)) {
      // The faults begin after the first item. A fault before it would reject the call of a method that is not readonly.
      tormented ??= torment(behind.proxy, () => isOver);
      const count = items.push(typeof item === 'number' ? item : item.number);
      if (count % 3_000 === 0) behind.proxy.cutAll('reset');
      if (count === 10 || some(1_000) === 0) await sleep(some(20));
    }
    isOver = true;
    await tormented;
    expect(items).toEqual(numbers(1, COUNT));
    expect(behind.proxy.connections).toBeGreaterThan(2);
    if (name === 'a generator that is not readonly') expect(await watcher.written()).toBe(COUNT);
    const trace = await watcher.trace(name === 'rows with cursor' ? 'rows' : 'a');
    if (name !== 'rows with cursor') expect(trace.taken).toBe(COUNT);
  });
});

describe('a first attempt whose answer is lost', () => {
  const lostAtOnce = async (
    instance: string,
    open: (client: Client) => AsyncIterable<number>,
    isRestarted = false,
  ): Promise<number[]> => {
    using behind = await behindProxy(instance);
    await behind.client.lives();
    behind.proxy.silence('down');
    const reading = all(open(behind.client));
    using watcher = worker.connect(instance);
    await until(async () => (await watcher.trace('a')).taken > 0);
    if (isRestarted) {
      behind.proxy.cutAll('reset');
      await worker.restart();
    }
    behind.proxy.resume();
    return await reading;
  };

  test('finds its stream again', async () => {
    const got = await lostAtOnce('attempt', (client) => subscribe(client).write('a', 100));
    expect(got).toEqual(numbers(1, 100));
    using watcher = worker.connect('attempt');
    expect(await watcher.written()).toBe(100);
  });

  test('does not run a method again that may have run', async () => {
    const reading = lostAtOnce('restarted', (client) => subscribe(client).write('a', 100), true);
    await expect(reading).rejects.toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
    using watcher = worker.connect('restarted');
    expect(await watcher.written()).toBe(64);
  });

  test('runs a readonly method again', async () => {
    const got = await lostAtOnce(
      'readonly',
      (client) => subscribe(client).count('a', 1, 100),
      true,
    );
    expect(got).toEqual(numbers(1, 100));
  });
});

describe('a client that does not read', () => {
  test('because it is away for longer than streamTimeout loses its stream', async () => {
    using behind = await behindProxy('away', 'STRICT');
    using watcher = worker.connect('away', {}, 'STRICT');
    const iterator = subscribe(behind.client).count('a', 1, 1_000)[Symbol.asyncIterator]();
    for (let item = 1; item <= 10; item++) await iterator.next();
    behind.proxy.silence('up', 'down');
    await until(async () => (await watcher.trace('a')).ended === 1);
    behind.proxy.resume();
    const drain = async (): Promise<void> => {
      while (!(await iterator.next()).done);
    };
    const code = expect.stringMatching(/^(DISCONNECTED|TIMEOUT)$/);
    await expect(drain()).rejects.toMatchObject({ code });
  });

  test('although it is connected gets TIMEOUT', async () => {
    using client = worker.connect('stalled', {}, 'STRICT');
    const iterator = subscribe(client).count('a', 1, 1_000)[Symbol.asyncIterator]();
    await iterator.next();
    await until(async () => (await client.trace('a')).ended === 1);
    const drain = async (): Promise<number> => {
      for (let items = 1; ; items++) if ((await iterator.next()).done) return items;
    };
    await expect(drain()).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  test('and leaves its loop while it reconnects ends its stream afterwards', async () => {
    using client = worker.connect('left');
    const iterator = subscribe(client).count('a', 1, 1_000)[Symbol.asyncIterator]();
    await iterator.next();
    // The new connection is not open yet.
    client.reconnect();
    await iterator.return?.();
    await until(async () => (await client.trace('a')).ended === 1);
  });

  test('because its producer is slow keeps its stream', async () => {
    using client = worker.connect('slow', {}, 'STRICT');
    const iterator = subscribe(client).gated('a')[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    await sleep(1_000);
    await client.open('a');
    expect(await next).toMatchObject({ value: 'after' });
    expect(await iterator.next()).toMatchObject({ done: true });
    expect((await client.trace('a')).ended).toBe(1);
  });
});

test('a producer goes on for the caller of the newest connection', async () => {
  let logins = 0;
  const protocols = (): string[] => [`as.ada.${++logins}`];
  using client = worker.connect('renewed', { protocols });
  const users: unknown[] = [];
  for await (const user of subscribe(client).who()) {
    // The producer has filled one window by then.
    if (users.push(user) === 1) client.reconnect();
  }
  expect(logins).toBe(2);
  const [first, last] = [{ user: 'ada.1' }, { user: 'ada.2' }];
  expect(users).toEqual(Array.from({ length: 100 }, (_, index) => (index < 64 ? first : last)));
});

test('an object that is killed ends its streams with DISCONNECTED, and rows go on', async () => {
  const COUNT = 10_000;
  using client = worker.connect('killed');
  await client.fill(COUNT);
  const begun = (stream: Numbered): AsyncIterator<number | { number: number }> =>
    stream[Symbol.asyncIterator]();
  const count = begun(subscribe(client).count('a', 1, 1_000));
  const write = begun(subscribe(client).write('b', 1_000));
  const rows = subscribe(client).rows(1)[Symbol.asyncIterator]();
  const got: number[] = [];
  for (const one of [count, write]) await one.next();
  for (let kill = 0; kill < 4; kill++) {
    const upTo = got.length + 500 + some(1_000);
    while (got.length < upTo) got.push(((await rows.next()).value as { number: number }).number);
    await worker.restart();
  }
  for (let row = await rows.next(); !row.done; row = await rows.next()) got.push(row.value.number);
  expect(got).toEqual(numbers(1, COUNT));
  const drain = async (one: AsyncIterator<unknown>): Promise<void> => {
    while (!(await one.next()).done);
  };
  await expect(drain(count)).rejects.toMatchObject({ code: 'DISCONNECTED', maybeExecuted: false });
  await expect(drain(write)).rejects.toMatchObject({ code: 'DISCONNECTED', maybeExecuted: true });
});

test('too many rejections end the streams of their connection at once', async () => {
  const raw = await worker.raw('final', { binding: 'STRICT' });
  raw.send('[["subscribe",1,null,"count",["a",1,1000]]]');
  await raw.next();
  // These frames are unreadable, and as many as limits.refusals allows.
  for (let frame = 0; frame < 1_001; frame++) raw.send('x');
  using watcher = worker.connect('final', {}, 'STRICT');
  await until(async () => (await watcher.trace('a')).ended === 1);
});

describe('a limit', () => {
  test('of streams in memory rejects one more stream until another has ended', async () => {
    using client = worker.connect('limit', {}, 'STRICT');
    const begun = numbers(1, 3).map((number) =>
      subscribe(client).gated(`${number}`)[Symbol.asyncIterator](),
    );
    for (const one of begun) await one.next();
    const more = (): Promise<unknown> => all(subscribe(client).count('a', 1, 5));
    await expect(more()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(all(subscribe(client).write('a', 5))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    expect(await client.written()).toBe(0);
    // The object checks the limit before it knows whether the method returns a stream.
    await expect(all(subscribe(client).number())).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    // Rows take no memory.
    await client.fill(5);
    expect(await all(subscribe(client).rows(1))).toHaveLength(5);
    await begun[0]?.return?.();
    expect(await more()).toEqual(numbers(1, 5));
    for (const one of begun) await one.return?.();
  });

  test('of streams in memory ends a stream whose client has left in favour of another client', async () => {
    const leaver = await worker.raw('left', { binding: 'STRICT', client: 'leaver' });
    leaver.send('[["subscribe",1,null,"gated",["a"]],["subscribe",2,null,"gated",["b"]]]');
    await leaver.next();
    using keeper = worker.connect('left', {}, 'STRICT');
    const kept = subscribe(keeper).gated('c')[Symbol.asyncIterator]();
    await kept.next();
    leaver.close();
    using newcomer = worker.connect('left', {}, 'STRICT');
    expect(await all(subscribe(newcomer).count('d', 1, 5))).toEqual(numbers(1, 5));
    expect((await keeper.trace('c')).ended).toBe(0);
    await kept.return?.();
  });

  test('of streams in memory ends a stream of the client with all streams in favour of another client', async () => {
    using greedy = worker.connect('greedy', {}, 'STRICT');
    const begun = numbers(1, 3).map((number) =>
      subscribe(greedy).gated(`${number}`)[Symbol.asyncIterator](),
    );
    for (const one of begun) await one.next();
    using modest = worker.connect('greedy', {}, 'STRICT');
    expect(await all(subscribe(modest).count('a', 1, 5))).toEqual(numbers(1, 5));
    await expect(begun[2]?.next()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('this client had the most of them'),
    });
    expect((await greedy.trace('1')).ended).toBe(0);
    for (const one of begun) await one.return?.();
  });

  test('of subscriptions counts streams and rows', async () => {
    using raw = await worker.raw('subscriptions');
    // None of these ends before the last has begun.
    const begin = numbers(1, 33).map(
      (n) => `["subscribe",${n},null,"${n % 2 ? 'count",["a",1,200' : 'large",[1,9999'}]]`,
    );
    raw.send(`[${begin.join()}]`);
    raw.send('[[9,"lives"]]');
    const messages = await raw.upTo(9);
    // An answer can overtake a large frame.
    while (!messages.some(([, n]) => n === 33)) messages.push(...JSON.parse(await raw.next()));
    expect(JSON.stringify(messages.filter(([, n]) => n === 33))).toMatch(/LIMIT_EXCEEDED/);
    expect(messages.filter(([kind]) => kind === 'subscribed')).toHaveLength(32);
  });
});
