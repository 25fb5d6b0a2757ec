/** Worker entry: routes RPC requests to their Durable Object. */
import { routeDORequest } from 'lumenize-rpc/server';

export { Counter } from './counter.ts';

export default {
  async fetch(request, env) {
    // Clients can reach the objects of these bindings, and no others.
    const response = await routeDORequest(request, env, { bindings: ['COUNTER'] });
    return response ?? new Response('Not found', { status: 404 });
  },
} satisfies ExportedHandler<Env>;
