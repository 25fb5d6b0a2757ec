/** The entry point for TanStack Query, in React, Vue, Svelte, Solid and without a framework. */
export {
  type FeedQueries,
  feedOptions,
  type FeedQueryOptions,
  type ListQueries,
  type LiveQueries,
  liveOptions,
  type ReducedFeedQueryOptions,
} from './tanstack/live-options.ts';
export { type Mutations, mutationOptions, type Variables } from './tanstack/mutation-options.ts';
export { type Queries, queryKey, queryOptions } from './tanstack/query-options.ts';
export type {
  QueryData,
  FollowedQueryOptions,
  QueryContext,
  QueryError,
  RpcMutationOptions,
  RpcQueryOptions,
  ThrownError,
} from './tanstack/types.ts';
export type { ClientOf, Mismatch } from './wire/brands.ts';
export type { RpcCapability } from './client/client-types.ts';
export type { RpcError, RpcErrorCode } from './wire/errors.ts';
export type { LiveOptions } from './features/live/client/live-store.ts';
export type { Nothing } from './features/subscriptions/client/selector.ts';
