import { Subscription } from "./subscribe.js";
export interface Live<Value> {
  /** The newest value; `undefined` before the first one, also after a change to another subscription. */
  value?: Value;
  /** The error that ended the subscription. */
  error?: unknown;
}
/**
 * Subscribes while the component is mounted.
 *
 * @param subscription - create it outside the component, or with `useMemo` if it depends on a prop. A
 *   subscription that is created in each render is an endless loop: its first value renders again.
 * @example
 * const value = subscribe(counter).getValue();
 * const Value = () => <output>{useLive(value).value}</output>;
 */
export declare function useLive<Value>(subscription: Subscription<Value>): Live<Value>;
/**
 * Combines the events of a feed into one value.
 *
 * @param add - returns the next value from the previous value and an event; create it outside the
 *   component too
 */
export declare function useLive<Value, Event>(subscription: Subscription<Event>, add: (value: Value | undefined, event: Event) => Value): Live<Value>;