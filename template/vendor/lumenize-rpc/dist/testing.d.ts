/** Clients of objects inside the tests of the Workers runtime. */
import { RpcClient, Subscription } from "./subscribe.js";
import { RpcClientOptions, WebSocketClass } from "./client2.js";
declare const transports: {
  websocket: {
    transport: "websocket";
    WebSocket: WebSocketClass;
  };
  http: {
    transport: "http";
  };
};
type TransportName = keyof typeof transports;
export declare const transportNames: TransportName[];
export declare function connect<Target>(transport: TransportName, binding: string, instance: string, options?: RpcClientOptions): RpcClient<Target>;
/** @returns the values that the loop has received; more are added as they arrive */
export declare function listen<Value>(subscription: Subscription<Value>): Value[];
/** @param fetchWorker - answers the upgrade */
export declare function workerSocket(fetchWorker: (request: Request) => Response | Promise<Response>): WebSocketClass;
/** Connects to the Worker under test. */
export declare const WorkerSocket: WebSocketClass;
export type { TransportName };