/** Clients of members, with their tokens, one for each way a token can travel. */
import { env } from 'cloudflare:workers';
import { createRpcClient, type RpcClient, type RpcClientOptions } from '../../src/rpc/client.ts';
import { routeMembers } from '../members.ts';
import { workerSocket } from './worker-socket.ts';

export const fetchWorker = async (request: Request): Promise<Response> =>
  (await routeMembers(request, env)) ?? new Response('Not found', { status: 404 });

const fetchOfWorker = ((input, init) => fetchWorker(new Request(input, init))) as typeof fetch;

const ways = {
  'a subprotocol of a WebSocket': (token) => ({
    WebSocket: workerSocket(fetchWorker),
    // A WebSocket does not tell why it was refused; the client asks by a POST.
    fetch: fetchOfWorker,
    protocols: [`token.${token}`],
  }),
  'a header of a POST': (token) => ({
    transport: 'http',
    fetch: fetchOfWorker,
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
  return createRpcClient<Target>(binding, instance, ways[way](token));
}
