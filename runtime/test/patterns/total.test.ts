/** A counter divided among objects: what its total promises to many readers. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { Shard } from '../../../examples/shards/src/shard.ts';
import { shardName, SHARDS } from '../../../examples/shards/src/shards.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('who has counted finds it in the total, even if a sum was under way', async () => {
  const total = env.TOTAL.getByName('slow');
  const getValue = Shard.prototype.getValue;
  const read = vi.spyOn(Shard.prototype, 'getValue').mockImplementation(async function (
    this: Shard,
  ) {
    const value = getValue.call(this);
    await scheduler.wait(100);
    return value;
  } as never);
  const early = total.getValue();
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(SHARDS), { timeout: 50_000 });
  await runInDurableObject(env.SHARD.getByName(shardName('slow', 0)), (_, { storage }) => {
    storage.kv.put('value', 5);
  });
  const late = total.getValue();
  expect(await Promise.all([early, late, total.getValue()])).toEqual([0, 5, 5]);
  expect(read).toHaveBeenCalledTimes(2 * SHARDS);
});
