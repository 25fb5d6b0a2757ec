/** A Durable Object that adds up what its shards have counted, and shows the totals on every dashboard. */
import { DurableObject } from 'cloudflare:workers';
import { changed, live, lumenizeRpcDO } from 'lumenize-rpc/server';

class MeterImpl extends DurableObject<Env> {
  /** By key, what all shards have counted. It is at most a second behind them. */
  getTotals(): Record<string, number> {
    const totals = new Map<string, number>();
    const shards = this.ctx.storage.kv.list<ReadonlyMap<string, number>>({ prefix: 'shard/' });
    for (const [, ofShard] of shards) {
      for (const [key, total] of ofShard) totals.set(key, (totals.get(key) ?? 0) + total);
    }
    return Object.fromEntries(totals);
  }

  /** Replaces the totals of a shard. */
  // oxlint-disable-next-line durable-object/no-unlisted-method -- Only shards call it, and no client may.
  report(shard: string, totals: ReadonlyMap<string, number>): void {
    this.ctx.storage.kv.put(`shard/${shard}`, totals);
    changed(this);
  }
}

export const Meter = lumenizeRpcDO(MeterImpl, { getTotals: live() });
export type Meter = InstanceType<typeof Meter>;
