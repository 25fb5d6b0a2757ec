/** Clients of members with tokens, one for each way to send a token, and clients without a token. */
import { env } from 'cloudflare:workers';
import { createRpcClient, type RpcClient, type RpcClientOptions } from 'lumenize-rpc/client';
import { routeDORequest } from 'lumenize-rpc/server';
import { routeMembers } from '../members.ts';
import { connect, type TransportName } from 'lumenize-rpc/testing';
import { workerSocket } from 'lumenize-rpc/testing';

type Route = (request: Request, env: object) => Promise<Response | undefined>;

/** Client options that connect to a Worker with the given routing. */
function routedBy(route: Route): Pick<RpcClientOptions, 'WebSocket' | 'fetch'> {
  const worker = async (request: Request): Promise<Response> =>
    (await route(request, env)) ?? new Response('Not found', { status: 404 });
  return {
    WebSocket: workerSocket(worker),
    // Also for a WebSocket: the client asks with a POST why an upgrade was rejected.
    fetch: ((input, init) => worker(new Request(input, init))) as typeof fetch,
  };
}

const ways = {
  'a subprotocol of a WebSocket': (token) => ({ protocols: [`token.${token}`] }),
  'a header of a POST': (token) => ({
    transport: 'http',
    headers: { Authorization: `Bearer ${token}` },
  }),
} satisfies Record<string, (token: string) => RpcClientOptions>;

export type Way = keyof typeof ways;

export const wayNames = Object.keys(ways) as Way[];

export function connectAs<Target>(
  token: string,
  binding: string,
  instance: string,
  way: Way = 'a subprotocol of a WebSocket',
): RpcClient<Target> {
  return createRpcClient<Target>(binding, instance, {
    ...routedBy(routeMembers),
    ...ways[way](token),
  });
}

/** A client of a Worker without hooks, which names no caller. */
export function connectAsNobody<Target>(
  transport: TransportName,
  binding: string,
  instance: string,
): RpcClient<Target> {
  return connect<Target>(transport, binding, instance, routedBy(routeDORequest));
}
