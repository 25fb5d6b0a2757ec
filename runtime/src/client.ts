/** The entry point for callers: browsers, Node and other Workers. */
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
export type { Callback, Stream } from './wire/marked.ts';
export { bindingTransport, type BindingOptions, type Delivery } from './client/binding.ts';
export { bytes } from './client/bytes.ts';
export { callback } from './client/callbacks.ts';
export { capabilities, capabilityAt, tokenOf } from './client/capabilities.ts';
export { connectionState, type ConnectionStatus } from './client/connection-state.ts';
export { type Add, type Live, liveStore, type Read } from './client/live-store.ts';
export { messagePortTransport } from './client/port.ts';
export type { Store } from './client/store.ts';
export { stream } from './client/streams.ts';
export {
  type ResumableSubscription,
  type StreamSubscription,
  subscribe,
  type SubscribeOptions,
  type Subscription,
  type Subscriptions,
} from './client/subscribe.ts';
