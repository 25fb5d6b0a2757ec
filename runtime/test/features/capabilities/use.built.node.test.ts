/** A capability can be called, passed on and subscribed to, from any client and after restarts. */
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
  test('a capability has its methods called, with checked arguments', async () => {
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

  test('a login and the calls on it need one frame in each direction', async () => {
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

  test('a call on a slow login waits at the object', async () => {
    const { client, sockets } = worker.watch(instance, {}, binding);
    await client.lives();
    const session = client.loginLater('token of ann');
    expect(await session.transfer('bob', 5)).toBe(95);
    expect(sockets[0]?.sent).toHaveLength(2);
    client.close();
  });

  test('a call on a login can be made in a later tick, before the login has been answered', async () => {
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

test.each(BINDINGS)(
  'a capability of %s can be subscribed to before its login has been answered',
  async (binding) => {
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
  },
);

test.each(BINDINGS)(
  'a stream of %s that is not readonly runs once, also before its login has been answered',
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

test('if a login fails, the calls and subscriptions on it fail, and no capability is made', async () => {
  using bank = worker.connect(instance);
  const session = bank.login('x');
  await expect(session.transfer('bob', 5)).rejects.toThrow(new RangeError('Wrong token'));
  await expect(subscribe(session).balance()[Symbol.asyncIterator]().next()).rejects.toThrow(
    new RangeError('Wrong token'),
  );
  expect(await bank.made()).toBe(0);
});

test('if a login is given up before it was sent, the subscriptions on it end', async () => {
  // No connection opens, because the promise of its subprotocols never settles.
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

test('a capability can be inside a result, and has capabilities of its own', async () => {
  using bank = worker.connect(instance);
  const { mine, its } = await bank.both('ann', 'bob');
  await mine.transfer('bob', 10);
  const [viewer] = its as [Awaited<ReturnType<typeof mine.viewer>>];
  expect(await viewer.balance()).toBe(110);
  expect(await mine.viewer().balance()).toBe(90);
  expect(await bank.both('ann', 'bob').mine.balance()).toBe(90);
});

test('a capability can be in a live value, in an item of a stream and in a row', async () => {
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

test('a capability in a row with a key stays the same object as long as the row does', async () => {
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

test('a capability can be an argument, awaited or not', async () => {
  using bank = worker.connect(instance);
  const session = await bank.login('token of ann');
  expect(await bank.total(session, 1)).toBe(101);
  expect(await bank.total(bank.login('token of bob'), 1)).toBe(101);
  await expect(bank.total((await session.viewer()) as never, 1)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: expect.stringContaining('must be a capability Session'),
  });
});

test('a capability can be inside an argument if its schema is there', async () => {
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

test('subscriptions on a login begin in the round trip of the login', async () => {
  const { client, sockets } = worker.watch(instance);
  await client.lives();
  const session = client.login('token of ann');
  const notes = subscribe(session).inbox()[Symbol.asyncIterator]();
  const balances = subscribe(session).balance()[Symbol.asyncIterator]();
  const note = notes.next();
  expect(await balances.next()).toEqual({ done: false, value: 100 });
  // The client did not wait for an answer before it sent the next frame.
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

test('a subscription on a capability begins after its login and before later calls, also without a connection', async () => {
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
  // A subscription that began after the transfer would miss this event.
  expect(await later).toEqual({ done: false, value: '1 from bob' });
  await transfer;
  client.close();
});

test('a capability takes options as a client does, and needs no disposal', async () => {
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

test('a capability works from its token, in another client, and after kill -9', async () => {
  using bank = worker.connect(instance);
  const text = tokenOf(await bank.login('token of ann'));
  using other = worker.connect(instance);
  await worker.restart();
  const session = capabilityAt<Session>(other, text);
  expect(await session.transfer('bob', 5)).toBe(95);
  expect(tokenOf(session)).toBe(text);
});

test('100 capabilities work after kill -9, and each call runs once', async () => {
  using bank = worker.connect(instance);
  const users = Array.from({ length: 100 }, (_, index) => `user ${index}`);
  const sessions = await Promise.all(users.map((user) => bank.login(`token of ${user}`)));
  // The number has 128 bits, in letters that a URL can have.
  for (const session of sessions) expect(tokenOf(session)).toMatch(/^\["Session","[\w-]{22}",/);
  const calls = sessions.map((session) => session.transfer('bank', 1));
  await worker.restart();
  expect(await Promise.all(calls)).toEqual(users.map(() => 99));
  expect(await Promise.all(sessions.map((session) => session.balance()))).toEqual(
    users.map(() => 99),
  );
});

test('a new address writes one row, and the same address writes none again', async () => {
  using bank = worker.connect(instance);
  const first = tokenOf(await bank.login('token of ann'));
  expect(tokenOf(await bank.login('token of ann'))).toBe(first);
  await bank.login('token of ann').viewer();
  expect(await bank.sealed()).toEqual([
    '__rpc_capability:Session["ann"]',
    '__rpc_capability:Viewer["ann",{"since":0}]',
  ]);
});

test('a readonly method is not in the journal, also if it is called on a result', async () => {
  using bank = worker.connect(instance);
  const session = bank.peek('token of ann');
  expect(await session.balance()).toBe(100);
  expect(await bank.journaled()).toBe(0);
  await bank.peek('token of ann').transfer('bob', 5);
  expect(await bank.journaled()).toBe(1);
});

test('the methods of a capability know their caller', async () => {
  using bank = worker.connect(instance, { protocols: ['as.ann'] });
  expect(await bank.login('token of ann').caller()).toBe('ann');
});

test('native Workers RPC gets the same class by reference', async () => {
  const response = await fetch(`${worker.runtime.url}/native?${new URLSearchParams({ instance })}`);
  expect(await response.json()).toEqual([95, expect.stringContaining('must be integer')]);
});
