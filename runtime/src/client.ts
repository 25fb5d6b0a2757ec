/** The entry point for clients: browsers, Node and other Workers. */
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
export type { Callback, Stream } from './wire/marked-arguments.ts';
export { bindingTransport, type BindingOptions, type Delivery } from './features/binding/client.ts';
export { bytes } from './features/bytes/client.ts';
export { callback } from './features/callbacks/client.ts';
export { capabilities, capabilityAt, tokenOf } from './features/capabilities/client.ts';
export { connectionState, type ConnectionStatus } from './client/connection-state.ts';
export { type Add, type Live, liveStore, type Read } from './features/live/live-store.ts';
export { messagePortTransport } from './features/port/client.ts';
export type { Store } from './client/store.ts';
export { stream } from './features/uploads/client.ts';
export {
  type ResumableSubscription,
  type StreamSubscription,
  subscribe,
  type SubscribeOptions,
  type Subscription,
  type Subscriptions,
} from './features/subscriptions/client.ts';
