/** A deployment of the object of `worker.ts` without subscriptions. Its contract brings no feature. */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, read } from '../../../../src/server.ts';

class KindsImpl extends DurableObject<Env> {
  add(): void {
    this.ctx.storage.kv.put('count', this.second() + 1);
  }

  second(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }
}

export const Kinds = lumenizeRpcDO(KindsImpl, { add: [], second: read() });

export { default } from '../../../served/routed.ts';
