/** The Durable Object to edit first: a plain class, and the contract by which clients call it. */
import { DurableObject } from 'cloudflare:workers';
import { live, lumenizeRpcDO, type RpcObject } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

/** The maximum value of the counter. */
const CAPACITY = 1_000_000_000;

export class CounterImpl extends DurableObject<Env> {
  increment(by = 1): number {
    const value = this.getValue() + by;
    // The schema checks the argument. A condition that depends on the object's state is checked here.
    if (value > CAPACITY) throw new RangeError(`The counter holds ${CAPACITY} at most`);
    this.ctx.storage.kv.put('value', value);
    return value;
  }

  getValue(): number {
    return this.ctx.storage.kv.get<number>('value') ?? 0;
  }

  reset(): void {
    this.ctx.storage.kv.delete('value');
  }
}

/**
 * Clients can call only the methods that are listed here. Arguments are checked before a method runs. A Worker with a
 * binding to the object can call every public method.
 */
export const Counter = lumenizeRpcDO(CounterImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))],
  getValue: live(),
  reset: [],
});
export type Counter = RpcObject<typeof Counter>;
