/** The subscriptions of one connection, and their records, which are stored for the time after hibernation. */
import type { StorableSubscription, Subscriptions } from '../contract/connection.ts';

/** A map with a property: another object would take each connection more memory. */
export class SubscriptionStore extends Map<number, StorableSubscription> implements Subscriptions {
  stored: Subscriptions['stored'] = [];

  get records(): Subscriptions['records'] {
    return [...this.stored, ...Array.from(this.values(), ({ state }) => state)];
  }
}
