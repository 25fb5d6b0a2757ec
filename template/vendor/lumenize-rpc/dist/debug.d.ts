import { Featured } from "./server-core.js";
import { ObservedSockets, SocketEvent, SocketFrame, Transport, TransportEvents, WebSocketClass, WebSocketLike, observeSockets } from "./client-core.js";
import { RpcError } from "./wire.js";
/** What the option `debug` of a client takes. */
type DebugClient = (transport: Transport, binding: string, instance: string) => Transport;
/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, each call with how
 * it ended and how long that took. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [debug] });
 */
export declare const debug: DebugClient & Featured;
export { type Featured, type ObservedSockets, type RpcError, type SocketEvent, type SocketFrame, type Transport, type TransportEvents, type WebSocketClass, type WebSocketLike, observeSockets };