import { callback, streamOf } from "./schemas.js";
import { callbackAt, capability, changed, closeClients, compileContract, currentCaller, dropCallback, events, feed, handleRpcClose, handleRpcMessage, handleRpcRequest, live, lumenizeRpcDO, migrate, read, revoke, routeDORequest, rows, servePort, stream, tokenOf, withCaller } from "./server-core.js";
import { RpcError } from "./wire.js";
export { RpcError, callback, callbackAt, capability, changed, closeClients, compileContract, currentCaller, dropCallback, events, feed, handleRpcClose, handleRpcMessage, handleRpcRequest, live, lumenizeRpcDO, migrate, read, revoke, routeDORequest, rows, servePort, stream, streamOf, tokenOf, withCaller };
