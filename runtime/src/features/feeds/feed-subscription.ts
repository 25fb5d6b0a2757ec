/** A subscription to a feed. Only acknowledgements are stored, because what has been sent follows from them. */
import type { Connection as Peer } from '../../server/contract/connection.ts';
import type { Subscription, SubscriptionRecord } from '../subscriptions/subscription.ts';
import type { Position } from '../subscriptions/wire.ts';

/** The feeds of its object. */
export interface Publisher {
  join(subscription: FeedSubscription): void;
  /** Sends the events that a subscription may get now. */
  resume(subscription: FeedSubscription): void;
  leave(subscription: FeedSubscription): void;
}

export class FeedSubscription implements Subscription {
  readonly peer: Peer;
  readonly n: number;
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
    peer: Peer,
    n: number,
    name: string,
    { event, epoch }: Position,
    window: number,
    capabilityToken?: string,
  ) {
    this.#feeds = feeds;
    this.peer = peer;
    this.n = n;
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
    peer: Peer,
    record: SubscriptionRecord,
    end: Position,
    epochOf: (event: number) => string | undefined,
  ): FeedSubscription {
    const [n, , name, event, window, capabilityToken] = record as FeedRecord;
    const one = new FeedSubscription(
      feeds,
      peer,
      n,
      name,
      { event, epoch: '' },
      window,
      capabilityToken,
    );
    // Events up to the limit were sent in the turn in which they became available.
    one.sent = Math.min(end.event, one.limit);
    // If other events were sent, the client notices it at the next epoch, which begins with the next event.
    one.epoch = one.sent === end.event ? end.epoch : epochOf(one.sent);
    return one;
  }

  /** The number of the last event that may be sent now. */
  get limit(): number {
    return this.acknowledged + this.window;
  }

  get record(): SubscriptionRecord {
    const { n, name, acknowledged, window, capabilityToken } = this;
    const record = [n, 'events', name, acknowledged, window] as const;
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
  n: number,
  kind: 'events',
  name: string,
  acknowledged: number,
  window: number,
  capabilityToken?: string,
];
