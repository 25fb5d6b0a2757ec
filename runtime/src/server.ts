/** The entry point for Durable Objects and Workers. */
export { bytes } from './features/bytes/feature.ts';
export { callback, type CallbackSchema } from './features/callbacks/feature.ts';
export { capability, revoke } from './features/capabilities/feature.ts';
export { currentCaller, withCaller } from './server/base/caller.ts';
export { closeClients, connectedCallers } from './server/connections/connections.ts';
export type { CompiledContract, Featured } from './server/contract/types.ts';
export { compileContract } from './server/contract/compile-contract.ts';
export type { ContractOptions } from './server/contract/options.ts';
export type { Contract } from './server/contract/entries.ts';
export type { RpcClass, RpcObject } from './server/contract/rpc-class.ts';
export type { Cors, CorsOptions } from './server/routing/cors.ts';
export { lumenizeRpcDO } from './server/durable-object.ts';
export {
  feed,
  type Feed,
  type FeedEvent,
  type FeedOptions,
  type FeedPage,
  type FeedReadOptions,
} from './features/feeds/feature.ts';
export { handleRpcClose, handleRpcMessage, handleRpcRequest } from './server/handlers.ts';
export type { Limits } from './server/base/limits.ts';
export {
  internal,
  type InternalEntry,
  type MethodEntry,
  type MethodOptions,
  read,
  type ReadEntry,
  volatile,
  type VolatileEntry,
} from './server/contract/entries.ts';
export { live, type LiveEntry, type LiveEntryOptions } from './features/live/feature.ts';
export { presence } from './features/presence/feature.ts';
export { events } from './features/feeds/feature.ts';
export {
  rows,
  type RowsEntry,
  stream,
  type StreamEntryOptions,
} from './features/streams/feature.ts';
export { migrate } from './server/migrate.ts';
export { type ServedPort, servePort, type ServePortOptions } from './server/port.ts';
export {
  type FetchTarget,
  type Hook,
  type Route,
  routeDORequest,
  type RouteOptions,
} from './server/routing/router.ts';
export {
  type CallReport,
  type CallReportOptions,
  type CallStart,
  reportCalls,
} from './features/reports/feature.ts';
export type { EndedCall, OnCall, StartedCall } from './features/reports/wire.ts';
export { tracing, traceCalls } from './features/tracing/feature.ts';
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
export { streamOf } from './features/argument-streams/feature.ts';
export type { IsCallback, StreamOf } from './server/base/brands.ts';
export type { StandardSchema } from './server/base/standard-schema.ts';
export { changed } from './features/live/feature.ts';
export { callbackAt, dropCallback } from './features/callbacks/feature.ts';
export { tokenOf } from './server/base/tokens.ts';
export type { HasContract, HasEvents, IsCapability, Mismatch } from './wire/brands.ts';
export {
  RpcError,
  type RpcErrorClass,
  type RpcErrorCode,
  type RpcErrorDetails,
} from './wire/errors.ts';
export type { PortLike } from './wire/ports.ts';
