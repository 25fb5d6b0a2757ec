/** Live values: methods whose result is sent again whenever it changes. */
import type { CallMessage } from '../../wire/messages.ts';
import { checkCallSize } from '../subscriptions/begin-subscription.ts';
import { subscriptions } from '../subscriptions/feature.ts';
import { subscribersOf } from '../subscriptions/subscribers.ts';
import type { SubscriptionFeature, SubscriptionKind } from '../subscriptions/subscription.ts';
import { liveCallsOf, LiveSubscription } from './live-calls.ts';

const live: SubscriptionKind = {
  name: 'live',
  begin({ n, peer, target: { instance }, call }) {
    checkCallSize(call);
    const calls = liveCallsOf(instance);
    const one = new LiveSubscription(calls, peer, n, call);
    subscribersOf(instance).add(one, peer);
    peer.countCall();
    peer.push(`["subscribed",${n}]`);
    calls.updateSome([one]);
  },
  *restore(kept, instance) {
    const calls = liveCallsOf(instance);
    for (const one of kept) {
      const [n, , call, isStalled] = one.record;
      yield [
        one,
        new LiveSubscription(calls, one.peer, n, call as CallMessage, isStalled as boolean),
      ];
    }
  },
};

export const liveValues: SubscriptionFeature = {
  name: 'live',
  version: 1,
  needs: [subscriptions],
  kinds: [live],
  changed,
};

/**
 * Reports that live values may have changed, outside of a call of a contract's method: in an alarm or in the
 * class's own `fetch`. An asynchronous method needs it only to send a change before the method ends. Values that
 * have changed are sent at the end of the turn.
 *
 * @param instance - the object
 * @example
 * override alarm(): void { this.ctx.storage.kv.delete('topic'); changed(this); }
 */
export function changed(instance: object): void {
  // They may be from before hibernation.
  subscribersOf(instance).restore(live);
  liveCallsOf(instance).changed();
}
