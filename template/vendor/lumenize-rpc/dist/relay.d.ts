import { HasEvents, MethodKindsOf, NamesOf, PassedArgs } from "./wire.js";
import { Stub } from "./client-core.js";
import { originOf, relayName } from "./server-core.js";
/** The figures of a copy, which `observe` returns. */
interface CopyFigures {
  /** The number of the relay's subscribers that receive the copy. */
  readonly readers: number;
  /** The number of events in memory; 1 for a live value. */
  readonly events: number;
  /** The bytes that the copy takes of `limits.memoryPerClient`. */
  readonly bytes: number;
  /** Milliseconds behind the origin: half of the time of its last answer, or the time since the connection was lost. */
  readonly delay: number;
}
/** The method whose feed or value is copied, and its arguments. */
type CopiedCall = Readonly<{
  method: string;
  args: readonly unknown[];
}>;
interface RelayOptions {
  /**
   * Number of the newest events of each feed that are in memory. All copies of an object together may take
   * `limits.memoryPerClient`. A subscriber gets older events from the origin. Default 1 000.
   */
  keep?: number | undefined;
  /**
   * Number of events that are sent to a subscriber before it has read the first of them. A subscriber sends an
   * acknowledgement, which is billed, for each half of this number. Default 64.
   */
  window?: number | undefined;
  /**
   * The time that a copy without subscribers and the connection to the origin stay, in milliseconds. Default 10 000.
   */
  linger?: number | undefined;
  /** The caller that `currentCaller()` returns in the origin. Each caller has its own copies. Default: `undefined`. */
  caller?: unknown;
}
/**
 * A feed of the origin, which a method of the relay returns. The contract of the relay lists the method by `events`.
 */
interface RelayedFeed<Event> extends HasEvents<Event> {}
/** A live value of the origin, which a method of the relay reads. The contract lists the method by `live` or `read`. */
interface RelayedValue<Value> {
  /**
   * The newest value. Reading it throws until the first value has arrived. A live method, or a call of a `read` method,
   * then runs again when the value has arrived. Any other call rejects with `DISCONNECTED`.
   */
  readonly value: Value;
}
type MethodsOf<Target, Kind extends 'events' | 'live'> = NamesOf<MethodKindsOf<Target>, Kind> & keyof Target;
type ArgsOf<Target, Name extends keyof Target> = Target[Name] extends ((...args: infer Args) => unknown) ? PassedArgs<Target, Name, Args> : never;
type EventOf<Method> = Method extends ((...args: never[]) => HasEvents<infer Event>) ? Event : never;
type ValueOf<Method> = Method extends ((...args: never[]) => infer Value) ? Value : never;
/**
 * Makes an object a relay of another object, the origin. While the relay has subscribers, it subscribes to feeds and
 * live values of the origin, and serves them from a copy. A subscriber receives each event once and in order, even if
 * it moves to another relay or to the origin, and even if the relay or the origin is killed.
 *
 * Call it in a field or in a method. For one origin and one `caller` it returns one relay, with the options of the
 * first call, and equal feeds and values share a copy. The events and values of the origin must not depend on the
 * subscriber, because the relay is the caller of the origin.
 *
 * An alarm wakes the relay if the runtime has evicted it while its subscribers stayed connected. The class can have its
 * own alarm. A class that calls `relay` only in methods needs a method `alarm`, which may be empty.
 *
 * @param instance - the relay
 * @param origin - returns a new stub of the object to copy. The object must always be the same, and must not
 *   be a relay.
 * @param options - `keep` and `window`, numbers of events; `linger`, in milliseconds; `caller`
 * @returns the relay, whose methods `feed` and `live` copy feeds and live values
 * @throws RangeError for a `keep` or `window` that is not a positive integer
 * @example
 * readonly #room = relay<Room>(this, () => this.env.ROOM.getByName('lobby'));
 * messages() { return this.#room.feed('messages'); }
 * topic() { return this.#room.live('topic').value; }
 */
export declare function relay<Target>(instance: object, origin: () => Stub, options?: RelayOptions): Relay<Target>;
/** The state of a copy, from `observe`: the name of its origin, its method, its arguments and its figures. */
interface CopyState extends CopiedCall, CopyFigures {
  readonly origin: string | undefined;
}
/**
 * Returns the copies that a relay holds, for example for a `read` method that an operator calls.
 *
 * @param instance - the relay
 * @returns the state of each feed and value that is copied now
 * @example
 * copies(): CopyState[] { return observe(this); }
 */
export declare function observe(instance: object): CopyState[];
/** Copies feeds and live values of the origin. */
declare class Relay<Target> {
  #private;
  constructor(instance: object, origin: () => Stub, options: RelayOptions);
  /** Copies a feed. @returns the copy, for a method of the relay that the contract lists by `events` */
  feed<const Method extends MethodsOf<Target, 'events'>>(method: Method, ...args: ArgsOf<Target, Method>): RelayedFeed<EventOf<Target[Method]>>;
  /** Copies a live value. @returns the copy, for a method of the relay that the contract lists by `live` or `read` */
  live<const Method extends MethodsOf<Target, 'live'>>(method: Method, ...args: ArgsOf<Target, Method>): RelayedValue<ValueOf<Target[Method]>>;
}
export { type CopyFigures, type CopyState, type HasEvents, type Relay, type RelayOptions, type RelayedFeed, type RelayedValue, type Stub, originOf, relayName };