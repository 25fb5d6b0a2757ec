/** Routes of Workers under test. */
import { routeDORequest, withCaller } from '../../src/server.ts';

/** The prefix of a name in a WebSocket subprotocol. */
const CALLER = 'as.';

/** @returns the name that a request claims */
function nameIn(request: Request): string | undefined {
  const protocols = request.headers.get('Sec-WebSocket-Protocol')?.split(/, */) ?? [];
  return protocols.find((protocol) => protocol.startsWith(CALLER))?.slice(CALLER.length);
}

/**
 * Routes a request. If the request claims a name, the call has that caller.
 *
 * @param callerOf - returns the caller of a name, and its identity if it differs
 */
export async function route(
  request: Request,
  env: Record<string, unknown>,
  callerOf = (user: string): [caller: unknown, identity?: string] => [{ user }],
): Promise<Response> {
  const name = nameIn(request);
  const response = await routeDORequest(request, env, {
    onBeforeConnect: (upgrade) => (name ? withCaller(upgrade, ...callerOf(name)) : undefined),
  });
  return response ?? new Response('Not found', { status: 404 });
}

/** The entry of a Worker that only routes. */
export default {
  fetch: (request: Request, env: Record<string, unknown>): Promise<Response> => route(request, env),
};
