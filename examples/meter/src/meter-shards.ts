/** Divides a meter among several objects. It imports nothing, so that pages can use it too. */

/**
 * The number of shards: one for each 100 calls a second. It can be raised at any time. If it is lowered, producers of an
 * older page are refused until they reload, and the counts of the removed shards stay in the meter.
 */
export const SHARDS = 4;

/**
 * Returns the name of a shard. A producer takes a shard at random, and uses it as long as the producer lives.
 *
 * @example
 * const shard = createRpcClient<MeterShard>('METER_SHARD', shardName('visits'));
 */
export function shardName(meter: string, shard = Math.floor(Math.random() * SHARDS)): string {
  return `${meter}/${shard}`;
}

/** Returns the name of the meter to which a shard belongs; `undefined` for a name that no shard has. */
export function meterOf(shard: string): string | undefined {
  const end = shard.lastIndexOf('/');
  const [meter, number] = [shard.slice(0, end), Number(shard.slice(end + 1))];
  return number >= 0 && number < SHARDS && shard === shardName(meter, number) ? meter : undefined;
}
