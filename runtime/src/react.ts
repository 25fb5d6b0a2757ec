/** The hook for live values and feeds. Imports react. */
import { useEffect, useRef, useState } from 'react';
import type { Subscription } from './client/subscribe.ts';

export interface Live<Value> {
  /** The newest value; `undefined` before the first one, also after a change to another subscription. */
  value?: Value;
  /** The error that ended the subscription. */
  error?: unknown;
}

/** What the state holds, and to what it belongs. */
interface Held {
  subscription?: object;
  add?: object;
  live: Live<unknown>;
}

const NOTHING: Held = { live: {} };

/** After how many values in a row, each followed by another subscription, the console has an error. */
const MANY = 5;

/**
 * Subscribes while the component is mounted.
 *
 * @param subscription - create it outside the component, or with `useMemo` if it depends on a prop. A
 *   subscription that is created in each render is an endless loop: its first value renders again.
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
  const [held, setHeld] = useState<Held>(NOTHING);
  useStable(subscription, held);
  useEffect(() => {
    const loop = subscription[Symbol.asyncIterator]();
    let value: unknown;
    const show = (live: Live<unknown>): void => setHeld({ subscription, add, live });
    const follow = async (): Promise<void> => {
      for (;;) {
        const { done, value: event } = await loop.next();
        if (done) return;
        value = add(value, event);
        show({ value });
      }
    };
    follow().catch((error: unknown) => show({ value, error }));
    return () => {
      // If the component comes back to this subscription, it has missed events.
      setHeld(NOTHING);
      // Ends only this loop: other components may use the same subscription.
      void loop.return?.();
    };
  }, [subscription, add]);
  // With another subscription, React renders before it runs the effect.
  return held.subscription === subscription && held.add === add ? held.live : NOTHING.live;
}

function newest(_: unknown, value: unknown): unknown {
  return value;
}

/** Reports a component in which each value causes a render with another subscription. */
function useStable(subscription: object, held: Held): void {
  const last = useRef({ subscription, held, changes: 0 });
  useEffect(() => {
    const { current } = last;
    // A change without a new value comes from a prop.
    const isCaused = current.subscription !== subscription && current.held !== held;
    const changes = isCaused ? current.changes + 1 : 0;
    last.current = { subscription, held, changes };
    if (changes === MANY) {
      console.error(
        `useLive got another subscription in ${MANY} renders in a row, and subscribed each time. ` +
          'Create the subscription outside the component, or with useMemo.',
      );
    }
  });
}
