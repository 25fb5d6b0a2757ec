import { Transport, WebSocketClass } from "./client-core.js";
import { Peer, PeerLog } from "./server-core.js";
/** A frame that a socket has sent or received. */
interface SocketFrame {
  /** `up` is from the client to the object. */
  direction: 'up' | 'down';
  /** Of a binary frame only its text, without the bytes after it. */
  text: string;
  /** The size of the whole frame in bytes, before compression. */
  bytes: number;
}
/** What `observeSockets` returns. */
interface ObservedSockets {
  /** For the option `WebSocket` of a client. */
  WebSocket: WebSocketClass;
  /**
   * Closes the connections. Answers on their way are lost, and the client connects again. Resolves when the client
   * has learned that its connection is closed.
   */
  cut(): Promise<void>;
}
/**
 * Shows a page or a test what a client sends and receives, and lets it cut the client's connection. Use one for each
 * client. Heartbeats are not shown. A frame of more than 256 KiB is sent in pieces, and each of them is shown.
 *
 * @param onFrame - called with each frame, before it is sent or read
 * @param Base - the class that opens the connections; default: the global `WebSocket`
 * @example
 * const sockets = observeSockets(({ direction, text }) => console.log(direction, text));
 * const counter = createRpcClient<Counter>('COUNTER', 'my-counter', { WebSocket: sockets.WebSocket });
 * const answer = counter.increment();
 * await sockets.cut();
 * await answer;
 */
export declare function observeSockets(onFrame: (frame: SocketFrame) => void, Base?: WebSocketClass): ObservedSockets;
/**
 * Shows on the console what a client, or the clients of an object, do: connections, each frame, each call with how
 * it ended and how long that took. This includes arguments and results, up to 200 characters of each.
 *
 * @example
 * createRpcClient<Counter>('COUNTER', 'my-counter', { debug });
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { debug });
 */
export declare function debug(transport: Transport, binding: string, instance: string): Transport;
export declare function debug(peer: Peer, instance: object): PeerLog;
export type { ObservedSockets, SocketFrame };