/**
 * Capabilities that are forged, revoked, mixed up or malformed. The error does not tell whether a capability has
 * ever existed, and no capability is made.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RpcError } from '../../../src/client.ts';
import { capabilityAt, tokenOf } from '../../../src/features/capabilities/client/capabilities.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { decodeAnswer } from '../../../src/wire/messages.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import { type Client, serve } from './serve.ts';
import type { Session } from './bank.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `refusing ${++instances}`;
});

const REFUSAL = {
  code: 'FORBIDDEN',
  message: 'This capability does not exist, or was revoked',
};

/** Returns the parts of the token of a capability for Ann. */
async function sealedBy(bank: Client): Promise<[string, string, string]> {
  return JSON.parse(tokenOf(await bank.login('token of ann')));
}

/** Returns the code of the error in the answer to a call. */
async function codeOf(raw: RawConnection, message: unknown[]): Promise<unknown> {
  const [answer] = JSON.parse(await raw.ask(JSON.stringify(message)));
  const { thrown } = decodeAnswer(answer) as { thrown: RpcError };
  return thrown.code;
}

const NUMBER = 'AAAAAAAAAAAAAAAAAAAAAA';

type Forge = (seal: [string, string, string], other: string) => unknown[];

const forged: [name: string, forge: Forge][] = [
  ['another number', ([name, , user]) => [name, NUMBER, user]],
  ['an empty number', ([name, , user]) => [name, '', user]],
  ['a longer number', ([name, number, user]) => [name, `${number}A`, user]],
  ['a shorter number', ([name, number, user]) => [name, number.slice(1), user]],
  ['a number in other letters', ([name, number, user]) => [name, number.toLowerCase(), user]],
  ['the number of another address', ([name, number]) => [name, number, 'bob']],
  ['the number of another object', ([name, , user], other) => [name, other, user]],
  ['another class', ([, number, user]) => ['Viewer', number, user]],
  ['a class that is not in the contract', () => ['Stray', NUMBER]],
  ['a class that does not exist', ([, number, user]) => ['Nobody', number, user]],
  ['the class of the object', ([, number, user]) => ['BankImpl', number, user]],
  ...['__proto__', 'constructor', 'toString', ''].map((name): [string, Forge] => [
    `the class ${name}`,
    ([, number, user]) => [name, number, user],
  ]),
  ['no address', ([name, number]) => [name, number]],
  ['a longer address', ([name, number, user]) => [name, number, user, user]],
  ['an address in a list', ([name, number, user]) => [name, number, [user]]],
  ['an address that is an object', ([name, number]) => [name, number, { toString: 'ann' }]],
  ['an address with __proto__', ([name, number]) => [name, number, JSON.parse('{"__proto__":1}')]],
  ['an address that its schema does not allow', ([name, number]) => [name, number, '']],
  ['an address of a million characters', ([name, number]) => [name, number, 'x'.repeat(1e6)]],
];

describe.each(forged)('a capability with %s is rejected', (_, forge) => {
  test('when it is called, passed as an argument or subscribed to, and no capability is made', async () => {
    using bank = worker.connect(instance);
    using elsewhere = worker.connect(`${instance} elsewhere`);
    const seal = forge(await sealedBy(bank), (await sealedBy(elsewhere))[1]);
    const made = await bank.made();
    const session = capabilityAt<Session>(bank, JSON.stringify(seal));
    expect(await failureOf(session.balance())).toMatchObject(REFUSAL);
    expect(await failureOf(session.transfer('bob', 1))).toMatchObject(REFUSAL);
    expect(await failureOf(bank.total(session, 1))).toMatchObject(REFUSAL);
    const loop = subscribe(session).balance()[Symbol.asyncIterator]();
    expect(await failureOf(loop.next())).toMatchObject(REFUSAL);
    expect(
      await failureOf(subscribe(session).inbox()[Symbol.asyncIterator]().next()),
    ).toMatchObject(REFUSAL);
    expect(await bank.made()).toBe(made);
    expect(await bank.sealed()).toEqual(['__rpc_capability:Session["ann"]']);
  });
});

test.each(['secret', 'constructor', '__proto__', 'toString', 'ctx', 'dup', 'login', 'nothing', ''])(
  '%j is not a method of a capability',
  async (name) => {
    using bank = worker.connect(instance);
    const seal = await sealedBy(bank);
    const raw = await worker.raw(instance);
    expect(await codeOf(raw, [1, [name, ...seal]])).toBe('METHOD_NOT_FOUND');
    expect(await codeOf(raw, [2, [name, seal[0], NUMBER, seal[2]]])).toBe('FORBIDDEN');
    raw.close();
  },
);

const PROBLEM = 'A call must be [id, method], then optional arguments';

test.each([
  [[]],
  [['balance']],
  [['balance', 'Session']],
  [['balance', 'Session', 5]],
  [['balance', 5, 5]],
  [['balance', -1]],
  [['balance', 0]],
  [['balance', 1.5]],
  [['balance', null]],
  [[['balance'], 'Session', NUMBER]],
  [[1, 'Session', NUMBER]],
  [{ balance: 1 }],
  [null],
])('%j cannot be called', async (callee) => {
  const raw = await worker.raw(instance);
  const answer = await raw.ask(JSON.stringify([1, callee]));
  expect(answer).toContain(PROBLEM);
  raw.close();
});

test('a call on a result that is no capability is rejected, and so is a call on a later result', async () => {
  using bank = worker.connect(instance);
  const profile = bank.profile() as unknown as { name: { first(): Promise<unknown> } } & Session;
  expect(await failureOf(Promise.resolve(profile.name.first()))).toMatchObject({
    code: 'METHOD_NOT_FOUND',
  });
  const raw = await worker.raw(instance);
  for (const [id, input] of [
    [1, 1],
    [2, 3],
  ]) {
    expect(await codeOf(raw, [id, ['balance', input]])).toBe('BAD_MESSAGE');
  }
  // The object may have forgotten the result of call 8.
  expect(await raw.ask('[9,["balance",8]]')).toBe('[[-9]]');
  expect(await raw.ask('["subscribe",4,null,["balance",8]]')).toBe('[["complete",-4]]');
  raw.close();
});

test('a capability that the contract does not list is not sent', async () => {
  using bank = worker.connect(instance);
  expect(await failureOf(bank.giveStray())).toMatchObject({ code: 'UNSERIALIZABLE' });
  expect(await failureOf(bank.giveUnfit())).toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: expect.stringContaining('Session'),
  });
  expect(await bank.sealed()).toEqual([]);
});

test('a capability of another object is not sent to this object', async () => {
  using bank = worker.connect(instance);
  using elsewhere = worker.connect(`${instance} elsewhere`);
  const session = await elsewhere.login('token of ann');
  expect(await failureOf(bank.total(session, 1))).toMatchObject({
    code: 'UNSERIALIZABLE',
    path: '[0]',
    message: 'total: Cannot send a function at [0]',
  });
  // The result of another client's call is sent as a value, and a capability is not a value.
  expect(await failureOf(bank.total(elsewhere.login('token of ann'), 1))).toMatchObject({
    code: 'UNSERIALIZABLE',
  });
});

describe('a capability that is revoked', () => {
  test('is rejected for all who hold it, and its subscriptions end', async () => {
    using bank = worker.connect(instance);
    using other = worker.connect(instance);
    const session = await bank.login('token of ann');
    const held = capabilityAt<Session>(other, tokenOf(session));
    const bobs = subscribe(await bank.login('token of bob')).balance();
    const bob = bobs[Symbol.asyncIterator]();
    const loops = [
      subscribe(session).balance()[Symbol.asyncIterator](),
      subscribe(held).balance()[Symbol.asyncIterator](),
    ];
    expect(await Promise.all(loops.map(async (loop) => (await loop.next()).value))).toEqual([
      100, 100,
    ]);
    expect((await bob.next()).value).toBe(100);
    const events = subscribe(held).inbox()[Symbol.asyncIterator]().next();
    const ends = [...loops.map((loop) => loop.next()), events].map((end) => failureOf(end));
    await held.balance();
    await session.logout();
    for (const end of await Promise.all(ends)) expect(end).toMatchObject(REFUSAL);
    expect(await failureOf(held.transfer('bob', 1))).toMatchObject(REFUSAL);
    // The subscription to the capability of another customer goes on.
    await bank.login('token of carol').transfer('bob', 1);
    expect((await bob.next()).value).toBe(101);
  });

  test('gets a new token when it is returned again', async () => {
    using bank = worker.connect(instance);
    const before = await bank.login('token of ann');
    await bank.takeBack('ann');
    const after = await bank.login('token of ann');
    expect(await after.balance()).toBe(100);
    expect(await failureOf(before.balance())).toMatchObject(REFUSAL);
    expect(tokenOf(after)).not.toBe(tokenOf(before));
  });

  test('may have been revoked by deleteAll, which revokes all', async () => {
    using bank = worker.connect(instance);
    const session = await bank.login('token of ann');
    await bank.clear();
    expect(await failureOf(session.balance())).toMatchObject(REFUSAL);
  });

  test('does not come back after kill -9', async () => {
    using bank = worker.connect(instance);
    const session = await bank.login('token of ann');
    await bank.takeBack('ann');
    await worker.restart();
    expect(await failureOf(session.balance())).toMatchObject(REFUSAL);
  });
});

test('a constructor can reject calls, arguments and subscriptions with an error of its own', async () => {
  using bank = worker.connect(instance);
  const session = await bank.login('token of ann');
  await bank.bar('ann');
  const barred = new RangeError('ann is barred');
  await expect(session.balance()).rejects.toThrow(barred);
  await expect(bank.total(session, 1)).rejects.toThrow(barred);
  await expect(subscribe(session).balance()[Symbol.asyncIterator]().next()).rejects.toThrow(barred);
});

test('onError gets the errors of a constructor', async () => {
  using bank = worker.connect(instance, {}, 'SCRUBBING');
  const session = await bank.login('token of ann');
  await bank.bar('ann');
  await expect(session.balance()).rejects.toThrow(new Error('Session failed'));
  await expect(bank.total(session, 1)).rejects.toThrow(new Error('Session failed'));
});

test('subscriptions that wait for a login count against the limit, and are forgotten if they are given up', async () => {
  using raw = await worker.raw(instance);
  const each = (text: (n: number) => string): string =>
    Array.from({ length: 40 }, (_, index) => text(index + 1)).join();
  const subscribing = each((n) => `["subscribe",${n},null,["balance",1]]`);
  // All messages are in one frame, because the login may end before another frame arrives.
  const givingUp = each((n) => `["unsubscribe",${n}]`);
  raw.send(`[[1,"loginLater",["token of ann"]],${subscribing},${givingUp}]`);
  const told = await raw.upTo(1);
  expect(told).toHaveLength(8);
  for (const message of told) expect(JSON.stringify(message)).toContain('LIMIT_EXCEEDED');
  expect(await raw.ask('[2,"lives"]')).toBe('[[2,1]]');
});

test('subscriptions that have waited for a login count only once', async () => {
  using raw = await worker.raw(instance);
  const subscribing = (first: number, count: number, login: number): string =>
    Array.from(
      { length: count },
      (_, index) => `["subscribe",${first + index},null,["balance",${login}]]`,
    ).join();
  raw.send(`[[1,"loginLater",["token of ann"]],${subscribing(1, 20, 1)}]`);
  await raw.upTo(1);
  raw.send('[[2,"lives"]]');
  await raw.upTo(2);
  raw.send(`[[3,"login",["token of ann"]],${subscribing(21, 13, 3)}]`);
  raw.send('[[4,"lives"]]');
  const told = JSON.stringify(await raw.upTo(4));
  expect(told.match(/"subscribed"/g)).toHaveLength(12);
  expect(told.match(/LIMIT_EXCEEDED/g)).toHaveLength(1);
});

test('closeClients ends the connections of a caller for ever, and no other connections', async () => {
  using ann = worker.connect(instance, { protocols: ['as.ann'] });
  using bob = worker.connect(instance, { protocols: ['as.bob'] });
  await Promise.all([ann.lives(), bob.lives()]);
  const loop = subscribe(ann.login('token of ann')).balance()[Symbol.asyncIterator]();
  await loop.next();
  const end = failureOf(loop.next());
  expect(await bob.closeFor('ann')).toBe(1);
  expect(await end).toMatchObject({ code: 'FORBIDDEN' });
  expect(await failureOf(ann.lives())).toMatchObject({ code: 'FORBIDDEN' });
  expect(await bob.lives()).toBe(1);
  expect(await bob.closeFor('ann')).toBe(0);
});

test('capabilities work over POST, except for subscriptions', async () => {
  using bank = worker.connect(instance, { transport: 'http' });
  const session = bank.login('token of ann');
  expect(await session.transfer('bob', 5)).toBe(95);
  expect(await (await session).balance()).toBe(95);
  expect(() => subscribe(session)).toThrow('Subscriptions need a WebSocket');
});

test('a client without the option gets an error that names it', async () => {
  using bank = worker.connect(instance, { capabilities: undefined });
  expect(await failureOf(bank.login('token of ann'))).toMatchObject({
    code: 'BAD_MESSAGE',
    message: 'Cannot read a Capability: pass { capabilities }',
  });
});
