/** Lets a store or a hook choose the subscription that it reads. */
import type { ClientOf } from '../../../wire/brands.ts';
import {
  subscribe,
  type SubscribeOptions,
  type Subscription,
  subscriptionKeyOf,
  type Subscriptions,
} from './subscribe.ts';

/** A value in place of a client or of a subscription while there is nothing to read yet. */
export type Nothing = null | undefined | false | '' | 0;

/**
 * Chooses a subscription.
 *
 * @param methods - `subscribe(client)`
 * @returns a subscription that one of the methods has returned, or nothing: `null`, `undefined` or `false`
 */
export type Selector<Target, Value> = (
  methods: Subscriptions<Target>,
) => Subscription<Value> | Nothing;

/**
 * Returns the chosen subscription, and a key that identifies its method, its arguments and its cursor; or `undefined` if
 * there is nothing to read.
 */
export function selectSubscription<Target, Value>(
  client: ClientOf<Target>,
  read: Selector<Target, Value> | Nothing,
  { after, onGap }: Pick<SubscribeOptions, 'after' | 'onGap'> = {},
): [key: string, Subscription<Value>] | undefined {
  if (!read) return;
  const methods = subscribe(client, { after, onGap });
  const subscription = read(methods);
  if (!subscription) return;
  const key = subscriptionKeyOf(subscription, methods);
  if (key === undefined) {
    throw new TypeError('`read` must return a subscription of the methods that it receives');
  }
  return [after === undefined ? key : `${key} after ${after}`, subscription];
}
