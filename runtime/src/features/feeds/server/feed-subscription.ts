/** A subscription to a feed. Only acknowledgements are stored, because what has been sent follows from them. */
import type { Connection } from '../../../server/feature.ts';
import type { Subscription, SubscriptionState } from '../../subscriptions/server/subscription.ts';
import type { Position } from '../../subscriptions/wire.ts';

/** The feeds of its object. */
export interface Publisher {
  join(subscription: FeedSubscription): void;
  /** Sends the events that a subscription may get now. */
  resume(subscription: FeedSubscription): void;
  leave(subscription: FeedSubscription): void;
}

export class FeedSubscription implements Subscription {
  readonly connection: Connection;
  readonly subscriptionId: number;
  readonly name: string;
  readonly window: number;
  /** Identity of the capability whose method returned the feed, if there is one. */
  readonly capabilityToken: string | undefined;
  /** The epoch of the last event that has been sent; `undefined` if the log does not know it any more. */
  epoch: string | undefined;
  /** The number of the last event that the client has consumed. */
  acknowledged: number;
  /** The number of the last event that has been sent. */
  sent: number;
  readonly #feeds: Publisher;

  constructor(
    feeds: Publisher,
    connection: Connection,
    subscriptionId: number,
    name: string,
    { event, epoch }: Position,
    window: number,
    capabilityToken?: string,
  ) {
    this.#feeds = feeds;
    this.connection = connection;
    this.subscriptionId = subscriptionId;
    this.name = name;
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
    end: Position,
    epochOf: (event: number) => string | undefined,
  ): FeedSubscription {
    const [subscriptionId, , name, event, window, capabilityToken] = record as FeedRecord;
    const subscription = new FeedSubscription(
      feeds,
      connection,
      subscriptionId,
      name,
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

  /** The number of the last event that may be sent now. */
  get limit(): number {
    return this.acknowledged + this.window;
  }

  get state(): SubscriptionState {
    const { subscriptionId, name, acknowledged, window, capabilityToken } = this;
    const record = [subscriptionId, 'events', name, acknowledged, window] as const;
    return capabilityToken === undefined ? record : [...record, capabilityToken];
  }

  join(): void {
    this.#feeds.join(this);
  }

  acknowledge(count: number): void {
    if (count <= this.acknowledged || count > this.sent) return;
    this.acknowledged = count;
    this.#feeds.resume(this);
  }

  stop(): void {
    this.#feeds.leave(this);
  }
}

type FeedRecord = [
  subscriptionId: number,
  kind: 'events',
  name: string,
  acknowledged: number,
  window: number,
  capabilityToken?: string,
];
