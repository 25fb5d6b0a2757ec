/** A Durable Object that adds up the counts of its shards, and shows the totals on every dashboard. */
import { DurableObject } from 'cloudflare:workers';
import { internal, live, lumenizeRpcDO } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

class MeterImpl extends DurableObject<Env> {
  /** Returns the sums of all shards, by key. They are at most a second behind the shards. */
  getTotals(): Record<string, number> {
    const totals = new Map<string, number>();
    const shards = this.ctx.storage.kv.list<Record<string, number>>({ prefix: 'shard/' });
    for (const [, ofShard] of shards) {
      for (const [key, total] of Object.entries(ofShard))
        totals.set(key, (totals.get(key) ?? 0) + total);
    }
    return Object.fromEntries(totals);
  }

  /** Replaces the totals of a shard. Only shards call it. */
  report(shard: string, totals: Record<string, number>): void {
    this.ctx.storage.kv.put(`shard/${shard}`, totals);
  }
}

const totals = Type.Record(Type.String(), Type.Integer({ minimum: 1 }));

export const Meter = lumenizeRpcDO(MeterImpl, {
  getTotals: live(),
  report: internal([Type.String(), totals]),
});
export type Meter = InstanceType<typeof Meter>;
