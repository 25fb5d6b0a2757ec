import { LiveOptions, Methods, Nothing, Received, Resolved, ResumableSubscription, RpcCapability, Subscriptions } from "./client-core.js";
import { ClientOf, IsFeed, IsSubscribed, KindIn, MethodKindsOf, MethodName, Mismatch, PassedArgs, RpcError, RpcErrorCode } from "./wire.js";
import { DataTag } from "@tanstack/query-core";
/** The error of a call: an `RpcError`, or an error that the method has thrown, which has no code. */
type QueryError = RpcError | ThrownError;
/** An error that a method has thrown. */
interface ThrownError extends Error {
  readonly code?: undefined;
  readonly path?: undefined;
  readonly maybeExecuted?: undefined;
  readonly status?: undefined;
}
/** The data of a query: the result of its method, and `null` in place of `undefined`, which a cache cannot hold. */
type QueryData<Result> = unknown extends Result ? Result : void extends Result ? null : undefined extends Result ? Exclude<Result, undefined> | null : Result;
/** The properties of a query function's context that are used here. */
interface QueryContext {
  readonly client: object;
  readonly queryKey: readonly unknown[];
  readonly signal: AbortSignal;
}
/** The options of a query. */
interface RpcQueryOptions<Value> {
  /** The binding, the instance, the method, and the arguments. */
  queryKey: DataTag<readonly unknown[], Value, QueryError>;
  queryFn: (context: QueryContext) => Promise<Value>;
  /** Tries again after temporary errors, at most three times. It does not try again on a server. */
  retry: (failureCount: number, error: QueryError) => boolean;
  /** True if the query can run: false as long as there is no client. */
  enabled: boolean;
}
/** The options of a query whose data follow a subscription while the query has observers. */
interface FollowedQueryOptions<Value> extends RpcQueryOptions<Value> {
  /** Data are fresh while the subscription is open. */
  staleTime: (query: object) => number;
  refetchOnMount: (query: object) => false | 'always';
}
/** The options of a mutation. */
interface RpcMutationOptions<Result, Variables> {
  /** The binding, the instance, and the method. */
  mutationKey: readonly unknown[];
  mutationFn: (variables: Variables) => Promise<Result>;
  /** Never tries again, since a further attempt would be another call. */
  retry: (failureCount: number, error: QueryError) => false;
}
/**
 * The options of a query that follows a live value, for each live method. Any other method is a property whose type
 * says why it cannot be followed.
 */
type LiveQueries<Target> = { readonly [Name in keyof Target as MethodName<Target, Name>]: Name extends keyof Subscriptions<Target> ? KindOf<Target, Name> extends 'live' ? Subscriptions<Target>[Name] extends ((...args: infer Args) => unknown) ? Target[Name] extends ((...args: never[]) => infer Result) ? (...args: Args) => FollowedQueryOptions<QueryData<Received<Resolved<Result>>>> : never : never : NotFollowed<Target, Name, 'the method is not a live value: for a feed, write feedOptions'> : never; };
/** The options of a query that collects the events of a feed in a list, for each method. */
type ListQueries<Target> = { readonly [Name in keyof Target as MethodName<Target, Name>]: Name extends keyof Subscriptions<Target> ? KindOf<Target, Name> extends 'events' ? Subscriptions<Target>[Name] extends ((...args: infer Args) => ResumableSubscription<infer Event>) ? (...args: Args) => FollowedQueryOptions<Event[]> : never : NotFollowed<Target, Name, 'the method returns no feed'> : never; };
/** The options of a query that combines the events of a feed into one value, for each method. */
type FeedQueries<Target, Event, Value> = { readonly [Name in keyof Target as MethodName<Target, Name>]: Name extends keyof Subscriptions<Target> ? KindOf<Target, Name> extends 'events' ? Subscriptions<Target>[Name] extends ((...args: infer Args) => ResumableSubscription<infer Sent>) ? [Sent] extends [Event] ? (...args: Args) => FollowedQueryOptions<Value> : Mismatch<'the reducer takes other events than the feed has'> : never : NotFollowed<Target, Name, 'the method returns no feed'> : never; };
/** The kind of a method. Without a contract, the kind follows from the type of the result. */
type KindOf<Target, Name extends keyof Target> = MethodKindsOf<Target> extends (infer Kinds) ? Kinds extends undefined ? Target[Name] extends ((...args: never[]) => infer Result) ? IsFeed<Result> extends true ? 'events' : IsSubscribed<Result> extends true ? 'stream' : 'live' : never : Name extends keyof Kinds ? KindIn<Kinds[Name]> : 'call' : never;
/**
 * The reason why a method cannot be followed: the reason that `subscribe` gives, unless clients can subscribe to the
 * method.
 */
type NotFollowed<Target, Name extends keyof Subscriptions<Target>, Reason> = Subscriptions<Target>[Name] extends ((...args: never[]) => unknown) ? Mismatch<Reason> : Subscriptions<Target>[Name];
/** The options of a query of a feed. */
interface FeedQueryOptions extends LiveOptions {
  reducer?: undefined;
  initialValue?: undefined;
}
/** The options of a query that combines the events of a feed into one value. */
interface ReducedFeedQueryOptions<Event, Value> extends LiveOptions {
  /**
   * Returns the next value from the previous value and an event. Queries with different reducers need different keys.
   */
  reducer: (value: Value, event: Event) => Value;
  /** The value before the first event. */
  initialValue: Value;
}
/**
 * Returns the live methods of a client, as options of queries whose data follow the value. The subscription is open
 * while a component uses the query. When the last component leaves, the subscription is closed, and the data stay for
 * the `gcTime`. While the subscription is open, the data are never stale, and a refetch costs nothing. After a lost
 * connection, the subscription continues by itself. Without components, as in `prefetchQuery` and in loaders of routes,
 * the query calls the method once.
 *
 * The key is equal to the key of `queryOptions`, so a page can continue with the data of a server. If the subscription
 * ends with an error, the query has the error beside its last data, and tries again as `queryOptions` does.
 *
 * @param client - as in `queryOptions`
 * @returns methods, as in `queryOptions`. With a client whose `transport` is `'http'`, a query that a component uses
 *   fails with a TypeError.
 * @throws TypeError for a value that is not a client
 * @example
 * const { data } = useQuery(liveOptions(counter).getValue());
 */
export declare function liveOptions<Target>(client: ClientOf<Target> | Nothing): LiveQueries<Target>;
/**
 * Returns the feeds of a client, as options of queries that collect events in a list while a component uses the query.
 * The query has data at once: the empty list. If components come back within the `gcTime`, the query continues where it
 * was, without a gap. If the feed no longer has the next event, the query fails with `CURSOR_EXPIRED`, and a refetch
 * begins anew. A server does not read the feed.
 *
 * @param client - as in `queryOptions`
 * @param options - `after`, the cursor after which to begin, which is part of the key. Default: the next event.
 *   `onGap`, called when events of a volatile feed may be missing. For a value that is not a list, pass `reducer` and
 *   `initialValue`.
 * @throws TypeError for a value that is not a client
 * @example
 * const { data: messages } = useQuery(feedOptions(room, { after: cursor }).messages());
 * @example
 * const newest = { reducer: (all: string[], text: string) => [...all, text].slice(-100), initialValue: [] };
 * const { data } = useQuery(feedOptions(room, newest).messages());
 */
export declare function feedOptions<Target>(client: ClientOf<Target> | Nothing, options?: FeedQueryOptions): ListQueries<Target>;
export declare function feedOptions<Target, Event, Value>(client: ClientOf<Target> | Nothing, options: ReducedFeedQueryOptions<Event, Value>): FeedQueries<Target, Event, Value>;
/**
 * The variables that are passed to `mutate`: an array of arguments, or a single argument that is not an array. They can
 * be left out if the method needs no argument.
 */
type Variables<Args extends unknown[]> = Args | ([] extends Args ? void : never) | (Args extends [(infer First)?, ...infer Rest] ? [] extends Rest ? SingleVariable<First> : never : never);
/** An argument that differs from an array of arguments; `never` for any other argument. */
type SingleVariable<Only> = unknown extends Only ? never : [Extract<Only, readonly unknown[]>] extends [never] ? Only : never;
/** The options of a mutation, for each method. A method that cannot be called is a property whose type says why. */
type Mutations<Target> = { readonly [Name in keyof Target as MethodName<Target, Name>]: Name extends keyof Methods<Target> ? Methods<Target>[Name] extends ((...args: never[]) => unknown) ? Target[Name] extends ((...args: infer Args) => infer Result) ? () => RpcMutationOptions<Received<Resolved<Result>>, Variables<PassedArgs<Target, Name, Args>>> : never : Methods<Target>[Name] : never; };
/**
 * Returns the methods of a client, as options of mutations. The variables of a mutation are the arguments of the method:
 * `mutate(5)` for one argument, and `mutate([card, column])` for several. An argument that is an array itself is passed
 * in an array: `mutate([[1, 2]])`.
 *
 * A mutation makes one call, and the client ensures that the call runs at most once. TanStack Query does not try again,
 * because another attempt would be another call.
 *
 * @param client - as in `queryOptions`. Without a client, the mutation rejects with a TypeError.
 * @throws TypeError for a value that is not a client
 * @example
 * const { mutate } = useMutation(mutationOptions(counter).increment());
 * mutate(5);
 */
export declare function mutationOptions<Target>(client: ClientOf<Target> | Nothing): Mutations<Target>;
/** The options of a query, for each method. A method that cannot be called is a property whose type says why. */
type Queries<Target> = { readonly [Name in keyof Target as MethodName<Target, Name>]: Name extends keyof Methods<Target> ? Methods<Target>[Name] extends ((...args: never[]) => unknown) ? Target[Name] extends ((...args: infer Args) => infer Result) ? (...args: PassedArgs<Target, Name, Args>) => RpcQueryOptions<QueryData<Received<Resolved<Result>>>> : never : Methods<Target>[Name] : never; };
/**
 * Returns the methods of a client, as options of queries: for `useQuery`, `createQuery`, `prefetchQuery` and all other
 * functions that take query options. Add options of your own by spreading: `{ ...queryOptions(room).getTopic(),
 * staleTime: 5_000 }`.
 *
 * Choose methods that only read: a query runs whenever TanStack Query decides. The type of a client does not know which
 * methods read. If the query is cancelled, or its last component leaves, the call is aborted.
 *
 * A query tries again after `DISCONNECTED` and `UNAVAILABLE`, at most three times, and not on a server. After all other
 * errors it fails at once: the client has tried already, or another attempt would fail in the same way.
 *
 * @param client - from `createRpcClient` or `useRpcClient`, or a capability; or nothing, `null`, `undefined` or
 *   `false`, as long as there is no client: the query is disabled then. `withOptions` sets the timeout of its calls.
 * @returns methods. A method throws an `RpcError` with the code `UNSERIALIZABLE` for arguments that cannot be sent as
 *   values, such as streams.
 * @throws TypeError for a value that is not a client
 * @example
 * const { data } = useQuery(queryOptions(counter).getValue());
 */
export declare function queryOptions<Target>(client: ClientOf<Target> | Nothing): Queries<Target>;
/**
 * Returns a key to invalidate all queries of a client, or all queries of one of its methods. The key of one query is in
 * its options: `queryOptions(room).getTopic().queryKey`.
 *
 * @param client - as in `queryOptions`
 * @param method - the name of a method. Default: all methods of the object, for all clients of the object.
 * @throws TypeError for a value that is not a client
 * @example
 * await queryClient.invalidateQueries({ queryKey: queryKey(room, 'getScore') });
 */
export declare function queryKey<Target>(client: ClientOf<Target> | Nothing, method?: keyof Queries<Target> & string): readonly unknown[];
export type { ClientOf, FeedQueries, FeedQueryOptions, FollowedQueryOptions, ListQueries, LiveOptions, LiveQueries, Mismatch, Mutations, Nothing, Queries, QueryContext, QueryData, QueryError, ReducedFeedQueryOptions, RpcCapability, RpcError, RpcErrorCode, RpcMutationOptions, RpcQueryOptions, ThrownError, Variables };