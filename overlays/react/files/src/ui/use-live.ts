/** The hook for live values and feeds. Imports react. */
import { useEffect, useState } from 'react';
import type { Subscription } from '../rpc/client/subscribe.ts';

export interface Live<Value> {
  /** The newest; `undefined` before the first. */
  value?: Value;
  /** What has ended the subscription. */
  error?: unknown;
}

/**
 * Subscribes while the component is there.
 *
 * @param subscription - made outside the component: a new one in each render would subscribe each time
 * @example
 * const value = subscribe(counter).getValue();
 * const Value = () => <output>{useLive(value).value}</output>;
 */
export function useLive<Value>(subscription: Subscription<Value>): Live<Value>;
/**
 * Puts the events of a feed together.
 *
 * @param add - makes the next value of an event and the value before; made outside the component, too
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
    // Ends this loop alone: other components may follow the same subscription.
    return () => void loop.return?.();
  }, [subscription, add]);
  return live;
}

function newest(_: unknown, value: unknown): unknown {
  return value;
}
