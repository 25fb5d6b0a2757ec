/** To watch clients and objects: debug output, the option `{ debug }` of both, and the frames of sockets. */
import type { Transport } from './client/transport.ts';
import { debug as debugClient } from './features/debug/client/debug.ts';
import { debug as debugObject } from './features/debug/feature.ts';
import type { Connection } from './server/contract/connection.ts';
import type { PeerLog } from './server/contract/options.ts';

export {
  type ObservedSockets,
  observeSockets,
  type SocketFrame,
} from './features/debug/client/sockets.ts';

/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, each call with how
 * it ended and how long that took. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { debug });
 */
export function debug(transport: Transport, binding: string, instance: string): Transport;
export function debug(peer: Connection, instance: object): PeerLog;
export function debug(
  end: Transport | Connection,
  about: string | object,
  instance?: string,
): Transport | PeerLog {
  return instance === undefined
    ? debugObject(end as Connection, about as object)
    : debugClient(end as Transport, about as string, instance);
}
