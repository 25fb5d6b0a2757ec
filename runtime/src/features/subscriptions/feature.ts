/** Subscriptions: what live values, feeds, streams and rows are built on. */
import type { Feature } from '../../server/contract/compiled.ts';
import { contractOf } from '../../server/contract/contract-of.ts';
import { handleSubscriptionMessage } from './server.ts';
import { endSubscriptionsOf, subscribersOf } from './subscribers.ts';
import { kindsOf } from './subscription.ts';

export const subscriptions: Feature = {
  name: 'subscriptions',
  version: 1,
  messages: {
    subscribe: handleSubscriptionMessage,
    ack: handleSubscriptionMessage,
    unsubscribe: handleSubscriptionMessage,
  },
  wakes(instance, peer) {
    const contract = contractOf(instance);
    const kinds = contract && kindsOf(contract);
    // The streams were lost with the object's memory, and a deployment may have removed a kind. This restores the
    // subscribers, which ends the streams and drops the rest.
    const isGone = ([, kind]: readonly unknown[]): boolean =>
      kind === 'stream' || !kinds?.has(kind as string);
    if (peer.kept.some(isGone)) subscribersOf(instance);
  },
  ended: endSubscriptionsOf,
  revoked: (instance, capabilityToken) => subscribersOf(instance).revoked(capabilityToken),
};
