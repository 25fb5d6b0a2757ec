/** The Worker that `npm run scale-out` measures: the example of a counter in shards. */
import { routeDORequest } from '../../runtime/src/server.ts';

export { Shard } from '../../examples/shards/src/shard.ts';
export { Total } from '../../examples/shards/src/total.ts';

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
