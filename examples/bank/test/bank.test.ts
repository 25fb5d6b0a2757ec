/**
 * Tests the bank: what customers may do, that transfers are atomic, and what survives an eviction.
 */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import {
  callback,
  capabilities,
  capabilityAt,
  type RpcCapability,
  type RpcClient,
  subscribe,
  tokenOf,
} from 'lumenize-rpc/client';
import { collect, connect } from 'lumenize-rpc/testing';
import type { Bank, Session } from '../src/bank.ts';

const open = (bank: string, transport: 'websocket' | 'http' = 'websocket') =>
  connect<Bank>('BANK', bank, { transport, capabilities });

/** Registers a customer with the balance 100, and logs in. */
async function enter(bank: RpcClient<Bank>, user: string): Promise<RpcCapability<Session>> {
  const token = crypto.randomUUID();
  await bank.register(user, token);
  return bank.login(user, token);
}

test.each(['websocket', 'http'] as const)(
  'a customer who is logged in pays others: %s',
  async (transport) => {
    using bank = open(`pays by ${transport}`, transport);
    const [ann, bob] = [await enter(bank, 'ann'), await enter(bank, 'bob')];
    expect(await ann.transfer('bob', 30)).toBe(70);
    // No customer has set an alert.
    expect(await bob.transfer('ann', 130)).toBe(0);
    expect(await ann.balance()).toBe(200);
  },
);

test('a login and a call of its session take one round trip', async () => {
  using bank = open('one trip');
  const token = crypto.randomUUID();
  await bank.register('ann', token);
  // The login is not awaited.
  expect(await bank.login('ann', token).balance()).toBe(100);
});

test('a wrong token and an unknown name get the same error', async () => {
  using bank = open('wrong');
  await enter(bank, 'ann');
  for (const user of ['ann', 'eve'])
    await expect(bank.login(user, crypto.randomUUID())).rejects.toThrow('Wrong name or token');
});

test('a name belongs to one customer, who may register again', async () => {
  using bank = open('names');
  const token = crypto.randomUUID();
  await bank.register('ann', token);
  await bank.login('ann', token).transfer('ann', 1);
  await bank.register('ann', token);
  await expect(bank.register('ann', crypto.randomUUID())).rejects.toThrow('ann is taken');
});

test('no row of the storage has the token', async () => {
  using bank = open('stored');
  const token = crypto.randomUUID();
  await bank.register('ann', token);
  await bank.login('ann', token).balance();
  await runInDurableObject(env.BANK.getByName('stored'), (_, { storage }) => {
    const rows = storage.sql.exec('SELECT * FROM accounts').toArray();
    expect(rows).toMatchObject([{ user: 'ann', token_hash: expect.stringMatching(/^\w{64}$/) }]);
    expect(JSON.stringify([rows, [...storage.kv.list()]])).not.toContain(token);
  });
});

test('a transfer that fails leaves nothing behind', async () => {
  using bank = open('fails');
  const [ann, bob] = [await enter(bank, 'ann'), await enter(bank, 'bob')];
  const entries = [ann, bob].map((session) => collect(subscribe(session).statement()));
  await expect(ann.transfer('eve', 10)).rejects.toThrow('There is no customer eve');
  await expect(ann.transfer('bob', 101)).rejects.toThrow('ann has less than 101');
  await expect(ann.transfer('bob', -1)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
  expect([await ann.balance(), await bob.balance()]).toEqual([100, 100]);
  await ann.transfer('bob', 10);
  await expect
    .poll(() => entries)
    .toEqual([[{ other: 'bob', amount: -10 }], [{ other: 'ann', amount: 10 }]]);
});

test('customers see their own balance and statement, also after an eviction', async () => {
  using bank = open('evicted');
  const [ann, bob] = [await enter(bank, 'ann'), await enter(bank, 'bob')];
  const balances = collect(subscribe(bob).balance());
  const entries = collect(subscribe(bob).statement());
  await expect.poll(() => balances).toEqual([100]);
  await ann.transfer('bob', 10);
  await evictDurableObject(env.BANK.getByName('evicted'));
  await ann.transfer('bob', 20);
  await expect.poll(() => balances.at(-1)).toBe(130);
  expect(entries.map(({ amount }) => amount)).toEqual([10, 20]);
});

test('a customer is asked before a large transfer, also after an eviction', async () => {
  using bank = open('asked');
  const ann = await enter(bank, 'ann');
  await enter(bank, 'bob');
  const balances = collect(subscribe(ann).balance());
  const asked: string[] = [];
  await ann.onAlert(
    callback(async (text) => {
      asked.push(text);
      return text !== 'Pay 60 to bob?';
    }),
  );
  await ann.transfer('bob', 20);
  await evictDurableObject(env.BANK.getByName('asked'));
  await expect(ann.transfer('bob', 60)).rejects.toThrow('ann did not agree');
  expect(await ann.transfer('bob', 51)).toBe(29);
  expect(asked).toEqual(['Pay 60 to bob?', 'Pay 51 to bob?']);
  await expect.poll(() => balances).toEqual([100, 80, 29]);
});

test('a customer who is disconnected does not agree, and the last alert is asked', async () => {
  using bank = open('away');
  const ann = await enter(bank, 'ann');
  await enter(bank, 'bob');
  {
    using other = open('away');
    await capabilityAt<Session>(other, tokenOf(ann)).onAlert(callback(async () => true));
  }
  await expect(ann.transfer('bob', 60)).rejects.toThrow('ann did not agree');
  await ann.onAlert(callback(async () => true));
  expect(await ann.transfer('bob', 60)).toBe(40);
});

test('a transfer fails if the money was spent while the customer was asked', async () => {
  using bank = open('later');
  const ann = await enter(bank, 'ann');
  await enter(bank, 'bob');
  await ann.onAlert(callback(async () => (await ann.transfer('bob', 50)) === 50));
  await expect(ann.transfer('bob', 51)).rejects.toThrow('ann has less than 51');
  expect(await ann.balance()).toBe(50);
});

test('another client can use a session, until the customer logs out', async () => {
  using bank = open('passed on');
  using other = open('passed on');
  const ann = await enter(bank, 'ann');
  const passedOn = capabilityAt<Session>(other, tokenOf(ann));
  expect(await passedOn.balance()).toBe(100);
  await ann.logout();
  for (const session of [ann, passedOn])
    await expect(session.balance()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a customer who has logged out is not asked any more', async () => {
  using bank = open('logged out');
  const token = crypto.randomUUID();
  await bank.register('ann', token);
  const before = await bank.login('ann', token);
  await before.onAlert(callback(async () => false));
  await before.logout();
  expect(await bank.login('ann', token).transfer('ann', 60)).toBe(100);
});
