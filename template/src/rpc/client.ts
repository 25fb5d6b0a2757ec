/** The entry point for callers: browsers, Node and other Workers. */
export type { RpcPromise } from './client/call.ts';
export type {
  CallOptions,
  ConnectionState,
  ReconnectOptions,
  Renewable,
  StateDetail,
} from './client/options.ts';
export type { RpcCapability, RpcClient } from './client/client-types.ts';
export { createRpcClient, type RpcClientOptions, withOptions } from './client/proxy.ts';
export type { Transport, TransportEvents } from './client/transport.ts';
export { RpcError, type RpcErrorCode } from './wire/errors.ts';
