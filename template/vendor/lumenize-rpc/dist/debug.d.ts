import { ObservedSockets, SocketFrame, Transport, observeSockets } from "./client-core.js";
import { Connection, PeerLog } from "./server-core.js";
/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, each call with how
 * it ended and how long that took. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { debug });
 */
export declare function debug(transport: Transport, binding: string, instance: string): Transport;
export declare function debug(peer: Connection, instance: object): PeerLog;
export { type ObservedSockets, type SocketFrame, observeSockets };