/** The cost of a meter: the rows and the calls between objects with which docs/scale-and-cost.md computes. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { connect } from '../../src/testing.ts';
import { Meter } from '../../../examples/meter/src/meter.ts';
import type { MeterShard } from '../../../examples/meter/src/meter-shard.ts';

test('a call writes two rows, and a push writes three and calls the meter once', async () => {
  using client = connect<MeterShard>('METER_SHARD', 'cost/0');
  const [shard, meter] = [env.METER_SHARD.getByName('cost/0'), env.METER.getByName('cost')];
  const rowsOf = (stub: typeof shard | typeof meter): Promise<number> =>
    runInDurableObject(stub, (_, { storage }) =>
      Number(storage.sql.exec('SELECT total_changes() AS rows').one()['rows']),
    );
  const alarmOf = () => runInDurableObject(shard, (_, { storage }) => storage.getAlarm());
  const report = vi.spyOn(Meter.prototype, 'report');
  await client.record({ tea: 1 });
  // The alarm may have run already on a busy machine.
  while ((await alarmOf()) !== null) await runDurableObjectAlarm(shard);
  await runInDurableObject(shard, (_, { storage }) => {
    const sums = storage.kv.get<{ totals: Map<string, number> }>('sums');
    storage.kv.put('sums', { ...sums, pushAt: Date.now() + 3_600_000 });
  });
  const before = await rowsOf(shard);
  for (let call = 0; call < 10; call++) await client.record({ tea: 1, coffee: 2, cocoa: 3 });
  expect((await rowsOf(shard)) - before).toBe(2 * 10);

  report.mockClear();
  const [ofShard, ofMeter] = [await rowsOf(shard), await rowsOf(meter)];
  await runInDurableObject(shard, (_, { storage }) => storage.setAlarm(Date.now() + 3_600_000));
  await runDurableObjectAlarm(shard);
  expect([(await rowsOf(shard)) - ofShard, (await rowsOf(meter)) - ofMeter]).toEqual([2, 1]);
  expect(report).toHaveBeenCalledOnce();
  report.mockRestore();
});
