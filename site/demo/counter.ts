import { DurableObject } from 'cloudflare:workers';
import { events, feed, type Feed, live, lumenizeRpcDO, type RpcObject } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

class CounterImpl extends DurableObject {
  increment(by = 1): number {
    const value = this.getValue() + by;
    this.ctx.storage.kv.put('value', value);
    this.runs().append(`ran increment(${by}), the value is ${value}`);
    return value;
  }

  getValue(): number {
    return this.ctx.storage.kv.get<number>('value') ?? 0;
  }

  runs(): Feed<string> {
    return feed(this, 'runs');
  }
}

export const Counter = lumenizeRpcDO(CounterImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1 }))],
  getValue: live(),
  runs: events(),
});
export type Counter = RpcObject<typeof Counter>;
