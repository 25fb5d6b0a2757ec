/**
 * Subscriptions of an object that sleeps: idle subscribers let it sleep, and notice nothing. Each test waits until the
 * object was constructed again, so the tests run at the same time.
 */
import { describe, expect, test, vi } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { sleep, until } from '../../../../harness/waiting.mjs';
import { Loop } from './broadcaster/loops.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import { type Client, native, serve } from './broadcaster/serve.ts';

// These tests only wait, so they run at the same time.
vi.setConfig({ maxConcurrency: 50 });

const worker = await serve();

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

/** Waits until the object sleeps, and wakes it by `act`. Repeats both if the object had not slept. */
async function wake<Result>(instance: string, act: () => Promise<Result>): Promise<Result> {
  using client = worker.connect(instance, { transport: 'http' });
  const before = await client.lives();
  for (let wait = IDLE; ; wait *= 2) {
    await sleep(wait);
    const result = await act();
    if ((await client.lives()) > before) return result;
  }
}

const as = (user: string, instance: string): Client =>
  worker.connect(instance, { protocols: [`as.${user}`] });

describe.concurrent('an object that is woken by', () => {
  test.concurrent.each([
    ['a call', (client: Client): Promise<unknown> => client.sayOne('a'), 'a'],
    ['a call that goes on after an await', (client: Client) => client.saySoon('a'), 'a'],
    ['native RPC', (_: Client, instance: string) => native(worker, instance, { text: 'a' }), 'a'],
  ] as const)('%s sends the event to a hundred subscribers', async (instance, act, event) => {
    using client = worker.connect(instance);
    const listeners = Array.from({ length: 100 }, () => worker.connect(instance));
    const loops = listeners.map((listener) => new Loop(subscribe(listener).events()));
    await Promise.all(listeners.map((listener) => listener.lives()));
    await wake(instance, () => act(client, instance));
    for (const loop of loops) expect((await loop.has(1)).at(-1)).toBe(event);
    // Each subscriber has as many events as the others, even if the call had to be repeated.
    const counts = new Set(loops.map(({ heard }) => heard.length));
    expect(counts.size).toBe(1);
    for (const listener of listeners) listener.close();
  });

  test.concurrent('an alarm sends the events and values of the alarm', async () => {
    using client = worker.connect('alarm');
    using listener = worker.connect('alarm');
    const events = new Loop(subscribe(listener).events());
    const topics = new Loop(subscribe(listener).getTopic());
    await topics.has(1);
    const lives = await client.lives();
    let times = 0;
    do {
      await client.sayInAlarm(IDLE * 2 ** times++);
      expect(await events.has(times)).toEqual(Array.from({ length: times }, () => 'alarm'));
    } while ((await client.lives()) === lives);
    expect(await topics.has(2)).toEqual(['', 'alarm']);
  });

  test.concurrent('an acknowledgement sends the next events, and none twice', async () => {
    using client = worker.connect('acknowledgement', { transport: 'http' });
    await client.sayAll(numbers(1, 200));
    using raw = await worker.raw('acknowledgement');
    await raw.exchange('["subscribe",1,"0.","events"]');
    await raw.exchange('["ack",1,32]');
    let acknowledged = 32;
    const eventsOf = (messages: unknown[][]): unknown[] => messages.map(([, , event]) => event);
    const next = await wake('acknowledgement', () => raw.exchange(`["ack",1,${++acknowledged}]`));
    expect(eventsOf(next)).toEqual([64 + acknowledged]);
    expect(eventsOf(await raw.exchange('["ack",1,96]'))).toEqual(numbers(65 + acknowledged, 160));
  });

  test.concurrent('the end of one subscription goes on with the others', async () => {
    using raw = await worker.raw('end of one');
    await raw.exchange('["subscribe",1,null,"events"],["subscribe",2,null,"events"]');
    await raw.exchange('["subscribe",3,null,"getTopic"],["unsubscribe",2]');
    expect(await wake('end of one', () => raw.exchange('["unsubscribe",3]'))).toEqual([]);
    using client = worker.connect('end of one', { transport: 'http' });
    await client.sayOne('a');
    await client.setTopic('a');
    expect(await raw.exchange()).toEqual([
      ['epoch', 1, 0, expect.anything()],
      ['next', 1, 1, 'a'],
    ]);
  });
});

test.concurrent('the subscriptions of a connection count against the limit after a sleep', async () => {
  using raw = await worker.raw('limits');
  const begin = numbers(1, 32).map((n) => `["subscribe",${n},null,"events"]`);
  await raw.exchange(`${begin.join()}`);
  const more = await wake('limits', () => raw.exchange('["subscribe",33,null,"events"]'));
  expect(JSON.stringify(more)).toMatch(/^\[\["complete",33,"error",.*LIMIT_EXCEEDED/);
});

test.concurrent('a feed that began after its subscription, and is deleted after a sleep, ends the subscription', async () => {
  const instance = 'began and deleted';
  using client = worker.connect(instance, { transport: 'http' });
  using listener = worker.connect(instance);
  const loop = new Loop(subscribe(listener).events());
  await listener.lives();
  await client.sayOne('a');
  await loop.has(1);
  await sleep(IDLE);
  // `lives` is deleted, too, so the test cannot check that the object slept.
  await client.forgetAll();
  await client.sayOne('b');
  await expect(loop.ended).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  expect(loop.heard).toEqual(['a']);
});

describe.concurrent('a live value', () => {
  test.concurrent('comes if it has changed, and only then', async () => {
    using client = worker.connect('live');
    using listener = worker.connect('live');
    const loop = new Loop(subscribe(listener).getTopic());
    await loop.has(1);
    await client.setTopic('a');
    await loop.has(2);
    await wake('live', () => client.setTopic('a'));
    await client.setTopic('b');
    expect(await loop.has(3)).toEqual(['', 'a', 'b']);
  });

  test.concurrent('of each caller stays the caller’s own', async () => {
    using nobody = worker.connect('callers');
    // A new connection makes live methods run again, so it has to be open before.
    await nobody.lives();
    const users = ['ann', 'bob', 'ann'];
    const clients = users.map((user) => as(user, 'callers'));
    const loops = clients.map((client) => new Loop(subscribe(client).mine()));
    await Promise.all(loops.map((loop) => loop.has(1)));
    await wake('callers', () => nobody.setTopic('awake'));
    for (const [index, loop] of loops.entries()) {
      const caller = { user: users[index] };
      expect(await loop.has(2)).toEqual([
        [caller, ''],
        [caller, 'awake'],
      ]);
    }
    expect((await nobody.runs())['mine']).toBe(2);
    for (const client of clients) client.close();
  });

  test.concurrent('of rows with keys is sent with all rows, and unchanged rows stay the same objects', async () => {
    using client = worker.connect('places', { transport: 'http' });
    using listener = worker.connect('places');
    await client.take('a');
    const loop = new Loop(subscribe(listener).places());
    await loop.has(1);
    let last = 'a';
    await wake('places', () => client.take((last += 'b')));
    await client.take('c');
    await until(() => loop.heard.at(-1)?.at(-1)?.seat === 'c');
    expect(loop.heard.at(-1)).toEqual((await client.taken()).map((seat) => ({ seat })));
    const [first] = loop.heard[0] ?? [];
    for (const rows of loop.heard) expect(rows[0]).toBe(first);
  });

  test.concurrent('without an acknowledgement is not sent until the acknowledgement, and then only the newest', async () => {
    using client = worker.connect('stalled', { transport: 'http' });
    using raw = await worker.raw('stalled');
    await raw.exchange('["subscribe",1,null,"getTopic"]');
    for (const topic of numbers(1, 30)) await client.setTopic(`${topic}`);
    const values = numbers(1, 15).map((topic) => ['value', 1, `${topic}`]);
    expect(await raw.exchange()).toEqual([...values, ['window', 1, 16]]);
    let topic = 30;
    await wake('stalled', () => client.setTopic(`${++topic}`));
    // The object has forgotten that it sent this message.
    expect(await raw.exchange()).toEqual([['window', 1, 16]]);
    await client.setTopic(`${++topic}`);
    expect(await raw.exchange()).toEqual([]);
    expect(await raw.exchange('["ack",1,8]')).toEqual([['value', 1, `${topic}`]]);
  });
});

describe.concurrent('a reader that is stopped while the object sleeps', () => {
  const stopped = async (
    instance: string,
    meanwhile: (client: Client) => Promise<unknown>,
  ): Promise<string[]> => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using client = worker.connect(instance);
    using listener = worker.connect(instance, { baseUrl: proxy.url });
    const loop = new Loop(subscribe(listener).wide());
    await listener.lives();
    proxy.silence('down');
    await meanwhile(client);
    await sleep(IDLE);
    proxy.resume();
    // No further event is appended.
    const all = [...(await loop.has(100))];
    proxy.close();
    return all.map((text) => text.split(' ')[0] as string);
  };

  test.concurrent.each([
    { name: 'behind full buffers', length: 60_000 },
    { name: 'within the buffers', length: 10 },
  ])('gets all events, $name', async ({ name, length }) => {
    const heard = await stopped(name, (client) => client.sayWide('x'.repeat(length), 100));
    expect(heard).toEqual(numbers(0, 99).map(String));
  });
});

test.concurrent('the subscriptions of a lost connection are forgotten, even if its client never answers the close frame', async () => {
  const instance = 'half-open';
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using other = worker.connect(instance, { transport: 'http' }, 'STRICT');
  const lost = worker.connect(instance, { baseUrl: proxy.url }, 'STRICT');
  const before = ['a', 'b'].map((text) => new Loop(subscribe(lost).repeat(text)));
  for (const loop of before) await loop.has(1);
  // The client reconnects, and then leaves. Its first socket stays half-open.
  proxy.forget('client');
  await lost.setTopic('again');
  lost.close();
  using next = worker.connect(instance, {}, 'STRICT');
  // The limit is four live calls.
  const after = ['c', 'd'].map((text) => new Loop(subscribe(next).repeat(text)));
  for (const loop of after) await loop.has(1);
  const lives = await other.lives();
  let times = 0;
  do {
    await sleep(IDLE * 2 ** times++);
    await next.setTopic(`${times}`);
  } while ((await other.lives()) === lives);
  using last = worker.connect(instance, {}, 'STRICT');
  const third = new Loop(subscribe(last).repeat('e'));
  await Promise.race([third.has(1), third.ended]);
  proxy.close();
});

test.concurrent('connections that closed while the object slept are forgotten', async () => {
  const raws: RawConnection[] = await Promise.all(
    numbers(1, 4).map(() => worker.raw('closed', { binding: 'STRICT' })),
  );
  for (const [index, raw] of raws.entries()) {
    await raw.exchange(`["subscribe",1,null,"repeat",[${index}]]`);
  }
  await sleep(IDLE);
  for (const raw of raws) raw[Symbol.dispose]();
  using late = await worker.raw('closed', { binding: 'STRICT' });
  let messages: unknown[][];
  // The object still had the maximum number of different calls.
  do messages = await late.exchange('["subscribe",1,null,"repeat",["new"]]');
  while (messages[0]?.[0] !== 'subscribed');
});
