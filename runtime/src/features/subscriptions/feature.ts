/** Subscriptions, on which live values, feeds, streams and rows are built. */
import { contractOf, type Feature } from '../../server/feature.ts';
import { handleSubscriptionMessage } from './server/subscription-messages.ts';
import { endSubscriptionsOf, subscribersOf } from './server/subscribers.ts';
import { kindsOf } from './server/subscription.ts';

export const subscriptions: Feature = {
  name: 'subscriptions',
  version: 1,
  messages: {
    subscribe: handleSubscriptionMessage,
    ack: handleSubscriptionMessage,
    unsubscribe: handleSubscriptionMessage,
  },
  onWake(instance, connection) {
    const contract = contractOf(instance);
    const kinds = contract && kindsOf(contract);
    // The streams were lost with the object's memory, and a deployment may have removed a kind. This restores the
    // subscribers, which ends the streams and drops the rest.
    const isGone = ([, kind]: readonly unknown[]): boolean =>
      kind === 'stream' || !kinds?.has(kind as string);
    if (connection.subscriptions.stored.some(isGone)) subscribersOf(instance);
  },
  onDisconnect: endSubscriptionsOf,
  onRevoke: (instance, capabilityToken, error) =>
    subscribersOf(instance).revoked(capabilityToken, error),
};
