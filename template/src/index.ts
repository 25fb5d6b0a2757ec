/** Worker entry: routes RPC requests to their Durable Object; assets in public/ are served before it. */
import { routeDORequest } from './rpc/server.ts';

export { Bookings } from './bookings.ts';
export { Counter } from './counter.ts';
export { Total } from './total.ts';

export default {
  async fetch(request, env) {
    const reachable = { bindings: ['BOOKINGS', 'COUNTER', 'TOTAL'], otherPaths: false };
    return (
      (await routeDORequest(request, env, { prefix: '/__rpc', ...reachable })) ??
      new Response('Not found', { status: 404 })
    );
  },
} satisfies ExportedHandler<Env>;
