/**
 * The Worker of a part: calls go to their objects, and requests for `/{BINDING}/{name}` to the `fetch` of a class that
 * is written by hand.
 */
import { routeDORequest } from '../runtime/src/server.ts';

export default {
  async fetch(request: Request, env: object): Promise<Response> {
    const response = await routeDORequest(request, env, { prefix: '/__rpc' });
    if (response) return response;
    const [, binding = '', name = ''] = new URL(request.url).pathname.split('/');
    const namespaces = env as Record<string, DurableObjectNamespace | undefined>;
    const routed = namespaces[binding]?.getByName(name).fetch(request);
    return routed ?? new Response('Not found', { status: 404 });
  },
};
