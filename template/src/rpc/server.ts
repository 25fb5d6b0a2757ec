/** The door for Durable Objects and Workers. */
export { currentCaller, withCaller } from './server/caller.ts';
export {
  compileContract,
  type CompiledContract,
  type Contract,
  type ContractOptions,
} from './server/contract.ts';
export type { Cors, CorsOptions } from './server/cors.ts';
export { lumenizeRpcDO } from './server/durable-object.ts';
export { feed, type Feed, type FeedOptions } from './server/feed.ts';
export { handleRpcClose, handleRpcMessage, handleRpcRequest } from './server/handlers.ts';
export type { Limits } from './server/limits.ts';
export { type Hook, type Route, routeDORequest, type RouteOptions } from './server/router.ts';
export { changed } from './server/subscribers.ts';
export { RpcError, type RpcErrorCode } from './wire/errors.ts';
