/** The feeds of an object that are in use. They send new events at the end of a turn. */
import {
  atEndOfTurn,
  CacheMemory,
  contractOf,
  DEFAULT_LIMITS,
  kvOf,
  perObject,
} from '../../../server/feature.ts';
import { textFrameCodec } from '../../../wire/frame-codec.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import type { FeedSubscription, JoinedFeed, Publisher } from './feed-subscription.ts';
import { FeedLog } from './feed-log.ts';
import { OpenFeed } from './open-feed.ts';
import { VolatileLog } from './volatile-log.ts';

/** Number of feeds in memory from which feeds without subscribers are dropped. */
const FEEDS_TO_TIDY = 1_000;

export const feedsOf = /* @__PURE__ */ perObject((instance) => new Feeds(instance));

class Feeds implements Publisher {
  readonly #instance: object;
  readonly #open = new Map<string, OpenFeed<FeedLog>>();
  /** The volatile feeds, whose events are in memory, by their names. */
  readonly #volatile = new Map<string, OpenFeed<VolatileLog>>();
  /** The account of the events of volatile feeds; `undefined` without a volatile feed. */
  #memory: CacheMemory | undefined;
  /** The feeds to which events were added in this turn. */
  readonly #appended = new Set<OpenFeed>();
  #toTidy = FEEDS_TO_TIDY;
  /** Publishes new events. Each request of a turn passes this one function, so the turn runs it once. */
  readonly #publish = (): void => this.#publishAll();

  constructor(instance: object) {
    this.#instance = instance;
  }

  /** Returns the feed of the object with a name. A volatile feed and a stored feed can have equal names. */
  open(name: string, isVolatile = false): OpenFeed<FeedLog> {
    const known = (isVolatile ? this.#volatile : this.#open).get(name);
    if (known) return known;
    if (this.#open.size + this.#volatile.size >= this.#toTidy) this.#closeIdle();
    if (isVolatile) {
      const open = new OpenFeed(name, new VolatileLog(name));
      this.#volatile.set(name, open);
      return open;
    }
    const open = new OpenFeed(name, new FeedLog(kvOf(this.#instance), name));
    this.#open.set(name, open);
    return open;
  }

  /** Counts the bytes that a log holds in memory. */
  weigh(log: FeedLog, size = log instanceof VolatileLog ? log.size : 0): void {
    if (!(log instanceof VolatileLog)) return;
    const { limits } = contractOf(this.#instance) ?? { limits: DEFAULT_LIMITS };
    (this.#memory ??= new CacheMemory(this.#instance, limits)).set(log, size);
  }

  /** Publishes the new events of a feed at the end of the turn. */
  appended(feed: OpenFeed): void {
    this.#appended.add(feed);
    atEndOfTurn(this.#instance, 'events', this.#publish);
  }

  resume(subscription: FeedSubscription): void {
    // The number of the event may take more bytes than before.
    if (
      subscribersOf(this.#instance).storeState(subscription.connection, subscription.subscriptionId)
    )
      this.deliver(subscription.feed, [subscription]);
  }

  deliver(feed: JoinedFeed, listeners: Iterable<FeedSubscription>): void {
    const { frames } = contractOf(this.#instance) ?? { frames: textFrameCodec };
    for (const [{ connection, subscriptionId }, thrown] of feed.deliver(listeners, frames)) {
      subscribersOf(this.#instance).end(connection, subscriptionId, { thrown });
    }
    if (!feed.isVolatile) return;
    for (const subscription of feed.listeners) this.#noteBehind(subscription);
  }

  /** Stores whether a subscriber to a volatile feed lacks events, because it will have missed them after hibernation. */
  #noteBehind(subscription: FeedSubscription): void {
    const { feed, sent, isBehind, connection, subscriptionId } = subscription;
    subscription.isBehind = sent < feed.log.end.event;
    if (subscription.isBehind !== isBehind)
      subscribersOf(this.#instance).storeState(connection, subscriptionId);
  }

  #publishAll(): void {
    // The set is copied, because the next run publishes events that a live method appends.
    const appended = [...this.#appended];
    this.#appended.clear();
    // Feeds without listeners are skipped, because delivering reads the last page of the log.
    for (const feed of appended) if (feed.listeners.size > 0) this.deliver(feed, feed.listeners);
  }

  #closeIdle(): void {
    const isIdle = (feed: OpenFeed): boolean =>
      feed.listeners.size === 0 && !this.#appended.has(feed);
    for (const [name, feed] of this.#open) if (isIdle(feed)) this.#open.delete(name);
    for (const [name, feed] of this.#volatile) {
      if (!isIdle(feed)) continue;
      this.#volatile.delete(name);
      this.weigh(feed.log, 0);
    }
    // The next tidying comes later if many feeds have subscribers, so that it does not run for each new feed.
    this.#toTidy = FEEDS_TO_TIDY + 2 * (this.#open.size + this.#volatile.size);
  }
}
