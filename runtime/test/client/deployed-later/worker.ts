/** The object before the deployment, and its Worker. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { lumenizeRpcDO, read, routeDORequest, RpcError } from '../../../src/server.ts';

export class TallyImpl extends DurableObject<Env> {
  count(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  add(by: number): number {
    this.ctx.storage.kv.put('count', this.count() + by);
    return this.count();
  }

  /** Runs, and throws the error of a missing method, as if it had called another object that lacks the method. */
  forward(): void {
    this.add(1);
    throw new RpcError('METHOD_NOT_FOUND', 'The contract lists no method forward');
  }

  async forwardLater(): Promise<void> {
    await scheduler.wait(0);
    this.forward();
  }
}

export const Tally = lumenizeRpcDO(TallyImpl, {
  count: read(),
  add: [Type.Integer()],
  forward: [],
  forwardLater: [],
});

export const Unjournaled = lumenizeRpcDO(
  class extends TallyImpl {},
  { count: read(), add: [Type.Integer()], forward: [], forwardLater: [] },
  { journal: false },
);

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('no such object', { status: 404 });
  },
};
