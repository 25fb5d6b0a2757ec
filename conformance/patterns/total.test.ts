/** A counter divided among objects: what its total promises to many readers. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { Shard } from '../../examples/shards/src/shard.ts';
import { shardName, SHARDS } from '../../examples/shards/src/shards.ts';
import type { Total } from '../../examples/shards/src/total.ts';
import { connect } from '../../runtime/src/testing/connect.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const everyShard = (name: string) =>
  Array.from({ length: SHARDS }, (_, shard) => shardName(name, shard));

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

test('many who ask at once share a sum', async () => {
  using total = connect<Total>('TOTAL', 'crowd');
  await env.SHARD.getByName(shardName('crowd', 0)).increment(5);
  const read = vi.spyOn(Shard.prototype, 'getValue');
  const answers = await Promise.all(Array.from({ length: 500 }, () => total.getValue()));
  expect(new Set(answers)).toEqual(new Set([5]));
  expect(read).toHaveBeenCalledTimes(SHARDS);
});

test('every object gets its part', () => {
  const names = new Set(Array.from({ length: 100 * SHARDS }, () => shardName('any')));
  expect([...names].toSorted()).toEqual(everyShard('any'));
});
