/** The feeds of an object that are in use: they send new events at the end of a turn. */
import { atEndOfTurn, contractOf, kvOf, perObject } from '../../../server/feature.ts';
import { textFrameCodec } from '../../../wire/frame-codec.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import type { FeedSubscription, JoinedFeed, Publisher } from './feed-subscription.ts';
import { FeedLog } from './feed-log.ts';
import { OpenFeed } from './open-feed.ts';

/** Number of feeds in memory from which feeds without subscribers are dropped. */
const FEEDS_TO_TIDY = 1_000;

export const feedsOf = /* @__PURE__ */ perObject((instance) => new Feeds(instance));

class Feeds implements Publisher {
  readonly #instance: object;
  readonly #open = new Map<string, OpenFeed<FeedLog>>();
  /** The feeds that got events in this turn. */
  readonly #appended = new Set<OpenFeed>();
  #toTidy = FEEDS_TO_TIDY;
  /** One function, so that the turn runs it once. */
  readonly #publish = (): void => this.#publishAll();

  constructor(instance: object) {
    this.#instance = instance;
  }

  /** The feed of the object that has a name. */
  open(name: string): OpenFeed<FeedLog> {
    let open = this.#open.get(name);
    if (!open) {
      if (this.#open.size >= this.#toTidy) this.#closeIdle();
      open = new OpenFeed(name, new FeedLog(kvOf(this.#instance), name));
      this.#open.set(name, open);
    }
    return open;
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
  }

  #publishAll(): void {
    // Copied, because events that a live method appends are published by the next run.
    const appended = [...this.#appended];
    this.#appended.clear();
    // To deliver reads the last page of the log.
    for (const feed of appended) if (feed.listeners.size > 0) this.deliver(feed, feed.listeners);
  }

  #closeIdle(): void {
    for (const [name, feed] of this.#open) {
      if (feed.listeners.size === 0 && !this.#appended.has(feed)) this.#open.delete(name);
    }
    // So that it does not run for each new feed if many feeds have subscribers.
    this.#toTidy = FEEDS_TO_TIDY + 2 * this.#open.size;
  }
}
