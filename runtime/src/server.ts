/** The public API for Durable Objects and Workers. */
export { callback, type CallbackSchema } from './server/callback.ts';
export { capability, revoke } from './server/capability.ts';
export { currentCaller, withCaller } from './server/caller.ts';
export type { CallReport } from './server/call-reports.ts';
export { closeClients } from './server/connections.ts';
export { compileContract, type CompiledContract, type ContractOptions } from './server/contract.ts';
export type { Contract } from './server/contract-entry.ts';
export type { Cors, CorsOptions } from './server/cors.ts';
export { lumenizeRpcDO } from './server/durable-object.ts';
export { feed, type Feed, type FeedOptions } from './server/feed.ts';
export { handleRpcClose, handleRpcMessage, handleRpcRequest } from './server/handlers.ts';
export type { Limits } from './server/limits.ts';
export {
  type EntryOptions,
  events,
  live,
  read,
  rows,
  stream,
  type StreamEntryOptions,
} from './server/method-entries.ts';
export { migrate } from './server/migrate.ts';
export { type ServedPort, servePort, type ServePortOptions } from './server/port.ts';
export { type Hook, type Route, routeDORequest, type RouteOptions } from './server/router.ts';
export { streamOf } from './server/stream-of.ts';
export { changed } from './server/subscribers.ts';
export { callbackAt, dropCallback, tokenOf } from './server/tokens.ts';
export { RpcError, type RpcErrorCode } from './wire/errors.ts';
