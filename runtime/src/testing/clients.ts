/** Clients of the Worker under test, one for each way a frame can travel. */
import { exports } from 'cloudflare:workers';
import { createRpcClient, type RpcClient, type RpcClientOptions } from '../client.ts';
import { WorkerSocket } from './worker-socket.ts';

const BASE_URL = 'https://example.com';

const fetchWorker = ((input, init) =>
  (exports as unknown as { default: Fetcher }).default.fetch(
    new Request(input, init),
  )) as typeof fetch;

const transports = {
  websocket: { transport: 'websocket', WebSocket: WorkerSocket },
  http: { transport: 'http' },
} satisfies Record<string, RpcClientOptions>;

export type TransportName = keyof typeof transports;

export const transportNames = Object.keys(transports) as TransportName[];

export function connect<Target>(
  transport: TransportName,
  binding: string,
  instance: string,
  options: RpcClientOptions = {},
): RpcClient<Target> {
  return createRpcClient<Target>(binding, instance, {
    baseUrl: BASE_URL,
    // Also for a WebSocket: the client asks with a POST why an upgrade was rejected. Nothing leaves the
    // tests.
    fetch: fetchWorker,
    ...transports[transport],
    ...options,
  });
}
