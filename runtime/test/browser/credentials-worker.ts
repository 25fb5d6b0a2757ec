/** A Worker that uses the cookie as the user's name, and can trust any page. */
import { DurableObject } from 'cloudflare:workers';
import {
  type Cors,
  currentCaller,
  lumenizeRpcDO,
  routeDORequest,
  withCaller,
} from '../../src/server.ts';

class WhoImpl extends DurableObject {
  calls(): unknown {
    return currentCaller();
  }
}

export const Who = lumenizeRpcDO(WhoImpl, { calls: [] });

const CORS: Record<string, Cors> = {
  '/closed': false,
  '/open': true,
  '/trusting': { origin: () => true, credentials: true },
};

const byCookie = (request: Request): Request =>
  withCaller(request, request.headers.get('Cookie') ?? 'nobody');

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const hooks = { onBeforeConnect: byCookie, onBeforeRequest: byCookie };
    for (const [prefix, cors] of Object.entries(CORS)) {
      const response = await routeDORequest(request, env, { prefix, cors, ...hooks });
      if (response) return response;
    }
    return new Response('A page');
  },
};
