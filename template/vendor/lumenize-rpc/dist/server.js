import { addressOf, callbackAt, capability, changed, closeClients, compileContract, currentCaller, dropCallback, feed, handleRpcClose, handleRpcMessage, handleRpcRequest, isDevelopment, items, lumenizeRpcDO, revoke, routeDORequest, servePort, withCaller } from "./server-core.js";
import { RpcError } from "./wire.js";
export { RpcError, addressOf, callbackAt, capability, changed, closeClients, compileContract, currentCaller, dropCallback, feed, handleRpcClose, handleRpcMessage, handleRpcRequest, isDevelopment, items, lumenizeRpcDO, revoke, routeDORequest, servePort, withCaller };
