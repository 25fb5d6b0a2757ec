/** Queries whose data follow a subscription: to a live value, or to a feed. */
import type { Received, Resolved } from '../client/client-types.ts';
import type { LiveOptions } from '../features/live/client/live-store.ts';
import type { Nothing } from '../features/subscriptions/client/selector.ts';
import type {
  ResumableSubscription,
  Subscriptions,
} from '../features/subscriptions/client/subscribe.ts';
import type {
  ClientOf,
  IsFeed,
  IsSubscribed,
  KindIn,
  MethodKindsOf,
  MethodName,
  Mismatch,
} from '../wire/brands.ts';
import { type Feed, follow, isFollowed, type Source } from './follower.ts';
import { methodsOf } from './methods.ts';
import { optionsOf } from './query-options.ts';
import type { QueryData, FollowedQueryOptions } from './types.ts';

/**
 * The options of a query that follows a live value, for each live method. Any other method is a property whose type
 * says why it cannot be followed.
 */
export type LiveQueries<Target> = {
  readonly [
    Name in keyof Target as MethodName<Target, Name>
  ]: Name extends keyof Subscriptions<Target>
    ? KindOf<Target, Name> extends 'live'
      ? Subscriptions<Target>[Name] extends (...args: infer Args) => unknown
        ? Target[Name] extends (...args: never[]) => infer Result
          ? (...args: Args) => FollowedQueryOptions<QueryData<Received<Resolved<Result>>>>
          : never
        : never
      : NotFollowed<Target, Name, 'the method is not a live value: for a feed, write feedOptions'>
    : never;
};

/** The options of a query that collects the events of a feed in a list, for each method. */
export type ListQueries<Target> = {
  readonly [
    Name in keyof Target as MethodName<Target, Name>
  ]: Name extends keyof Subscriptions<Target>
    ? KindOf<Target, Name> extends 'events'
      ? Subscriptions<Target>[Name] extends (
          ...args: infer Args
        ) => ResumableSubscription<infer Event>
        ? (...args: Args) => FollowedQueryOptions<Event[]>
        : never
      : NotFollowed<Target, Name, 'the method returns no feed'>
    : never;
};

/** The options of a query that combines the events of a feed into one value, for each method. */
export type FeedQueries<Target, Event, Value> = {
  readonly [
    Name in keyof Target as MethodName<Target, Name>
  ]: Name extends keyof Subscriptions<Target>
    ? KindOf<Target, Name> extends 'events'
      ? Subscriptions<Target>[Name] extends (
          ...args: infer Args
        ) => ResumableSubscription<infer Sent>
        ? [Sent] extends [Event]
          ? (...args: Args) => FollowedQueryOptions<Value>
          : Mismatch<'the reducer takes other events than the feed has'>
        : never
      : NotFollowed<Target, Name, 'the method returns no feed'>
    : never;
};

/** The kind of a method. Without a contract, the kind follows from the type of the result. */
type KindOf<Target, Name extends keyof Target> =
  MethodKindsOf<Target> extends infer Kinds
    ? Kinds extends undefined
      ? Target[Name] extends (...args: never[]) => infer Result
        ? IsFeed<Result> extends true
          ? 'events'
          : IsSubscribed<Result> extends true
            ? 'stream'
            : 'live'
        : never
      : Name extends keyof Kinds
        ? KindIn<Kinds[Name]>
        : 'call'
    : never;

/**
 * The reason why a method cannot be followed: the reason that `subscribe` gives, unless clients can subscribe to the
 * method.
 */
type NotFollowed<
  Target,
  Name extends keyof Subscriptions<Target>,
  Reason,
> = Subscriptions<Target>[Name] extends (...args: never[]) => unknown
  ? Mismatch<Reason>
  : Subscriptions<Target>[Name];

/** The options of a query of a feed. */
export interface FeedQueryOptions extends LiveOptions {
  reducer?: undefined;
  initialValue?: undefined;
}

/** The options of a query that combines the events of a feed into one value. */
export interface ReducedFeedQueryOptions<Event, Value> extends LiveOptions {
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
export function liveOptions<Target>(client: ClientOf<Target> | Nothing): LiveQueries<Target> {
  return methodsOf(client, (call) => followedOptions(call));
}

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
export function feedOptions<Target>(
  client: ClientOf<Target> | Nothing,
  options?: FeedQueryOptions,
): ListQueries<Target>;
export function feedOptions<Target, Event, Value>(
  client: ClientOf<Target> | Nothing,
  options: ReducedFeedQueryOptions<Event, Value>,
): FeedQueries<Target, Event, Value>;
export function feedOptions(
  client: ClientOf<unknown> | Nothing,
  {
    after,
    onGap,
    reducer = append,
    initialValue = [],
  }: LiveOptions & Partial<ReducedFeedQueryOptions<unknown, unknown>> = {},
): unknown {
  return methodsOf(client, (call) =>
    followedOptions({ ...call, feed: { after, onGap, reducer, initialValue } }),
  );
}

function followedOptions(source: Source): FollowedQueryOptions<unknown> {
  const { after } = source.feed ?? {};
  return {
    ...optionsOf(source, follow(source), ...(after === undefined ? [] : [{ after }])),
    staleTime: (query) => (isFollowed(query) ? Infinity : 0),
    // A mount runs a query that is not followed even if its data are fresh: in React, data are fresh for a second after
    // a component was suspended.
    refetchOnMount: (query) => (isFollowed(query) ? false : 'always'),
  };
}

const append: Feed['reducer'] = (events, event) => [...(events as unknown[]), event];
