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
export { bindingTransport, type BindingOptions, type Delivery } from './client/binding.ts';
export { bytes } from './client/bytes.ts';
export { callbacks } from './client/callbacks.ts';
export { addressOf, capabilities, capabilityAt } from './client/capabilities.ts';
export { messagePortTransport } from './client/port.ts';
export { streams } from './client/streams.ts';
export {
  subscribe,
  type SubscribeOptions,
  type Subscription,
  type Subscriptions,
} from './client/subscribe.ts';
