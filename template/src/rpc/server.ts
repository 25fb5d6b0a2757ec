/** The door for Durable Objects and Workers. */
export { RpcError, type RpcErrorCode } from './wire/errors.ts';
export { compileContract, type CompiledContract, type Contract } from './server/contract.ts';
export { lumenizeRpcDO } from './server/durable-object.ts';
export { handleRpcClose, handleRpcMessage, handleRpcRequest } from './server/handlers.ts';
export { routeDORequest, type RouteOptions } from './server/router.ts';
