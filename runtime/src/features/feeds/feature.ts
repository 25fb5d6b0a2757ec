/** Feeds, whose events reach each subscriber once and in order. */
import {
  methodEntry,
  type MethodEntry,
  type MethodOptions,
  type Output,
  type Returns,
  type Schemas,
} from '../../server/feature.ts';
import { subscriptions } from '../subscriptions/feature.ts';
import type { SubscriptionFeature } from '../subscriptions/server/subscription.ts';
import { feedEvents } from './server/feed-kind.ts';
import { storedFeedsOf } from './server/stored-feeds.ts';

export { feed, type Feed, type FeedOptions, type FeedReadOptions } from './server/feed.ts';
export type { FeedEvent, FeedPage } from './wire.ts';

const feeds: SubscriptionFeature = {
  name: 'feeds',
  version: 1,
  needs: [subscriptions],
  kinds: [feedEvents],
  inspect: (instance) => ({ feeds: storedFeedsOf(instance) }),
  compile: (_, { kind }) => (kind === 'events' ? { subscribableResult: 'a feed' } : undefined),
};

/**
 * The entry of a method that returns a feed, from `feed(this, name)`. The method changes nothing. Clients subscribe to the
 * events of the feed.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the events; `output`, the schema of an event; `title`;
 *   `description`
 * @returns the entry
 * @example
 * messages: events(),
 */
export function events<
  const Input extends Schemas = readonly [],
  const Class extends Returns = undefined,
  Sent extends Output = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: MethodOptions<Class, Sent>,
): MethodEntry<'events', NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>> {
  return methodEntry('events', feeds, true, schemas, options);
}
