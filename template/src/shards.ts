/** How a counter is divided among several objects. Imports nothing, so that pages can use it too. */

/** May be raised at any time; lowered, what the last objects have counted is left out of the total. */
export const SHARDS = 8;

/**
 * The name of the object that counts a part. Whoever counts takes one at random, and stays with it
 * as long as it is connected.
 *
 * @example
 * using likes = createRpcClient<Counter>('COUNTER', shardName('likes'));
 */
export function shardName(counter: string, shard = Math.floor(Math.random() * SHARDS)): string {
  return `${counter}/${shard}`;
}
