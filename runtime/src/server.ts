/** The public API for Durable Objects and Workers. */
export { bytes } from './features/bytes/feature.ts';
export { callback, type CallbackSchema } from './features/callbacks/feature.ts';
export { capability, revoke } from './features/capabilities/feature.ts';
export { currentCaller, withCaller } from './server/base/caller.ts';
export type { CallReport } from './server/contract/options.ts';
export { closeClients, connectedCallers } from './server/connections/connections.ts';
export type { CompiledContract } from './server/contract/types.ts';
export { compileContract } from './server/contract/compile-contract.ts';
export type { ContractOptions } from './server/contract/options.ts';
export type { Contract } from './server/contract/entries.ts';
export type { Cors, CorsOptions } from './server/routing/cors.ts';
export { lumenizeRpcDO } from './server/durable-object.ts';
export { feed, type Feed, type FeedOptions } from './features/feeds/feature.ts';
export { handleRpcClose, handleRpcMessage, handleRpcRequest } from './server/handlers.ts';
export type { Limits } from './server/base/limits.ts';
export { type MethodOptions, read } from './server/contract/entries.ts';
export { live } from './features/live/feature.ts';
export { events } from './features/feeds/feature.ts';
export { rows, stream, type StreamEntryOptions } from './features/streams/feature.ts';
export { migrate } from './server/migrate.ts';
export { type ServedPort, servePort, type ServePortOptions } from './server/port.ts';
export {
  type FetchTarget,
  type Hook,
  type Route,
  routeDORequest,
  type RouteOptions,
} from './server/routing/router.ts';
export { streamOf } from './features/argument-streams/feature.ts';
export { changed } from './features/live/feature.ts';
export { callbackAt, dropCallback } from './features/callbacks/feature.ts';
export { tokenOf } from './server/base/tokens.ts';
export { RpcError, type RpcErrorCode } from './wire/errors.ts';
