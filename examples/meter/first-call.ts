/** Counts in one of the shards, and prints the totals of the meter a second later. */
import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Meter } from './src/meter.ts';
import type { MeterShard } from './src/meter-shard.ts';

const baseUrl = 'http://localhost:8787';
// This is one of the names that `shardName('drinks')` returns, in src/meter-shards.ts.
const shard = createRpcClient<MeterShard>('METER_SHARD', 'drinks/0', { baseUrl });
const meter = createRpcClient<Meter>('METER', 'drinks', { baseUrl });
await shard.record({ tea: 3 });
for await (const totals of subscribe(meter).getTotals()) {
  if (!totals['tea']) continue;
  console.log(totals);
  // Without this line, the loop goes on with each change.
  break;
}
shard.close(); // An open connection keeps Node running.
meter.close();
