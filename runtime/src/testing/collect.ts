/** Collects what a subscription receives. */
import type { Subscription } from '../client/subscribe.ts';
import { RpcError } from '../wire/errors.ts';

/**
 * Subscribes until the client is closed, and collects what arrives. If the subscription ends with an error, the
 * error is not handled, so that the test run fails with it. Loop over the subscription to expect an error.
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
      if (!(error instanceof RpcError && error.code === 'CLOSED')) throw error;
    }
  })();
  return values;
}
