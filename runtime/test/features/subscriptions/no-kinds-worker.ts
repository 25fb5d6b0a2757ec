/** The object of `kinds-worker.ts` as it is deployed without subscriptions: its contract brings no feature. */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, read, routeDORequest } from '../../../src/server.ts';

class KindsImpl extends DurableObject<Env> {
  add(): void {
    this.ctx.storage.kv.put('count', this.second() + 1);
  }

  second(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }
}

export const Kinds = lumenizeRpcDO(KindsImpl, { add: [], second: read() });

export default {
  async fetch(request: Request, env: Record<string, unknown>): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
