/** The entry of a Worker under test that only routes calls to its objects. */
import { routeDORequest } from '../../src/server.ts';

export default {
  async fetch(request: Request, env: Record<string, unknown>): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
