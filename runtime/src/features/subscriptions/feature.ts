/** Subscriptions: what live values, feeds, streams and rows are built on. */
import type { Feature } from '../../server/contract/compiled.ts';
import { hearSubscriber } from './server.ts';
import { forgetListener, subscribersOf } from './subscribers.ts';

export const subscriptions: Feature = {
  name: 'subscriptions',
  version: 1,
  messages: { subscribe: hearSubscriber, ack: hearSubscriber, unsubscribe: hearSubscriber },
  wakes(instance, peer) {
    // The streams were lost with the object's memory. This restores the subscribers, which ends the streams.
    if (peer.kept.some(([, kind]) => kind === 'stream')) subscribersOf(instance);
  },
  ended: forgetListener,
  revoked: (instance, seal) => subscribersOf(instance).revoked(seal),
};
