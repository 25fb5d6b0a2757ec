/** How a store or a hook chooses what to subscribe to. */
import type { ClientOf } from '../../../wire/brands.ts';
import {
  subscribe,
  type SubscribeOptions,
  type Subscription,
  subscriptionKeyOf,
  type Subscriptions,
} from './subscribe.ts';

/** In place of a client or of what it reads: there is nothing to read yet. */
export type Nothing = null | undefined | false | '' | 0;

/**
 * Chooses what to subscribe to.
 *
 * @param methods - `subscribe(client)`
 * @returns a subscription that one of the methods has returned, or nothing: `null`, `undefined` or `false`
 */
export type Selector<Target, Value> = (
  methods: Subscriptions<Target>,
) => Subscription<Value> | Nothing;

/**
 * Returns what is read, and text that is the same for the same method, arguments and cursor; or `undefined` if there is
 * nothing to read.
 */
export function selectSubscription<Target, Value>(
  client: ClientOf<Target>,
  read: Selector<Target, Value> | Nothing,
  { after }: Pick<SubscribeOptions, 'after'> = {},
): [key: string, Subscription<Value>] | undefined {
  if (!read) return;
  const methods = subscribe(client, { after });
  const subscription = read(methods);
  if (!subscription) return;
  const key = subscriptionKeyOf(subscription, methods);
  if (key === undefined) {
    throw new TypeError('`read` must return a subscription of the methods that it gets');
  }
  return [after === undefined ? key : `${key} after ${after}`, subscription];
}
