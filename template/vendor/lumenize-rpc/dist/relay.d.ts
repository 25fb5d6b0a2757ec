import { HasEvents, MethodKindsOf, NamesOf } from "./wire.js";
import { Stub } from "./client-core.js";
interface RelayOptions {
  /**
   * How many of the newest events of each feed are in memory, for clients that were disconnected. It asks the origin for
   * older ones. Default 1 000.
   */
  keep?: number | undefined;
  /**
   * How many events are sent to a subscriber before it has read the first of them. A subscriber acknowledges half of
   * them at a time, and these messages are billed. Default 64.
   */
  window?: number | undefined;
  /** How long a relay without subscribers stays connected to the origin, in milliseconds. Default 10 000. */
  linger?: number | undefined;
  /** What `currentCaller()` returns in the origin. Default: `undefined`. */
  caller?: unknown;
}
/** What a method of a relay returns that the contract lists by `events`. */
interface RelayedFeed<Event> extends HasEvents<Event> {}
/** What a method of a relay reads that the contract lists by `live`. */
interface RelayedValue<Value> {
  /** The newest value. To read it throws as long as the relay does not have it; a live method then sends it later. */
  readonly value: Value;
}
type MethodsOf<Target, Kind extends 'events' | 'live'> = NamesOf<MethodKindsOf<Target>, Kind> & keyof Target;
type ArgsOf<Method> = Method extends ((...args: infer Args) => unknown) ? Args : never;
type EventOf<Method> = Method extends ((...args: never[]) => HasEvents<infer Event>) ? Event : never;
type ValueOf<Method> = Method extends ((...args: never[]) => infer Value) ? Value : never;
/**
 * Makes an object a relay of another one: it subscribes to feeds and live values of the origin while it has subscribers
 * itself, and serves them from a copy. The origin has one subscriber for each relay. A subscriber gets each event once
 * and in order, also if it moves to another relay or to the origin, and while the relay or the origin is killed.
 *
 * Call it in a field of the class, and give the class a method `alarm`, which may be empty: an alarm wakes the relay if
 * the runtime has evicted it while its subscribers stayed connected. The relay is a caller of its own, so what the origin
 * sends must not depend on who asks. It holds a WebSocket to the origin, which keeps it awake: docs/guides/relays.md has
 * what that costs.
 *
 * @param instance - the relay
 * @param origin - returns a new stub of the object to copy: the origin, or another relay of it
 * @param options - `keep`, a number of events; `window`; `linger`, in milliseconds; `caller`
 * @example
 * readonly #room = relay<Room>(this, () => this.env.ROOM.getByName('lobby'));
 * readonly #messages = this.#room.feed('messages');
 * messages() { return this.#messages; }
 * alarm() {}
 */
export declare function relay<Target>(instance: object, origin: () => Stub, options?: RelayOptions): Relay<Target>;
/** What a relay copies of its origin. */
declare class Relay<Target> {
  #private;
  constructor(instance: object, origin: () => Stub, options: RelayOptions);
  /**
   * Copies a feed.
   *
   * @param method - a method of the origin that its contract lists by `events`
   * @param args - its arguments
   * @returns what a method of the relay returns, listed by `events`, too
   * @throws RangeError for a `keep` or `window` that is not a positive integer
   */
  feed<const Method extends MethodsOf<Target, 'events'>>(method: Method, ...args: ArgsOf<Target[Method]>): RelayedFeed<EventOf<Target[Method]>>;
  /**
   * Copies a live value.
   *
   * @param method - a method of the origin that its contract lists by `live`
   * @param args - its arguments
   * @returns what has the newest value, for a method of the relay that is listed by `live`, too
   */
  live<const Method extends MethodsOf<Target, 'live'>>(method: Method, ...args: ArgsOf<Target[Method]>): RelayedValue<ValueOf<Target[Method]>>;
}
export type { HasEvents, Relay, RelayOptions, RelayedFeed, RelayedValue, Stub };