/** To watch clients and objects: debug output of both, and the frames of sockets. */
export { debug } from './features/debug/feature.ts';
export {
  type ObservedSockets,
  observeSockets,
  type SocketFrame,
} from './features/debug/client/sockets.ts';
export type { SocketEvent, WebSocketClass, WebSocketLike } from './client/options.ts';
export type { Transport, TransportEvents } from './client/transport.ts';
export type { Featured } from './server/contract/types.ts';
export type { RpcError } from './wire/errors.ts';
