/** The options of queries and mutations, as `useQuery` and `useMutation` of each framework take them. */
import type { DataTag } from '@tanstack/query-core';
import type { RpcError } from '../wire/errors.ts';

/** The error of a call: an `RpcError`, or an error that the method has thrown, which has no code. */
export type QueryError = RpcError | ThrownError;

/** An error that a method has thrown. */
export interface ThrownError extends Error {
  readonly code?: undefined;
  readonly path?: undefined;
  readonly maybeExecuted?: undefined;
  readonly status?: undefined;
}

/** The data of a query: the result of its method, and `null` in place of `undefined`, which a cache cannot hold. */
export type QueryData<Result> = unknown extends Result
  ? Result
  : void extends Result
    ? null
    : undefined extends Result
      ? Exclude<Result, undefined> | null
      : Result;

/** The properties of a query function's context that are used here. */
export interface QueryContext {
  readonly client: object;
  readonly queryKey: readonly unknown[];
  readonly signal: AbortSignal;
}

/** The options of a query. */
export interface RpcQueryOptions<Value> {
  /** The binding, the instance, the method, and the arguments. */
  queryKey: DataTag<readonly unknown[], Value, QueryError>;
  queryFn: (context: QueryContext) => Promise<Value>;
  /** Tries again after temporary errors, at most three times. It does not try again on a server. */
  retry: (failureCount: number, error: QueryError) => boolean;
  /** True if the query can run: false as long as there is no client. */
  enabled: boolean;
}

/** The options of a query whose data follow a subscription while the query has observers. */
export interface FollowedQueryOptions<Value> extends RpcQueryOptions<Value> {
  /** Data are fresh while the subscription is open. */
  staleTime: (query: object) => number;
  refetchOnMount: (query: object) => false | 'always';
}

/** The options of a mutation. */
export interface RpcMutationOptions<Result, Variables> {
  /** The binding, the instance, and the method. */
  mutationKey: readonly unknown[];
  mutationFn: (variables: Variables) => Promise<Result>;
  /** Never tries again, since a further attempt would be another call. */
  retry: (failureCount: number, error: QueryError) => false;
}
