/** Divides a counter among several objects. It imports nothing, so that pages can use it too. */

/**
 * The number of objects. It can be raised at any time. If it is lowered, the total no longer includes what
 * the last objects have counted.
 */
export const SHARDS = 8;

/**
 * The name of an object that counts a part. A client takes one at random, and uses it as long as it is
 * connected.
 *
 * @example
 * using likes = createRpcClient<Shard>('SHARD', shardName('likes'));
 */
export function shardName(counter: string, shard = Math.floor(Math.random() * SHARDS)): string {
  return `${counter}/${shard}`;
}
