/** The next deployment of the object of `worker.ts`, in which each method is of another kind. */
import { DurableObject } from 'cloudflare:workers';
import { events, feed, type Feed, live, lumenizeRpcDO, stream } from '../../../../src/server.ts';

class KindsImpl extends DurableObject<Env> {
  add(): void {
    this.ctx.storage.kv.put('count', this.first() + 1);
    this.second().append(this.first());
  }

  first(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  second(): Feed<number> {
    return feed<number>(this, 'second');
  }

  /** Yields texts, which are lists of characters, too. */
  *third(): Generator<string> {
    yield 'text';
  }

  fourth(): null {
    return null;
  }
}

export const Kinds = lumenizeRpcDO(KindsImpl, {
  add: [],
  first: live(),
  second: events(),
  third: stream([], { readonly: true }),
  fourth: live(),
});

export { default } from '../../../served/routed.ts';
