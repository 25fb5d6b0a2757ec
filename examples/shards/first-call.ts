/** Counts in one of the shards, and prints what all of them have counted. */
import { createRpcClient } from 'lumenize-rpc/client';
import type { Shard } from './src/shard.ts';
import type { Total } from './src/total.ts';

const baseUrl = 'http://localhost:8787';
// One of the names that `shardName('likes')` returns, in src/shards.ts.
const shard = createRpcClient<Shard>('SHARD', 'likes/0', { baseUrl });
const total = createRpcClient<Total>('TOTAL', 'likes', { baseUrl });
await shard.increment();
console.log(await total.getValue());
shard.close(); // An open connection keeps Node running.
total.close();
