/** Feeds: events that reach each subscriber once and in order. */
import type { Feature } from '../../server/contract/compiled.ts';
import { subscriptions } from '../subscriptions/feature.ts';

export const feeds: Feature = {
  name: 'feeds',
  version: 1,
  needs: [subscriptions],
  compile: (_, { kind }) => (kind === 'events' ? { returned: 'a feed' } : undefined),
};
