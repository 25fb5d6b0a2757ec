/** Routes of Workers under test. */
import { routeDORequest, withCaller } from '../../src/server.ts';

/** Before a name, as a WebSocket subprotocol. */
const CALLER = 'as.';

/** @returns the name that a request asks for */
function nameIn(request: Request): string | undefined {
  const protocols = request.headers.get('Sec-WebSocket-Protocol')?.split(/, */) ?? [];
  return protocols.find((protocol) => protocol.startsWith(CALLER))?.slice(CALLER.length);
}

/**
 * Routes a request, and names whoever asks to be named.
 *
 * @param callerOf - the caller of a name, and its identity if that is another
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

/** The entry of a Worker that does nothing else. */
export default {
  fetch: (request: Request, env: Record<string, unknown>): Promise<Response> => route(request, env),
};
