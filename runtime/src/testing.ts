/** The entry point for tests in the Workers runtime: clients of Durable Objects, with `@cloudflare/vitest-plugin`. */
export { collect } from './testing/collect.ts';
export { connect, type ConnectOptions } from './testing/connect.ts';
export type { Versions } from './testing/versions.ts';
export type {
  ClassContract,
  WrittenArgument,
  WrittenCapability,
  WrittenMethod,
} from './contract/written.ts';
export { cut, loseAnswer, type WorkerUnderTest } from './testing/network.ts';
export type { CallOptions, ConnectionOptions, ReconnectOptions } from './client/options.ts';
export type {
  ConnectionDetails,
  SessionOptions,
  SocketEvent,
  WebSocketClass,
  WebSocketLike,
} from './client/options.ts';
export type { RpcClient } from './client/client-types.ts';
export type { RpcClientOptions } from './client/proxy.ts';
export type { Session } from './client/session.ts';
export type { Transport, TransportEvents } from './client/transport.ts';
export type { Subscription } from './features/subscriptions/client/subscribe.ts';
export type { ClientOf } from './wire/brands.ts';
export type { RpcError } from './wire/errors.ts';
