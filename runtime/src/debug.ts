/** The entry point for debugging: shows the calls of clients and objects, and the frames of sockets. */
export {
  debug,
  debugFor,
  type DebugForOptions,
  debugOnDemand,
  type DebugOnDemandOptions,
  inspect,
  type InspectOptions,
  type ObjectReport,
  printReport,
} from './features/debug/feature.ts';
export type { DebugValue, LogOptions } from './features/debug/wire/frame-log.ts';
export type { ConnectionReport } from './features/debug/server/inspect.ts';
export {
  type ObservedSockets,
  observeSockets,
  type SocketFrame,
} from './features/debug/client/sockets.ts';
export type { SocketEvent, WebSocketClass, WebSocketLike } from './client/options.ts';
export type { Transport, TransportEvents } from './client/transport.ts';
export type { Featured } from './server/contract/types.ts';
export type { RpcError } from './wire/errors.ts';
