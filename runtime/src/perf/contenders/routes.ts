/** The Worker that is measured: the routes to the objects of all contenders. */
import { routeDORequest } from '../../server/routing/router.ts';
import type { ContenderWorker } from './classes.ts';

/**
 * The Worker that is measured: routes each request to the object of a contender. It is the default export of the
 * Worker that exports the `contenderClasses`.
 */
export const contenderWorker: ContenderWorker = {
  async fetch(request, env) {
    const response = await routeDORequest(request, env, { prefix: '/__rpc' });
    if (response) return response;
    const [, binding = '', name = ''] = new URL(request.url).pathname.split('/');
    const namespaces = env as Record<string, DurableObjectNamespace | undefined>;
    const routed = namespaces[binding]?.getByName(decodeURIComponent(name)).fetch(request);
    return routed ?? new Response('Not found', { status: 404 });
  },
};
