/** A subscription to a feed. Only acknowledgements are stored, because they determine which events have been sent. */
import type { Connection } from '../../../server/feature.ts';
import type { RpcError } from '../../../wire/errors.ts';
import type { FrameCodec } from '../../../wire/frame-codec.ts';
import type { Subscription, SubscriptionState } from '../../subscriptions/server/subscription.ts';
import { encodeGap, encodeSubscribed, type Position } from '../../subscriptions/wire.ts';

/** The feed of a subscription. */
export interface JoinedFeed {
  readonly name: string;
  readonly isVolatile: boolean;
  readonly log: { readonly end: Position };
  readonly listeners: Set<FeedSubscription>;
  /** @returns the subscribers whose subscriptions end, each with its error */
  deliver(
    listeners: Iterable<FeedSubscription>,
    frames: FrameCodec,
  ): Map<FeedSubscription, RpcError>;
}

/** The feeds of the object. */
export interface Publisher {
  /** Sends the events that a subscription may get now. */
  resume(subscription: FeedSubscription): void;
}

export class FeedSubscription implements Subscription {
  readonly connection: Connection;
  readonly subscriptionId: number;
  readonly feed: JoinedFeed;
  readonly window: number;
  /** The token of the capability whose method returned the feed; `undefined` for a method of the object. */
  readonly capabilityToken: string | undefined;
  /** The epoch of the last event that has been sent; `undefined` if the log no longer knows it. */
  epoch: string | undefined;
  /** The number of the last event that the client has consumed. */
  acknowledged: number;
  /** The number of the last event that has been sent. */
  sent: number;
  /** True if the subscriber to a volatile feed lacks events that could not be sent. */
  isBehind = false;
  /** Set for a subscriber to a volatile feed from before hibernation, until it continues in the new log. */
  #restored: 'complete' | 'behind' | undefined;
  readonly #feeds: Publisher;

  constructor(
    feeds: Publisher,
    connection: Connection,
    subscriptionId: number,
    feed: JoinedFeed,
    { event, epoch }: Position,
    window: number,
    capabilityToken?: string,
  ) {
    this.#feeds = feeds;
    this.connection = connection;
    this.subscriptionId = subscriptionId;
    this.feed = feed;
    this.window = window;
    this.capabilityToken = capabilityToken;
    this.epoch = epoch;
    this.acknowledged = event;
    this.sent = event;
  }

  /**
   * Restores a subscription after hibernation.
   *
   * @param end - the end of the log, which has the event that was acknowledged
   * @param epochOf - returns the epoch of an event of the log
   */
  static restored(
    feeds: Publisher,
    connection: Connection,
    record: SubscriptionState,
    feed: JoinedFeed,
    end: Position,
    epochOf: (event: number) => string | undefined,
  ): FeedSubscription {
    const [subscriptionId, , , event, window, capabilityToken] = record as FeedRecord;
    const subscription = new FeedSubscription(
      feeds,
      connection,
      subscriptionId,
      feed,
      { event, epoch: '' },
      window,
      capabilityToken,
    );
    // Events up to the limit were sent in the turn in which they became available.
    subscription.sent = Math.min(end.event, subscription.limit);
    // If other events were sent, the client notices it at the next epoch, which begins with the next event.
    subscription.epoch = subscription.sent === end.event ? end.epoch : epochOf(subscription.sent);
    return subscription;
  }

  /**
   * Restores a subscription to a volatile feed after hibernation, at the end of the new log. A subscription that was
   * behind gets no events until its client has read the events that were sent.
   */
  static restoredVolatile(
    feeds: Publisher,
    connection: Connection,
    [subscriptionId, , , isBehind, window, capabilityToken]: VolatileRecord,
    feed: JoinedFeed,
  ): FeedSubscription {
    const { end } = feed.log;
    const subscription = new FeedSubscription(
      feeds,
      connection,
      subscriptionId,
      feed,
      end,
      window,
      capabilityToken,
    );
    subscription.isBehind = isBehind;
    subscription.#restored = isBehind ? 'behind' : 'complete';
    return subscription;
  }

  /** Returns the number of the last event that may be sent now. */
  get limit(): number {
    return this.#restored === 'behind' ? this.sent : this.acknowledged + this.window;
  }

  /** Begins again, before the first events after hibernation, because the numbers of a volatile feed begin anew. */
  goOn(epoch: string | undefined): void {
    if (!this.#restored) return;
    const { connection, subscriptionId, sent, window } = this;
    if (this.isBehind) connection.send(encodeGap(subscriptionId));
    connection.send(encodeSubscribed(subscriptionId, { event: sent, epoch: epoch ?? '' }, window));
    this.#restored = undefined;
  }

  get state(): SubscriptionState {
    const { subscriptionId, feed, window, capabilityToken } = this;
    const position = feed.isVolatile ? this.isBehind : this.acknowledged;
    const record = [subscriptionId, 'events', feed.name, position, window] as const;
    return capabilityToken === undefined ? record : [...record, capabilityToken];
  }

  join(): void {
    this.feed.listeners.add(this);
  }

  acknowledge(count: number): void {
    if (this.#restored === 'behind') {
      this.#restored = 'complete';
      return this.#feeds.resume(this);
    }
    if (count <= this.acknowledged || count > this.sent) return;
    this.acknowledged = count;
    this.#feeds.resume(this);
  }

  stop(): void {
    this.feed.listeners.delete(this);
  }
}

/** The record of a subscription to a volatile feed. It has no number of an event, because hibernation loses the log. */
export type VolatileRecord = readonly [
  subscriptionId: number,
  kind: 'events',
  name: string,
  isBehind: boolean,
  window: number,
  capabilityToken?: string,
];

type FeedRecord = [
  subscriptionId: number,
  kind: 'events',
  name: string,
  acknowledged: number,
  window: number,
  capabilityToken?: string,
];
