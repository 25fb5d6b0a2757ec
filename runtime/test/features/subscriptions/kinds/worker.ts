/** An object with a method of each kind. `next-worker.ts` is its next deployment. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../../src/typebox.ts';
import { events, feed, type Feed, live, lumenizeRpcDO, rows } from '../../../../src/server.ts';

class KindsImpl extends DurableObject<Env> {
  add(): void {
    this.ctx.storage.kv.put('count', this.second() + 1);
    this.first().append(this.second());
  }

  first(): Feed<number> {
    return feed<number>(this, 'first');
  }

  second(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  /** Yields more rows than a client gets at once. */
  *third(after = 0): Generator<{ id: number }> {
    for (let id = after + 1; id <= 10_000; id++) yield { id };
  }

  fourth(after = 0): Iterable<{ id: number }> {
    return this.third(after);
  }
}

const byId = rows('id', [Type.Optional(Type.Integer())]);

export const Kinds = lumenizeRpcDO(KindsImpl, {
  add: [],
  first: events(),
  second: live(),
  third: byId,
  fourth: byId,
});
export type Kinds = InstanceType<typeof Kinds>;

export { default } from '../../../served/routed.ts';
