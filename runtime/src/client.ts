/** The entry point for clients: browsers, Node and other Workers. */
export type { RpcPromise } from './client/call.ts';
export type {
  CallOptions,
  ConnectionOptions,
  ConnectionState,
  ReconnectOptions,
  SessionOptions,
  SocketEvent,
  ValueOrGetter,
  ConnectionDetails,
  WebSocketClass,
  WebSocketLike,
} from './client/options.ts';
export type { RpcCapability, RpcClient } from './client/client-types.ts';
export { createRpcClient, type RpcClientOptions, withOptions } from './client/proxy.ts';
export type { Transport, TransportEvents } from './client/transport.ts';
export type { Session } from './client/session.ts';
export type { ClientOf, HasContract, IsCapability, Mismatch } from './wire/brands.ts';
export {
  RpcError,
  type RpcErrorClass,
  type RpcErrorCode,
  type RpcErrorDetails,
} from './wire/errors.ts';
export type { Callback, Stream } from './wire/argument-handles.ts';
export { awaitMethods } from './client/await-methods.ts';
export {
  bindingTransport,
  type BindingOptions,
  type DeliveryOptions,
  type Stub,
} from './client/transports/binding.ts';
export { bytes } from './features/bytes/client/bytes.ts';
export { callback } from './features/callbacks/client/callback.ts';
export {
  capabilities,
  capabilityAt,
  tokenOf,
} from './features/capabilities/client/capabilities.ts';
export { type Latest, latest } from './client/latest.ts';
export { connectionState, type ConnectionStatus } from './client/connection-state.ts';
export { clientStore } from './client/client-store.ts';
export { feedStore, type FeedState, type LoadPage } from './features/feeds/client/feed-store.ts';
export type { FeedEvent, FeedPage } from './features/feeds/wire.ts';
export {
  type LiveOptions,
  type Reducer,
  type LiveState,
  liveStore,
} from './features/live/client/live-store.ts';
export { optimistic } from './features/live/client/optimistic.ts';
export {
  presence,
  type PresenceSelector,
  type PresenceStore,
} from './features/presence/client/presence.ts';
export { messagePortTransport } from './client/transports/message-port.ts';
export {
  type ClientCallReport,
  type ClientCallStart,
  reportCalls,
} from './features/reports/client/report-calls.ts';
export type { EndedCall, OnCall, StartedCall } from './features/reports/wire.ts';
export { traceCalls } from './features/tracing/client/trace-calls.ts';
export {
  openTelemetry,
  type OpenTelemetryApi,
  type OpenTelemetrySpan,
  type OpenTelemetrySpanContext,
} from './features/tracing/wire/open-telemetry.ts';
export type { TraceContext } from './features/tracing/wire/trace-context.ts';
export type {
  CallSpan,
  EndedSpan,
  SpanAttributes,
  TracedCall,
  Tracer,
} from './features/tracing/wire/tracer.ts';
export type { Store } from './client/store.ts';
export type { Readable } from './features/argument-streams/client/sources.ts';
export { stream } from './features/argument-streams/client/stream.ts';
export type { Nothing, Selector } from './features/subscriptions/client/selector.ts';
export {
  type Present,
  type PresenceSubscription,
  type ResumableSubscription,
  type StreamSubscription,
  subscribe,
  type SubscribeOptions,
  type Subscription,
  type Subscriptions,
} from './features/subscriptions/client/subscribe.ts';
export type { PortLike } from './wire/ports.ts';
