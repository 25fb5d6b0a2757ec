/** A relay that wakes connects to its origin without a message of its subscribers. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Match } from '../../../../examples/relay/src/match.ts';
import { subscribe } from '../../../src/client.ts';
import { originOf, relay, relayName } from '../../../src/relay.ts';
import { collect, connect } from '../../../src/testing.ts';
import type { TestEnv } from '../../worker.ts';
import type { WokenRelay } from './woken.ts';

test.each([{ keep: 0 }, { window: 1.5 }])('%j is not a number of events', (options) => {
  const relayed = { ctx: { getWebSockets: () => [] } };
  expect(() => relay<Match>(relayed, () => env.MATCH.getByName('x'), options)).toThrow(
    /^(keep|window) of a relay is .*: write a positive integer$/,
  );
});

test.each([null, 600_000, 500])(
  'subscribers go on after an eviction, beside an alarm of the class in %s ms',
  async (after) => {
    const name = `woken ${after}`;
    using match = connect<Match>('MATCH', name, { transport: 'http' });
    using client = connect<WokenRelay>('WOKEN_RELAY', name);
    const begun = subscribe(client).reports(name);
    const [reports, scores] = [collect(begun), collect(subscribe(client).score(name))];
    await expect.poll(() => [reports.length, scores.length]).toEqual([0, 1]);
    await expect.poll(() => begun.cursor).toBeDefined();
    await client.beRelay(after);
    const stub = (env as TestEnv).WOKEN_RELAY.getByName(name);
    await evictDurableObject(stub);
    await match.report('Kick-off');
    await match.setScore({ home: 1, guests: 0 });
    expect([reports.length, scores.length]).toEqual([0, 1]);
    await expect.poll(() => reports.at(-1)).toEqual({ text: 'Kick-off' });
    await expect.poll(() => scores.at(-1)).toEqual({ home: 1, guests: 0 });
    await expect.poll(() => client.rang()).toBe(after === 500 ? 1 : 0);
    const left = await client.getAlarm();
    if (after === 600_000) expect(left).toBeGreaterThan(Date.now() + 500_000);
    else expect(left).toBe(null);
    await match.report('Goal');
    await expect.poll(() => reports.at(-1)).toEqual({ text: 'Goal' });
    expect(reports).toHaveLength(2);
  },
);

test('an alarm rings once, even if the object has begun to relay after its constructor', async () => {
  using client = connect<WokenRelay>('WOKEN_RELAY', 'once');
  const stub = (env as TestEnv).WOKEN_RELAY.getByName('once');
  await client.beRelayLater();
  await evictDurableObject(stub);
  const scores = collect(subscribe(client).score('once'));
  await expect.poll(() => scores).toHaveLength(1);
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + 100));
  await expect.poll(() => client.rang()).toBe(1);
  expect(await client.getAlarm()).toBe(null);
});

test('a test can run the alarm of the class while the object relays', async () => {
  using client = connect<WokenRelay>('WOKEN_RELAY', 'run by a test');
  const stub = (env as TestEnv).WOKEN_RELAY.getByName('run by a test');
  await client.beRelay(600_000);
  await evictDurableObject(stub);
  expect(await client.score('run by a test')).toEqual({ home: 0, guests: 0 });
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await client.rang()).toBe(1);
  expect(await runDurableObjectAlarm(stub)).toBe(false);
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + 1e9));
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await client.rang()).toBe(2);
});

test.each([
  ['final', 'EU', 0],
  ['a:b/c', 'weur-1', 12],
  ['__rpc', 'X', 3],
] as const)('the relay of %j in %j has its origin in its name', (origin, region, index) => {
  expect(originOf(relayName(origin, region, index))).toBe(origin);
});

test.each([
  ['', 'EU', 0],
  ['final', '', 0],
  ['final', 'E:U', 0],
  ['final', 'EU', -1],
  ['final', 'EU', 0.5],
  [relayName('final', 'EU', 0), 'EU', 1],
] as const)('%j has no relay in %j with the index %j', (origin, region, index) => {
  expect(() => relayName(origin, region, index)).toThrow(RangeError);
});

test.each([undefined, '', 'final', 'final/EU/0', '__rpc:relay:', '__rpc:relay:EU:0:'])(
  '%j is not the name of a relay',
  (name) => {
    expect(() => originOf(name)).toThrow(/is not the name of a relay: make it with relayName$/);
  },
);
