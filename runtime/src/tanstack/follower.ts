/**
 * Lets the data of a query follow a subscription, from the first component that uses the query to the last. The query
 * function resolves with the first value. Later values are written into the query, which is idle meanwhile. So nothing
 * waits for the end of a subscription, which may never end.
 */
import type { Query, QueryCacheNotifyEvent, QueryClient } from '@tanstack/query-core';
import { hasWindow } from '../client/client-store.ts';
import { internalsOf } from '../client/proxy.ts';
import type { Session } from '../client/session.ts';
import { type LiveOptions, liveStore } from '../features/live/client/live-store.ts';
import type {
  ResumableSubscription,
  Subscriptions,
} from '../features/subscriptions/client/subscribe.ts';
import { RpcError } from '../wire/errors.ts';
import type { MethodCall } from './methods.ts';
import { callOnce, dataOf } from './query-options.ts';
import type { QueryContext } from './types.ts';

/** The functions that combine the events of a feed into data. */
export interface Feed extends LiveOptions {
  readonly reducer: (value: unknown, event: unknown) => unknown;
  readonly initialValue: unknown;
}

/** The subscription that a query follows. */
export interface Source extends MethodCall {
  /** The functions that combine the events; absent for a live value. */
  readonly feed?: Feed;
}

type Methods = Record<string, (...args: unknown[]) => ResumableSubscription<unknown>>;

/**
 * The subscription of each query function. The options of a component have the function, and so choose the
 * subscription.
 */
const sources = new WeakMap<object, Source>();

const followers = new WeakMap<object, Follower>();

/** The caches whose components are watched. */
const watched = new WeakSet<object>();

/** Returns the function of a query that follows a subscription. */
export function follow(source: Source): (context: QueryContext) => Promise<unknown> {
  const read = async ({ client, queryKey, signal }: QueryContext): Promise<unknown> => {
    const cache = (client as QueryClient).getQueryCache();
    const query = cache.find({ queryKey, exact: true });
    if (!query)
      throw new TypeError(
        'The cache has no query with this key: pass the options to useQuery or fetchQuery',
      );
    if (!watched.has(cache)) {
      watched.add(cache);
      cache.subscribe((event) => followers.get(event.query)?.notice(event));
    }
    const follower = followers.get(query) ?? new Follower(query);
    followers.set(query, follower);
    return follower.read(source, signal);
  };
  sources.set(read, source);
  return read;
}

/** Returns whether the data of a query are the newest, and stay the newest. */
export function isFollowed(query: object): boolean {
  return followers.get(query)?.isFollowing ?? false;
}

/** A subscription that is open. */
interface Following {
  readonly source: Source;
  readonly stop: () => void;
}

/** A query function that waits. */
interface Waiting {
  readonly signal: AbortSignal;
  readonly resolve: (value: unknown) => void;
  readonly reject: (thrown: unknown) => void;
}

class Follower {
  readonly #query: Query;
  #following: Following | undefined;
  /** The query function that waits for the first value. */
  #first: Waiting | undefined;
  /** The newest data of the subscription that is open. */
  #newest: unknown;
  /** The data that the query function has returned last. */
  #returned: unknown;
  /** The subscription to a feed that was opened last, for its cursor. */
  #feed: ResumableSubscription<unknown> | undefined;

  constructor(query: Query) {
    this.#query = query;
  }

  get isFollowing(): boolean {
    return !!this.#following && !this.#first;
  }

  /** Returns the data, and follows them from now on if a component wants that. */
  async read(source: Source, signal: AbortSignal): Promise<unknown> {
    if (this.isFollowing) {
      // The function waits for the other messages of the current frame. For example, an answer after which queries are
      // invalidated may be followed by new values.
      await new Promise((resolve) => setTimeout(resolve));
      if (this.isFollowing) return (this.#returned = this.#newest);
    }
    // The source of the function is not used, because its client may be closed by now.
    const [wanted] = this.#wanted();
    // On a server that renders a page, the client may use HTTP, which cannot subscribe. The query then calls the method
    // once.
    if (!wanted || !(sessionOf(wanted.source)?.transport.isDuplex || hasWindow())) {
      const { feed } = source;
      return feed ? (this.#data ?? feed.initialValue) : callOnce(source, signal);
    }
    // This function replaces a function that was cancelled.
    const first = new Promise((resolve, reject) => (this.#first = { signal, resolve, reject }));
    if (!this.#following) this.#begin(wanted.source);
    return first;
  }

  /** Handles an event of the query. */
  notice(event: QueryCacheNotifyEvent): void {
    const { type } = event;
    if (type === 'removed') this.#end();
    else if (type === 'updated') {
      const { action } = event;
      const isFetched = action.type === 'success' && !action.manual;
      // A newer value has arrived since the query function returned: a persister can wait in between.
      if (isFetched && this.isFollowing && this.#newest !== this.#returned)
        this.#write((this.#returned = this.#newest));
    } else if (type.startsWith('observer') && type !== 'observerResultsUpdated') {
      // The check is delayed, because strict mode removes a component and adds it again at once.
      queueMicrotask(() => this.#check(type === 'observerAdded'));
    }
  }

  /** Ends a subscription that no component wants, and begins a subscription that a component wants. */
  #check(isAdded: boolean): void {
    const { status, fetchStatus } = this.#query.state;
    const wanted = this.#wanted();
    const followed = this.#following?.source;
    if (followed) {
      // Clients of the same object share the query. The client in use may be closed when its components leave.
      if (wanted.some(({ source }) => sessionOf(source) === sessionOf(followed))) return;
      this.#end();
    } else if (!isAdded || status !== 'success' || fetchStatus !== 'idle') return;
    if (wanted[0]) this.#query.fetch(wanted[0].options).catch(ignore);
  }

  /** Returns the options of the components that want to follow. */
  #wanted() {
    if (!this.#query.isActive()) return [];
    return this.#query.observers.flatMap(({ options }) => {
      const source = sources.get(Object(options.queryFn) as object);
      return source?.client ? [{ source, options }] : [];
    });
  }

  #begin(source: Source): void {
    const { client, method, args, feed } = source;
    const goesOn = this.#feed && this.#data !== undefined;
    const after = (goesOn && this.#feed?.cursor) || feed?.after;
    let subscription: ResumableSubscription<unknown> | undefined;
    const choose = (methods: Subscriptions<unknown>) =>
      (subscription = (methods as Methods)[method]?.(...args));
    try {
      const store = feed
        ? // The function is called with each event that the cursor passes, also after the end.
          liveStore(client, choose, (_, event) => this.#take(feed.reducer(this.#data, event)), {
            after,
            onGap: feed.onGap,
          })
        : liveStore(client, choose);
      const following = (this.#following = { source, stop: ignore });
      const stop = store.subscribe((live) => {
        if ('error' in live) this.#fail(live.error);
        else if ('value' in live && !feed) this.#take(dataOf(live.value));
      });
      if (this.#following !== following) return stop();
      this.#following = { source, stop };
      if (!feed) return;
      this.#feed = subscription;
      this.#take(goesOn ? this.#data : feed.initialValue);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  get #data(): unknown {
    return this.#query.state.data;
  }

  #take(data: unknown): void {
    const first = this.#first;
    this.#first = undefined;
    this.#newest = data;
    if (!first || first.signal.aborted) return this.#write(data);
    this.#returned = data;
    first.resolve(data);
  }

  #write(data: unknown): void {
    this.#query.setData(data, { manual: true });
  }

  #fail(thrown: unknown): void {
    const first = this.#first;
    const options = this.#wanted()[0]?.options;
    this.#first = undefined;
    this.#end();
    if (thrown instanceof RpcError && thrown.code === 'CURSOR_EXPIRED') this.#feed = undefined;
    if (first) return first.reject(thrown);
    // The query fails as if its function had failed, so it tries again after errors that can be over.
    const initialPromise = Promise.reject(thrown);
    initialPromise.catch(ignore);
    this.#query.fetch(options, { initialPromise }).catch(ignore);
  }

  /** Ends the subscription. A query function that waits for the first value is cancelled. */
  #end(): void {
    const following = this.#following;
    this.#following = undefined;
    following?.stop();
    if (!this.#first) return;
    this.#first = undefined;
    void this.#query.cancel({ revert: true });
  }
}

function sessionOf({ client }: Source): Session | undefined {
  return client ? internalsOf(client)[0] : undefined;
}

function ignore(): void {}
