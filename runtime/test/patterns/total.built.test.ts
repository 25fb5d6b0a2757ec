/** A counter divided among objects: what its total promises to many readers. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { Shard } from '../../../examples/shards/src/shard.ts';
import { shardName, SHARDS } from '../../../examples/shards/src/shards.ts';
import type { Total } from '../../../examples/shards/src/total.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('who has counted finds it in the total, even if a sum was under way', async () => {
  const total = env.TOTAL.getByName('slow');
  const getValue = Shard.prototype.getValue;
  const released = Promise.withResolvers<void>();
  const read = vi.spyOn(Shard.prototype, 'getValue').mockImplementation(async function (
    this: Shard,
  ) {
    const value = getValue.call(this);
    await released.promise;
    return value;
  } as never);
  const early = total.getValue();
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(SHARDS), { timeout: 50_000 });
  await runInDurableObject(env.SHARD.getByName(shardName('slow', 0)), (_, { storage }) => {
    storage.kv.put('value', 5);
  });
  // Inside the object, so that both have surely arrived before the sum under way ends.
  const later = await runInDurableObject(total, (object: Total) => ({
    sums: [object.getValue(), object.getValue()],
  }));
  released.resolve();
  expect(await Promise.all([early, ...later.sums])).toEqual([0, 5, 5]);
  expect(read).toHaveBeenCalledTimes(2 * SHARDS);
});
