/** A Worker with a binding whose name no client should learn. */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, routeDORequest } from '../../src/server.ts';

class OneImpl extends DurableObject {
  one(): number {
    return 1;
  }
}

export const One = lumenizeRpcDO(OneImpl, { one: [] });
export class Secret extends OneImpl {}

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const response = await routeDORequest(request, env, { bindings: ['ONE'] });
    return response ?? new Response('Not here', { status: 404 });
  },
};
