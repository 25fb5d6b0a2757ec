import { HasEvents, MethodKindsOf, NamesOf, PassedArgs } from "./wire.js";
import { Stub } from "./client-core.js";
import { originOf, relayName } from "./server-core.js";
/** What `observe` tells of a copy. */
interface CopyFigures {
  /** The subscribers of the relay that get it. */
  readonly readers: number;
  /** The events in memory; 1 for a live value. */
  readonly events: number;
  /** What it takes of `limits.memoryPerClient`. */
  readonly bytes: number;
  /** Milliseconds behind the origin: half of the time of its last answer; or the time since the connection was lost. */
  readonly delay: number;
}
/** The method that a copy is of, and its arguments. */
type CopiedCall = Readonly<{
  method: string;
  args: readonly unknown[];
}>;
interface RelayOptions {
  /**
   * How many of the newest events of each feed are in memory. All copies of an object have the memory of one client,
   * `limits.memoryPerClient`. A subscriber gets older events from the origin. Default 1 000.
   */
  keep?: number | undefined;
  /**
   * How many events are sent to a subscriber before it has read the first of them. A subscriber acknowledges half of
   * them at a time, and these messages are billed. Default 64.
   */
  window?: number | undefined;
  /** How long a copy without subscribers, and the connection, stay open, in milliseconds. Default 10 000. */
  linger?: number | undefined;
  /** What `currentCaller()` returns in the origin. Each caller has copies of its own. Default: `undefined`. */
  caller?: unknown;
}
/** What a method of a relay returns that the contract lists by `events`. */
interface RelayedFeed<Event> extends HasEvents<Event> {}
/** What a method of a relay reads that the contract lists by `live`. */
interface RelayedValue<Value> {
  /**
   * The newest value. Until it has arrived, to read it throws: a live method or a call of a `read` method runs again
   * then, and another call rejects with `DISCONNECTED`.
   */
  readonly value: Value;
}
type MethodsOf<Target, Kind extends 'events' | 'live'> = NamesOf<MethodKindsOf<Target>, Kind> & keyof Target;
type ArgsOf<Target, Name extends keyof Target> = Target[Name] extends ((...args: infer Args) => unknown) ? PassedArgs<Target, Name, Args> : never;
type EventOf<Method> = Method extends ((...args: never[]) => HasEvents<infer Event>) ? Event : never;
type ValueOf<Method> = Method extends ((...args: never[]) => infer Value) ? Value : never;
/**
 * Makes an object a relay of another one: it subscribes to feeds and live values of the origin while it has subscribers
 * itself, and serves them from a copy. A subscriber gets each event once and in order, also if it moves to another relay
 * or to the origin, and while the relay or the origin is killed.
 *
 * Call it in a field or in a method: for the same origin and `caller` it is the same relay, with the options that were
 * given first, and equal feeds and values have one copy. An alarm wakes the relay if the runtime has evicted it while its
 * subscribers stayed connected; the class can have an alarm of its own. A class that calls `relay` only in methods needs a
 * method `alarm`, which may be empty. What the origin sends must not depend on who asks, because the relay is its caller.
 *
 * @param instance - the relay
 * @param origin - returns a new stub of the object to copy, always the same one, which is no relay
 * @param options - `keep`, a number of events; `window`; `linger`, in milliseconds; `caller`
 * @throws RangeError for a `keep` or `window` that is not a positive integer
 * @example
 * readonly #room = relay<Room>(this, () => this.env.ROOM.getByName('lobby'));
 * messages() { return this.#room.feed('messages'); }
 * topic() { return this.#room.live('topic').value; }
 */
export declare function relay<Target>(instance: object, origin: () => Stub, options?: RelayOptions): Relay<Target>;
/** What `observe` returns of one copy: the name of its origin, its method, its arguments and its figures. */
interface CopyState extends CopiedCall, CopyFigures {
  readonly origin: string | undefined;
}
/**
 * Returns what an object has copied, for example for a `read` method that an operator calls.
 *
 * @returns each feed and value that is copied now
 * @example
 * copies(): CopyState[] { return observe(this); }
 */
export declare function observe(instance: object): CopyState[];
/** What a relay copies of its origin. */
declare class Relay<Target> {
  #private;
  constructor(instance: object, origin: () => Stub, options: RelayOptions);
  /** Copies a feed. @returns what a method of the relay returns that is listed by `events`, as that of the origin */
  feed<const Method extends MethodsOf<Target, 'events'>>(method: Method, ...args: ArgsOf<Target, Method>): RelayedFeed<EventOf<Target[Method]>>;
  /** Copies a live value. @returns what a method of the relay reads that is listed by `live`, as that of the origin */
  live<const Method extends MethodsOf<Target, 'live'>>(method: Method, ...args: ArgsOf<Target, Method>): RelayedValue<ValueOf<Target[Method]>>;
}
export { type CopyFigures, type CopyState, type HasEvents, type Relay, type RelayOptions, type RelayedFeed, type RelayedValue, type Stub, originOf, relayName };