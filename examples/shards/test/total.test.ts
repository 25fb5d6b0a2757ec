/** Tests of a counter that is divided among objects, and of its total. */
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { shardName, SHARDS } from '../src/shards.ts';
import type { Total } from '../src/total.ts';
import { connect } from 'lumenize-rpc/testing';

test('the total is what all have counted', async () => {
  using total = connect<Total>('TOTAL', 'likes');
  expect(await total.getValue()).toBe(0);
  for (let shard = 0; shard < SHARDS; shard++) {
    await env.SHARD.getByName(shardName('likes', shard)).increment(shard + 1);
  }
  expect(await total.getValue()).toBe((SHARDS * (SHARDS + 1)) / 2);
});
