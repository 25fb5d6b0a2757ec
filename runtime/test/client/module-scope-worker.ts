/**
 * A Worker that creates its clients at module scope, where the runtime has no random numbers, timers or requests yet.
 * `/{transport}` calls the worker under test, whose URL is in `SERVER`.
 */
import { env } from 'cloudflare:workers';
import { createRpcClient, type RpcClient } from '../../src/client.ts';
import type { Default } from '../served/worker.ts';

const { SERVER: baseUrl } = env as unknown as { SERVER: string };

const clients: Record<string, RpcClient<Default>> = {
  http: createRpcClient('DEFAULT', 'from http', { baseUrl, transport: 'http' }),
  websocket: createRpcClient('DEFAULT', 'from websocket', { baseUrl }),
};

export default {
  async fetch(request: Request): Promise<Response> {
    const client = clients[new URL(request.url).pathname.slice(1)];
    const results = await Promise.all([client?.add(), client?.add()]);
    return Response.json(results);
  },
};
