/** A Durable Object that counts a part of a number: shards.ts names the parts, and total.ts adds them up. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from 'typebox';
import { lumenizeRpcDO, read, type RpcObject } from 'lumenize-rpc/server';

class ShardImpl extends DurableObject<Env> {
  increment(by = 1): number {
    const value = this.getValue() + by;
    this.ctx.storage.kv.put('value', value);
    return value;
  }

  getValue(): number {
    return this.ctx.storage.kv.get<number>('value') ?? 0;
  }
}

export const Shard = lumenizeRpcDO(ShardImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }))],
  getValue: read(),
});
export type Shard = RpcObject<typeof Shard>;
