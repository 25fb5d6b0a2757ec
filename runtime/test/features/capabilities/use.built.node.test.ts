/** What can be done with a capability: called, passed on, subscribed to, from anywhere and for as long. */
import { beforeEach, describe, expect, test } from 'vitest';
import { withOptions } from '../../../src/client.ts';
import { capabilityAt, tokenOf } from '../../../src/features/capabilities/client/capabilities.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import type { Session } from './bank.ts';
import { type Binding, serve } from './serve.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `bank ${++instances}`;
});

const BINDINGS: Binding[] = ['BANK', 'RESIDENT', 'UNJOURNALED'];

describe.each(BINDINGS)('of %s', (binding) => {
  test('its methods are called, with their arguments checked', async () => {
    using bank = worker.connect(instance, {}, binding);
    const session = await bank.login('token of ann');
    expect(await session.transfer('bob', 5)).toBe(95);
    expect(await session.transferLater('bob', 5)).toBe(90);
    await expect(session.transfer('bob', -1)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      path: '[1]',
    });
    await expect(session.fail()).rejects.toThrow(new RangeError('ann fails'));
    expect(await session.balance()).toBe(90);
  });

  test('login and what follows is one frame up and one down', async () => {
    const { client, sockets } = worker.watch(instance, {}, binding);
    await client.lives();
    const [socket] = sockets;
    const before = [socket?.sent.length, socket?.received.length];
    const session = client.login('token of ann');
    const [left, balance] = await Promise.all([session.transfer('bob', 5), session.balance()]);
    expect([left, balance]).toEqual([95, 95]);
    expect(socket?.sent.length).toBe((before[0] as number) + 1);
    expect(socket?.received.length).toBe((before[1] as number) + 1);
    expect(socket?.sent.at(-1)).toBe(
      '[[2,"login",["token of ann"]],[3,["transfer",2],["bob",5]],[4,["balance",2]]]',
    );
    client.close();
  });

  test('a login that takes its time is waited for by the object', async () => {
    const { client, sockets } = worker.watch(instance, {}, binding);
    await client.lives();
    const session = client.loginLater('token of ann');
    expect(await session.transfer('bob', 5)).toBe(95);
    expect(sockets[0]?.sent).toHaveLength(2);
    client.close();
  });

  test('also in later ticks, while the login is under way', async () => {
    using bank = worker.connect(instance, {}, binding);
    for (const method of ['login', 'loginLater', 'peek'] as const) {
      const session = bank[method]('token of ann');
      for (let turn = 0; turn < 5; turn++) await undefined;
      const before = await bank.login('token of ann').balance();
      const call = session.transfer('bob', 1);
      expect(await call).toBe(before - 1);
    }
  });
});

test.each(BINDINGS)('of %s, it is subscribed to while the login is under way', async (binding) => {
  using bank = worker.connect(instance, {}, binding);
  await bank.lives();
  for (const method of ['login', 'loginLater', 'peek'] as const) {
    const session = bank[method]('token of ann');
    for (let turn = 0; turn < 5; turn++) await undefined;
    const [first] = await Promise.all([
      subscribe(session).balance()[Symbol.asyncIterator]().next(),
      session,
    ]);
    expect(first).toEqual({ done: false, value: 100 });
  }
});

test.each(BINDINGS)(
  'of %s, a stream that is not readonly runs once, also on a login that is under way',
  async (binding) => {
    using bank = worker.connect(instance, {}, binding);
    await bank.lives();
    const left: number[] = [];
    for (const method of ['login', 'loginLater', 'peek'] as const) {
      const session = bank[method]('token of ann');
      for (let turn = 0; turn < 5; turn++) await undefined;
      for await (const balance of subscribe(session).payOut('bob', 2)) left.push(balance);
    }
    expect(left).toEqual([99, 98, 97, 96, 95, 94]);
  },
);

test('what fails to log in fails what is called on it, and nothing is made', async () => {
  using bank = worker.connect(instance);
  const session = bank.login('x');
  await expect(session.transfer('bob', 5)).rejects.toThrow(new RangeError('Wrong token'));
  await expect(subscribe(session).balance()[Symbol.asyncIterator]().next()).rejects.toThrow(
    new RangeError('Wrong token'),
  );
  expect(await bank.made()).toBe(0);
});

test('a login that is given up before it left ends what is subscribed to on it', async () => {
  // No connection opens: its subprotocol never comes.
  using bank = worker.connect(instance, { protocols: () => new Promise<string[]>(() => {}) });
  const controller = new AbortController();
  const session = withOptions(bank, { signal: controller.signal }).login('token of ann');
  session.catch(() => {});
  const next = subscribe(session).balance()[Symbol.asyncIterator]().next();
  const refused = expect(next).rejects.toMatchObject({ code: 'ABORTED' });
  await new Promise(setImmediate);
  controller.abort();
  await refused;
});

test('it is found in what a method returns, and has capabilities of its own', async () => {
  using bank = worker.connect(instance);
  const { mine, its } = await bank.both('ann', 'bob');
  await mine.transfer('bob', 10);
  const [viewer] = its as [Awaited<ReturnType<typeof mine.viewer>>];
  expect(await viewer.balance()).toBe(110);
  expect(await mine.viewer().balance()).toBe(90);
  expect(await bank.both('ann', 'bob').mine.balance()).toBe(90);
});

test('it is found in a live value, in an item of a stream and in a row', async () => {
  using bank = worker.connect(instance);
  const methods = subscribe(await bank.login('token of ann'));
  for await (const { viewer, balance } of methods.liveViewer()) {
    expect(await viewer.balance()).toBe(balance);
    break;
  }
  for await (const viewer of methods.views()) expect(await viewer.balance()).toBe(100);
  for await (const { viewer } of methods.rows()) expect(await viewer.balance()).toBe(100);
  expect.assertions(3);
});

test('it is found in a row with a key, and stays the same as long as the row does', async () => {
  using bank = worker.connect(instance);
  const session = await bank.login('token of ann');
  const values = subscribe(session).viewers()[Symbol.asyncIterator]();
  const { value: before = [] } = await values.next();
  const balance = await before[0]?.viewer.balance();
  expect(before[0]?.balance).toBe(balance);
  await session.transfer('bob', 1);
  const { value: after = [] } = await values.next();
  expect(after[0]?.balance).toBe(await after[0]?.viewer.balance());
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(await after[1]?.viewer.balance()).toBe(after[0]?.balance);
  await values.return?.();
});

test('it is an argument, awaited or not', async () => {
  using bank = worker.connect(instance);
  const session = await bank.login('token of ann');
  expect(await bank.total(session, 1)).toBe(101);
  expect(await bank.total(bank.login('token of bob'), 1)).toBe(101);
  await expect(bank.total((await session.viewer()) as never, 1)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: expect.stringContaining('must be a capability Session'),
  });
});

test('it is part of an argument, where a schema says so', async () => {
  using bank = worker.connect(instance);
  const session = await bank.login('token of ann');
  expect(await bank.totalOf({ session })).toBe(100);
  expect(await bank.totalOf({ session: bank.login('token of bob') })).toBe(100);
  expect(await bank.totalOf({})).toBe(0);
  await expect(bank.totalOf({ session: (await session.viewer()) as never })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
    path: '[0].session',
  });
});

test('what is subscribed to on it comes, in the round trip of the login', async () => {
  const { client, sockets } = worker.watch(instance);
  await client.lives();
  const session = client.login('token of ann');
  const notes = subscribe(session).inbox()[Symbol.asyncIterator]();
  const balances = subscribe(session).balance()[Symbol.asyncIterator]();
  const note = notes.next();
  expect(await balances.next()).toEqual({ done: false, value: 100 });
  // Nobody waited for an answer.
  expect(sockets[0]?.sent.slice(1).map((frame) => JSON.parse(frame))).toEqual([
    [[2, 'login', ['token of ann']]],
    [['subscribe', 1, null, ['inbox', 2]]],
    [['subscribe', 2, null, ['balance', 2]]],
  ]);
  await client.login('token of bob').transfer('ann', 7);
  expect(await note).toEqual({ done: false, value: '7 from bob' });
  expect(await balances.next()).toEqual({ done: false, value: 107 });
  await worker.restart();
  await client.login('token of bob').transfer('ann', 1);
  expect(await notes.next()).toEqual({ done: false, value: '1 from bob' });
  expect(await balances.next()).toEqual({ done: false, value: 108 });
  client.close();
});

test('subscribed to without a connection, it comes after its login and before what is called next', async () => {
  const { client, sockets } = worker.watch(instance);
  const session = client.login('token of ann');
  const notes = subscribe(session).inbox()[Symbol.asyncIterator]();
  const note = notes.next();
  await client.lives();
  await client.login('token of bob').transfer('ann', 7);
  expect(await note).toEqual({ done: false, value: '7 from bob' });
  expect(sockets[0]?.sent.filter((frame) => frame.includes('subscribe'))).toHaveLength(1);
  await worker.kill();
  await expect.poll(() => sockets.length).toBeGreaterThan(1);
  const settled = await session;
  const later = subscribe(settled).inbox()[Symbol.asyncIterator]().next();
  for (let turn = 0; turn < 5; turn++) await undefined;
  const transfer = client.login('token of bob').transfer('ann', 1);
  await worker.start();
  // It would begin after the event, if it were subscribed to after the transfer.
  expect(await later).toEqual({ done: false, value: '1 from bob' });
  await transfer;
  client.close();
});

test('it has options as a client has, and needs no disposal', async () => {
  using bank = worker.connect(instance);
  const signal = AbortSignal.abort();
  {
    using session = await bank.login('token of ann');
    await expect(withOptions(session, { signal }).balance()).rejects.toMatchObject({
      code: 'ABORTED',
    });
  }
  await expect(withOptions(bank.login('token of ann'), { signal }).balance()).rejects.toMatchObject(
    { code: 'ABORTED' },
  );
  expect(await bank.lives()).toBe(1);
});

test('it works from its text, in another client, and after kill -9', async () => {
  using bank = worker.connect(instance);
  const text = tokenOf(await bank.login('token of ann'));
  using other = worker.connect(instance);
  await worker.restart();
  const session = capabilityAt<Session>(other, text);
  expect(await session.transfer('bob', 5)).toBe(95);
  expect(tokenOf(session)).toBe(text);
});

test('100 of them work after kill -9, each call once', async () => {
  using bank = worker.connect(instance);
  const users = Array.from({ length: 100 }, (_, index) => `user ${index}`);
  const sessions = await Promise.all(users.map((user) => bank.login(`token of ${user}`)));
  // Of 128 bits, in the letters that a URL can have.
  for (const session of sessions) expect(tokenOf(session)).toMatch(/^\["Session","[\w-]{22}",/);
  const calls = sessions.map((session) => session.transfer('bank', 1));
  await worker.restart();
  expect(await Promise.all(calls)).toEqual(users.map(() => 99));
  expect(await Promise.all(sessions.map((session) => session.balance()))).toEqual(
    users.map(() => 99),
  );
});

test('one row is written for a new address, and none for what is given out again', async () => {
  using bank = worker.connect(instance);
  const first = tokenOf(await bank.login('token of ann'));
  expect(tokenOf(await bank.login('token of ann'))).toBe(first);
  await bank.login('token of ann').viewer();
  expect(await bank.sealed()).toEqual([
    '__rpc_capability:Session["ann"]',
    '__rpc_capability:Viewer["ann",{"since":0}]',
  ]);
});

test('what only reads is not in the journal, called on a result too', async () => {
  using bank = worker.connect(instance);
  const session = bank.peek('token of ann');
  expect(await session.balance()).toBe(100);
  expect(await bank.journaled()).toBe(0);
  await bank.peek('token of ann').transfer('bob', 5);
  expect(await bank.journaled()).toBe(1);
});

test('its methods know their caller', async () => {
  using bank = worker.connect(instance, { protocols: ['as.ann'] });
  expect(await bank.login('token of ann').caller()).toBe('ann');
});

test('native Workers RPC calls the same class, by reference', async () => {
  const response = await fetch(`${worker.runtime.url}/native?${new URLSearchParams({ instance })}`);
  expect(await response.json()).toEqual([95, expect.stringContaining('must be integer')]);
});
