/** An object before a deployment. */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, read, routeDORequest } from '../../../../src/server.ts';

export class Tally extends DurableObject<Env> {
  count(): number {
    return this.ctx.storage.kv.get<number>('count') ?? 0;
  }

  add(): number {
    this.ctx.storage.kv.put('count', this.count() + 1);
    return this.count();
  }

  removed(): number {
    return this.add();
  }

  /** Never ends. */
  async endless(): Promise<void> {
    this.add();
    await new Promise(() => {});
  }

  /** Changes the object now, and only reads it after the deployment. */
  change(): number {
    return this.add();
  }
}

export const Counted = lumenizeRpcDO(Tally, {
  count: read(),
  add: [],
  removed: [],
  endless: [],
  change: [],
});

export const Unjournaled = lumenizeRpcDO(
  class extends Tally {},
  { count: read(), removed: [] },
  { journal: false },
);

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('no such object', { status: 404 });
  },
};
