/** The hook for live values and feeds. Imports react. */
import { useEffect, useState } from 'react';
import type { Subscription } from '../rpc/client/subscribe.ts';

export interface Live<Value> {
  /** The newest value; `undefined` before the first one. */
  value?: Value;
  /** The error that ended the subscription. */
  error?: unknown;
}

/**
 * Subscribes while the component is mounted.
 *
 * @param subscription - create it outside the component: a new one in each render subscribes again
 * @example
 * const value = subscribe(counter).getValue();
 * const Value = () => <output>{useLive(value).value}</output>;
 */
export function useLive<Value>(subscription: Subscription<Value>): Live<Value>;
/**
 * Combines the events of a feed into one value.
 *
 * @param add - returns the next value from the previous value and an event; create it outside the
 *   component too
 */
export function useLive<Value, Event>(
  subscription: Subscription<Event>,
  add: (value: Value | undefined, event: Event) => Value,
): Live<Value>;
export function useLive(subscription: Subscription<unknown>, add = newest): Live<unknown> {
  const [live, setLive] = useState<Live<unknown>>({});
  useEffect(() => {
    const loop = subscription[Symbol.asyncIterator]();
    const follow = async (): Promise<void> => {
      for (;;) {
        const { done, value: event } = await loop.next();
        if (done) return;
        setLive(({ value }) => ({ value: add(value, event) }));
      }
    };
    follow().catch((error: unknown) => setLive(({ value }) => ({ value, error })));
    // Ends only this loop: other components may use the same subscription.
    return () => void loop.return?.();
  }, [subscription, add]);
  return live;
}

function newest(_: unknown, value: unknown): unknown {
  return value;
}
