import { Transport } from "./client-core.js";
import { ObservedSockets, Peer, PeerLog, SocketFrame, observeSockets } from "./server-core.js";
/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, each call with how
 * it ended and how long that took. Arguments and results are among it, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { debug });
 */
export declare function debug(transport: Transport, binding: string, instance: string): Transport;
export declare function debug(peer: Peer, instance: object): PeerLog;
export { type ObservedSockets, type SocketFrame, observeSockets };