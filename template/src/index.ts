/** Worker entry: routes RPC requests to their Durable Object. The Worker does not run for files in public/. */
import { routeDORequest } from 'lumenize-rpc/server';
import { mappedStack } from './stack.ts';

export { Bank } from './bank.ts';
export { Bookings } from './bookings.ts';
export { Counter } from './counter.ts';
export { Pi } from './pi.ts';
export { Room } from './room.ts';
export { Total } from './total.ts';

/** Clients can reach the objects of these bindings, and no others. */
const bindings = ['BANK', 'BOOKINGS', 'COUNTER', 'PI', 'ROOM', 'TOTAL'];

export default {
  async fetch(request, env) {
    return (
      (await routeDORequest(request, env, { bindings })) ??
      // For the example page during development: if you replace the page, delete this.
      (await mappedStack(request)) ??
      new Response('Not found', { status: 404 })
    );
  },
} satisfies ExportedHandler<Env>;
