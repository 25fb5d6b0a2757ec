/** Worker entry: routes RPC requests to their Durable Object. It does not run for files in public/. */
import { routeDORequest } from './rpc/server.ts';
import { mappedStack } from './stack.ts';

export { Bank } from './bank.ts';
export { Bookings } from './bookings.ts';
export { Counter } from './counter.ts';
export { Pi } from './pi.ts';
export { Room } from './room.ts';
export { Total } from './total.ts';

/** Clients can reach these bindings. With `otherPaths: false`, the router passes on only calls over RPC. */
const reachable = {
  bindings: ['BANK', 'BOOKINGS', 'COUNTER', 'PI', 'ROOM', 'TOTAL'],
  otherPaths: false,
};

export default {
  async fetch(request, env) {
    return (
      (await routeDORequest(request, env, { prefix: '/__rpc', ...reachable })) ??
      (await mappedStack(request)) ??
      new Response('Not found', { status: 404 })
    );
  },
} satisfies ExportedHandler<Env>;
