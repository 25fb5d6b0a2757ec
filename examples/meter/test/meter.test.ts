/** Tests a meter: producers that batch, shards that add up, and the dashboard. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { RpcError, subscribe } from 'lumenize-rpc/client';
import { collect, connect } from 'lumenize-rpc/testing';
import { Meter } from '../src/meter.ts';
import { MeterProducer } from '../src/meter-producer.ts';
import type { MeterShard } from '../src/meter-shard.ts';
import { meterOf, shardName, SHARDS } from '../src/meter-shards.ts';

const shardOf = (meter: string, shard = 0) =>
  connect<MeterShard>('METER_SHARD', shardName(meter, shard));

/** Makes a shard report to its meter now. Returns true if it had an alarm for a report. */
const push = (meter: string, shard = 0) =>
  runDurableObjectAlarm(env.METER_SHARD.getByName(shardName(meter, shard)));

test('dashboards show the counts of all shards', async () => {
  using meter = connect<Meter>('METER', 'drinks');
  const shown = [1, 2].map(() => collect(subscribe(meter).getTotals()));
  for (const all of shown) await expect.poll(() => all).toEqual([{}]);
  for (let shard = 0; shard < SHARDS; shard++) {
    using one = shardOf('drinks', shard);
    await one.record({ tea: shard + 1, coffee: 1 });
    await one.record({ tea: 1 });
    await push('drinks', shard);
  }
  const tea = (SHARDS * (SHARDS + 1)) / 2 + SHARDS;
  for (const all of shown) {
    await expect.poll(() => all.at(-1)).toEqual({ tea, coffee: SHARDS });
  }
});

test(
  'a shard adds up counts, and reports to the meter by itself',
  { timeout: 60_000 },
  async () => {
    using shard = shardOf('alone');
    using meter = connect<Meter>('METER', 'alone');
    const report = vi.spyOn(Meter.prototype, 'report');
    const totals = collect(subscribe(meter).getTotals());
    await Promise.all(Array.from({ length: 50 }, () => shard.record({ tea: 1 })));
    await expect.poll(() => totals.at(-1), { timeout: 50_000 }).toEqual({ tea: 50 });
    expect(report.mock.calls.filter(([name]) => name === 'alone/0').length).toBeLessThan(50);
    report.mockRestore();
  },
);

test('the next report has the counts of a failed report, and nothing counts twice', async () => {
  using shard = shardOf('deaf');
  using meter = connect<Meter>('METER', 'deaf');
  const stub = env.METER_SHARD.getByName(shardName('deaf', 0));
  await runInDurableObject(stub, (one) => {
    const report = () => Promise.reject(new Error('The meter is deaf'));
    const METER = { getByName: () => ({ report }) };
    Object.defineProperty(one, 'env', { value: { METER } });
  });
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
  await shard.record({ tea: 1 });
  await push('deaf');
  expect(complain).toHaveBeenCalledWith(new Error('The meter is deaf'));
  complain.mockRestore();
  expect(await meter.getTotals()).toEqual({});
  // The shard tries again by itself, also after an eviction.
  await evictDurableObject(stub);
  expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).not.toBeNull();
  expect(await push('deaf')).toBe(true);
  expect(await meter.getTotals()).toEqual({ tea: 1 });
  await shard.record({ tea: 1 });
  await push('deaf');
  await runInDurableObject(stub, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  expect(await push('deaf')).toBe(true);
  expect(await meter.getTotals()).toEqual({ tea: 2 });
});

test('a producer sends its sums in one call', async () => {
  using shard = shardOf('batched');
  const record = vi.fn((counts: Record<string, number>) => shard.record(counts));
  const producer = new MeterProducer({ record } as never, 20);
  for (let event = 0; event < 1000; event++) producer.count(event % 2 ? 'tea' : 'coffee');
  await expect.poll(() => record.mock.calls).toEqual([[{ coffee: 500, tea: 500 }]]);
  producer.count('tea', 7);
  await producer.flush();
  await producer.flush();
  expect(record.mock.calls.slice(1)).toEqual([[{ tea: 7 }]]);
  await push('batched');
  using meter = connect<Meter>('METER', 'batched');
  expect(await meter.getTotals()).toEqual({ coffee: 500, tea: 507 });
});

test('a producer with many keys divides them into calls that a shard accepts', async () => {
  using shard = shardOf('keys');
  const problems: unknown[] = [];
  const producer = new MeterProducer(shard, 1000, (error) => void problems.push(error));
  for (let key = 0; key < 250; key++) producer.count(`key-${key}`);
  await producer.flush();
  await push('keys');
  using meter = connect<Meter>('METER', 'keys');
  expect(Object.keys(await meter.getTotals())).toHaveLength(250);
  expect(problems).toEqual([]);
});

test.each([
  ['a call that has not run', new RpcError('TIMEOUT', 'late', { maybeExecuted: false }), 2],
  ['a call that may have run', new RpcError('TIMEOUT', 'late', { maybeExecuted: true }), 0],
  ['a call that is wrong', new RpcError('INVALID_ARGUMENTS', 'wrong', {}), 0],
])('after %s, the producer keeps or drops the sums', async (_, error, kept) => {
  const sent: unknown[] = [];
  const problems: unknown[] = [];
  const shard = {
    async record(counts: unknown) {
      if (problems.length === 0) throw error;
      sent.push(counts);
    },
  };
  const producer = new MeterProducer(shard as never, 60_000, (one) => void problems.push(one));
  producer.count('tea', 2);
  await producer.flush();
  expect(problems).toEqual([error]);
  await producer.flush();
  expect(sent).toEqual(kept ? [{ tea: kept }] : []);
});

test.each([
  ['no counts', 3],
  ['a count of 0', { tea: 0 }],
  ['a fraction', { tea: 0.5 }],
  ['a key that is not a name', { __proto__x: 1 }],
  ['a long key', { ['x'.repeat(65)]: 1 }],
  ['many keys', Object.fromEntries(Array.from({ length: 101 }, (_, key) => [`key-${key}`, 1]))],
])('%s are refused', async (_, counts) => {
  using shard = shardOf('strict');
  await expect(shard.record(counts as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
});

test('a meter has a thousand keys at most', async () => {
  using shard = shardOf('full');
  for (let call = 0; call < 10; call++) {
    const keys = Array.from({ length: 100 }, (_, key) => [`key-${call}-${key}`, 1]);
    await shard.record(Object.fromEntries(keys));
  }
  await expect(shard.record({ more: 1 })).rejects.toThrow('A meter has 1000 keys at most');
  await shard.record({ 'key-0-0': 1 });
});

test('only names of existing shards are accepted', async () => {
  const names = Array.from({ length: SHARDS }, (_, shard) => shardName('visits', shard));
  const drawn = Array.from({ length: 100 * SHARDS }, () => shardName('visits'));
  expect(new Set(drawn)).toEqual(new Set(names));
  expect(names.map(meterOf)).toEqual(names.map(() => 'visits'));
  for (const name of ['visits', 'visits/', '/', `visits/${SHARDS}`, 'visits/01', 'visits/-1']) {
    expect([name, meterOf(name)]).toEqual([name, undefined]);
    using other = connect<MeterShard>('METER_SHARD', name);
    await expect(other.record({ tea: 1 })).rejects.toThrow('is not the name of a shard');
    const stub = env.METER_SHARD.getByName(name);
    const rows = await runInDurableObject(stub, (_, { storage }) => [...storage.kv.list()]);
    expect(rows.filter(([key]) => key === 'sums')).toEqual([]);
  }
});

test('only shards can report', async () => {
  using meter = connect<Meter>('METER', 'closed');
  const forged = (meter as unknown as { report: (...args: unknown[]) => Promise<void> }).report;
  await expect(forged('closed/0', { tea: 1 })).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
});
