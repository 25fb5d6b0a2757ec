/** The subscriptions of one connection, and their records, which are stored for the time after hibernation. */
import type { StorableSubscription, Subscriptions } from '../contract/connection.ts';

/** A map with an additional property, because a second object would take more memory for each connection. */
export class SubscriptionStore extends Map<number, StorableSubscription> implements Subscriptions {
  stored: Subscriptions['stored'] = [];

  get records(): Subscriptions['records'] {
    return [...this.stored, ...Array.from(this.values(), ({ state }) => state)];
  }
}
