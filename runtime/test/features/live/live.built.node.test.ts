/** A live value is sent after every change, whoever makes it, and only then. */
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { type Client, native, serve } from '../subscriptions/broadcaster/serve.ts';

const worker = await serve();

interface Change {
  name: string;
  act: (client: Client, instance: string) => Promise<unknown>;
  topic: string;
  /** The only binding for which the case runs. */
  only?: 'DEFAULT';
}

const CHANGES: Change[] = [
  { name: 'by a method', act: (client) => client.setTopic('a'), topic: 'a' },
  { name: 'after an await', act: (client) => client.setTopicSoon('a'), topic: 'a' },
  {
    name: 'by a method that then throws',
    act: (client) => client.setTopicAndThrow('a').catch(() => {}),
    topic: 'a',
  },
  { name: 'in an alarm', act: (client) => client.sayInAlarm(), topic: 'alarm' },
  {
    name: 'by native RPC',
    act: (_, instance) => native(worker, instance, { topic: 'a' }),
    topic: 'a',
    only: 'DEFAULT',
  },
];

describe.each(['DEFAULT', 'RESIDENT'] as const)('%s: a change', (binding) => {
  test.each(CHANGES.filter(({ only = binding }) => only === binding))(
    '$name',
    async ({ name, act, topic }) => {
      using client = worker.connect(name, {}, binding);
      using other = worker.connect(name, {}, binding);
      const own = new Loop(subscribe(client).getTopic());
      const theirs = new Loop(subscribe(other).getTopic());
      await Promise.all([own.has(1), theirs.has(1)]);
      await act(client, name);
      await Promise.all([own.has(2), theirs.has(2)]);
      await client.setTopic('last');
      expect(await own.has(3)).toEqual(['', topic, 'last']);
      expect(await theirs.has(3)).toEqual(['', topic, 'last']);
    },
  );
});

test('several changes of a frame send one value, and changes that cancel each other send none', async () => {
  using raw = await worker.raw('one frame');
  expect(await raw.exchange('["subscribe",1,null,"getTopic"]')).toEqual([
    ['subscribed', 1],
    ['value', 1, ''],
  ]);
  const several = ['[1001,"setTopic",["a"]]', '[1002,"setTopic",["b"]]'];
  expect(await raw.exchange(...several)).toEqual([[1001], [1002], ['value', 1, 'b']]);
  const back = ['[2001,"setTopic",["c"]]', '[2002,"setTopic",["b"]]'];
  expect(await raw.exchange(...back)).toEqual([[2001], [2002]]);
  expect(await raw.exchange('[3001,"notLive"]')).toEqual([[3001, 1]]);
  expect(await raw.exchange('["unsubscribe",1]', '[4001,"setTopic",["d"]]')).toEqual([[4001]]);
});

describe('a method runs', () => {
  test('once for all subscribers to the same call', async () => {
    using client = worker.connect('runs once');
    const others = Array.from({ length: 5 }, () => worker.connect('runs once'));
    const loops = others.map((other) => new Loop(subscribe(other).repeat('a')));
    const different = new Loop(subscribe(client).repeat('b'));
    await Promise.all([...loops, different].map((loop) => loop.has(1)));
    const before = await client.runs();
    for (let round = 1; round <= 10; round++) {
      await client.setTopic(`${round}`);
      await Promise.all([...loops, different].map((loop) => loop.has(round + 1)));
    }
    const after = await client.runs();
    expect((after['repeat'] ?? 0) - (before['repeat'] ?? 0)).toBe(20);
    expect(loops.map(({ heard }) => heard.at(-1))).toEqual(loops.map(() => ['a', '10']));
    for (const other of others) other.close();
  });

  test('not at all while it has no subscriber', async () => {
    using client = worker.connect('runs never');
    for (let round = 0; round < 10; round++) await client.setTopic(`${round}`);
    const loop = new Loop(subscribe(client).getTopic());
    await loop.has(1);
    loop.leave();
    await client.setTopic('left');
    await loop.ended;
    const before = await client.runs();
    for (let round = 0; round < 10; round++) await client.setTopic(`${round}`);
    expect(await client.runs()).toEqual(before);
    expect(before).toEqual({ getTopic: 2 });
  });
});

describe('a subscription ends with', () => {
  test('the error of its method, and others go on', async () => {
    using client = worker.connect('throws');
    const failing = new Loop(subscribe(client).failing());
    const fine = new Loop(subscribe(client).getTopic());
    await failing.has(1);
    await client.setTopic('fail');
    await expect(failing.ended).rejects.toThrow(new RangeError('no topic'));
    await client.setTopic('again');
    await until(() => fine.heard.at(-1) === 'again');
    expect(failing.heard).toEqual(['']);
    expect(await new Loop(subscribe(client).failing()).has(1)).toEqual(['again']);
  });

  test.each([
    ['late', 'late is live, but returned a promise: return the value'],
    ['expiring', 'thrown by the class'],
  ] as const)('%s: %s', async (method, message) => {
    using client = worker.connect(method);
    await expect(new Loop(subscribe(client)[method]()).ended).rejects.toThrow(message);
  });

  test('only the details of an error that a client may know', async () => {
    using client = worker.connect('discreet', {}, 'STRICT');
    const loop = new Loop(subscribe(client).failing());
    await loop.has(1);
    await client.setTopic('fail');
    const error = await loop.ended.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'RangeError', message: 'no topic' });
    expect((error as Error).stack).not.toContain('broadcaster');
  });
});

test('undefined is a value, too', async () => {
  using client = worker.connect('nothing');
  expect(await new Loop(subscribe(client).nothing()).has(1)).toEqual([undefined]);
});

test('a slow loop over 10 000 changes gets the last value, and never an older value after a newer', async () => {
  using client = worker.connect('slow');
  using other = worker.connect('slow');
  const loop = new Loop(subscribe(other).getTopic(), () => new Promise((go) => setTimeout(go, 3)));
  await loop.has(1);
  const CHANGES_EACH = 20;
  for (let change = 1; change <= 10_000; change += CHANGES_EACH) {
    const topics = Array.from({ length: CHANGES_EACH }, (_, index) => String(change + index));
    await Promise.all(topics.map((topic) => client.setTopic(topic)));
  }
  while (loop.heard.at(-1) !== '10000') await loop.has(loop.heard.length + 1);
  const numbers = loop.heard.map(Number);
  expect(numbers).toEqual(numbers.toSorted((one, two) => one - two));
  expect(new Set(numbers).size).toBe(numbers.length);
});

describe('each caller', () => {
  const as = (user: string, instance: string): Client =>
    worker.connect(instance, { protocols: [`as.${user}`] });

  test('sees only its own value, which is computed once for each caller', async () => {
    const users = ['ann', 'bob', 'ann', 'cid'];
    const clients = users.map((user) => as(user, 'callers'));
    using nobody = worker.connect('callers');
    const loops = [...clients, nobody].map((client) => new Loop(subscribe(client).mine()));
    await Promise.all(loops.map((loop) => loop.has(1)));
    const { mine: before = 0 } = await nobody.runs();
    for (let round = 1; round <= 5; round++) {
      await nobody.setTopic(`${round}`);
      await Promise.all(loops.map((loop) => loop.has(round + 1)));
    }
    for (const [index, { heard }] of loops.entries()) {
      const caller = users[index] && { user: users[index] };
      expect(heard).toEqual(['', '1', '2', '3', '4', '5'].map((topic) => [caller, topic]));
    }
    const { mine: after = 0 } = await nobody.runs();
    // The callers are ann, bob, cid, and the client without a name.
    expect(after - before).toBe(5 * 4);
    for (const client of clients) client.close();
  });
});

// A decoded argument may be changed by the method, so it is decoded again for each run.
test('a call with a rich argument runs again with an equal argument, also after a restart of the object', async () => {
  using client = worker.connect('rich argument');
  const own = new Map<string, unknown>([
    ['day', new Date(5)],
    ['set', new Set([1])],
  ]);
  const argument = () => structuredClone(own);
  const loops = [argument(), argument(), new Map([['other', 1n]])].map(
    (value) => new Loop(subscribe(client).repeat(value)),
  );
  const has = async (count: number): Promise<unknown[]> =>
    Promise.all(loops.map(async (loop) => (await loop.has(count)).at(-1)));
  const expected = (topic: string) => [
    [own, topic],
    [own, topic],
    [new Map([['other', 1n]]), topic],
  ];
  expect(await has(1)).toEqual(expected(''));
  await client.setTopic('a');
  expect(await has(2)).toEqual(expected('a'));
  await client.setTopic('b');
  expect(await has(3)).toEqual(expected('b'));
  await worker.restart();
  await client.setTopic('c');
  expect(await has(4)).toEqual(expected('c'));
});

test.each(['DEFAULT', 'RESIDENT'] as const)(
  'live methods run when a connection opens or closes, because they may depend on it: %s',
  async (binding) => {
    const connect = (): Client => worker.connect('connections', {}, binding);
    using client = connect();
    const loop = new Loop(subscribe(client).getTopic());
    await loop.has(1);
    expect(await client.runs()).toEqual({ getTopic: 1 });
    const other = connect();
    await other.notLive();
    expect(await client.runs()).toEqual({ getTopic: 2 });
    other.close();
    await until(async () => (await client.runs())['getTopic'] === 3);
    // An equal value is not sent again.
    expect(loop.heard).toEqual(['']);
  },
);
