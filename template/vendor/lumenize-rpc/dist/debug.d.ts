import { Featured } from "./server-core.js";
import { ObservedSockets, SocketFrame, debug as debug$1, observeSockets } from "./client-core.js";
/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, each call with how
 * it ended and how long that took. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [debug] });
 */
export declare const debug: typeof debug$1 & Featured;
export { type ObservedSockets, type SocketFrame, observeSockets };