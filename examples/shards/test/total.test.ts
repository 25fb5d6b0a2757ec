/** Tests of a counter that is divided among objects, and of its total. */
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { connect } from 'lumenize-rpc/testing';
import { Shard } from '../src/shard.ts';
import { shardName, SHARDS } from '../src/shards.ts';
import type { Total } from '../src/total.ts';

test('the total is what all have counted', async () => {
  using total = connect<Total>('TOTAL', 'likes');
  expect(await total.getValue()).toBe(0);
  for (let shard = 0; shard < SHARDS; shard++) {
    using one = connect<Shard>('SHARD', shardName('likes', shard));
    await one.increment(shard + 1);
  }
  expect(await total.getValue()).toBe((SHARDS * (SHARDS + 1)) / 2);
});

test('many who ask at once share a sum', async () => {
  using total = connect<Total>('TOTAL', 'crowd');
  await env.SHARD.getByName(shardName('crowd', 0)).increment(5);
  const read = vi.spyOn(Shard.prototype, 'getValue');
  const answers = await Promise.all(Array.from({ length: 500 }, () => total.getValue()));
  expect(new Set(answers)).toEqual(new Set([5]));
  expect(read).toHaveBeenCalledTimes(SHARDS);
  read.mockRestore();
});

test('each shard gets a part of the clients', () => {
  const all = Array.from({ length: SHARDS }, (_, shard) => shardName('likes', shard));
  const drawn = Array.from({ length: 100 * SHARDS }, () => shardName('likes'));
  expect(new Set(drawn)).toEqual(new Set(all));
});
