/** Collects the values that a subscription receives. */
import type { Subscription } from '../features/subscriptions/client/subscribe.ts';
import { RpcError } from '../wire/errors.ts';

/**
 * Subscribes until the client is closed, and collects the values that arrive. If the subscription ends with an error,
 * the console shows it. To expect an error, loop over the subscription.
 *
 * @param subscription - a method of `subscribe(client)`
 * @returns the values so far, oldest first; more are added as they arrive
 * @example
 * const values = collect(subscribe(counter).getValue());
 * await counter.increment();
 * await expect.poll(() => values).toEqual([0, 1]);
 */
export function collect<Value>(subscription: Subscription<Value>): Value[] {
  const values: Value[] = [];
  void (async () => {
    try {
      for await (const value of subscription) values.push(value);
    } catch (error) {
      const isClosed = error instanceof RpcError && error.code === 'CLOSED';
      if (!isClosed) console.error('A subscription that a test collects has ended:', error);
    }
  })();
  return values;
}
