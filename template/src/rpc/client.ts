/** The door for callers: browsers, Node and other Workers. */
export { createRpcClient, type RpcClient, type RpcClientOptions } from './client/proxy.ts';
export type { Transport, TransportEvents } from './client/transport.ts';
export { RpcError, type RpcErrorCode } from './wire/errors.ts';
