/** Relays: objects that subscribe to another object, and serve its events and values to their own subscribers. */
import { FEED, PACKAGE_COPY } from '../../server/feature.ts';
import type { HasEvents, MethodKindsOf, NamesOf, PassedArgs } from '../../wire/brands.ts';
import { encodeArgs } from '../../wire/messages.ts';
import type { Stub } from '../../client/transports/binding.ts';
import type { CopiedFeed } from '../feeds/server/feed-kind.ts';
import { checkCounts } from '../feeds/server/feed.ts';
import { subscribe, type Subscription } from '../subscriptions/client/subscribe.ts';
import { WINDOW } from '../subscriptions/wire.ts';
import { FeedCopy } from './server/feed-copy.ts';
import { type CopiedCall, type CopyFigures, relaysOf, type Source } from './server/relays.ts';
import { ValueCopy } from './server/value-copy.ts';

export { originOf, relayName } from '../../server/feature.ts';

export interface RelayOptions {
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
export interface RelayedFeed<Event> extends HasEvents<Event> {}

/** A live value of the origin, which a method of the relay reads. The contract lists the method by `live` or `read`. */
export interface RelayedValue<Value> {
  /**
   * The newest value. Reading it throws until the first value has arrived. A live method, or a call of a `read` method,
   * then runs again when the value has arrived. Any other call rejects with `DISCONNECTED`.
   */
  readonly value: Value;
}

type MethodsOf<Target, Kind extends 'events' | 'live'> = NamesOf<MethodKindsOf<Target>, Kind> &
  keyof Target;
type ArgsOf<Target, Name extends keyof Target> = Target[Name] extends (
  ...args: infer Args
) => unknown
  ? PassedArgs<Target, Name, Args>
  : never;
type EventOf<Method> = Method extends (...args: never[]) => HasEvents<infer Event> ? Event : never;
type ValueOf<Method> = Method extends (...args: never[]) => infer Value ? Value : never;
type Methods = Record<string, (...args: unknown[]) => Subscription<unknown>>;

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
export function relay<Target>(
  instance: object,
  origin: () => Stub,
  options: RelayOptions = {},
): Relay<Target> {
  return new Relay(instance, origin, options);
}

/** The state of a copy, from `observe`: the name of its origin, its method, its arguments and its figures. */
export interface CopyState extends CopiedCall, CopyFigures {
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
export function observe(instance: object): CopyState[] {
  const now = Date.now();
  return [...relaysOf(instance).sources.values()].flatMap(({ name: origin, copies, lostAt }) =>
    Array.from(copies.values(), ({ call, copy: { figures } }) => ({
      origin,
      ...call,
      ...figures,
      delay: lostAt === undefined ? figures.delay : now - lostAt,
    })),
  );
}

/** Copies feeds and live values of the origin. */
export class Relay<Target> {
  readonly #source: () => Source;
  readonly #keep: number;
  readonly #window: number;

  constructor(instance: object, origin: () => Stub, options: RelayOptions) {
    const { keep = 1_000, window = WINDOW, ...rest } = options;
    checkCounts('a relay', { keep, window });
    const relays = relaysOf(instance);
    // `origin` is called later, because it may need fields of the class that come after this field.
    this.#source = () => relays.sourceOf(origin, rest);
    this.#keep = keep;
    this.#window = window;
  }

  /** Copies a feed. @returns the copy, for a method of the relay that the contract lists by `events` */
  feed<const Method extends MethodsOf<Target, 'events'>>(
    method: Method,
    ...args: ArgsOf<Target, Method>
  ): RelayedFeed<EventOf<Target[Method]>> {
    const held = { method: String(method), args };
    const invocation = JSON.stringify(method) + encodeArgs(args);
    const feed: CopiedFeed = {
      [FEED]: PACKAGE_COPY,
      window: this.#window,
      reach: async (cursor, isAwaited) => {
        const source = this.#source();
        const make = (): FeedCopy => new FeedCopy(source, invocation, this.#keep);
        const copy = source.use(`events ${invocation}`, held, make);
        return copy.reach(typeof cursor === 'string' ? cursor : undefined, isAwaited);
      },
    };
    return feed as object as RelayedFeed<EventOf<Target[Method]>>;
  }

  /** Copies a live value. @returns the copy, for a method of the relay that the contract lists by `live` or `read` */
  live<const Method extends MethodsOf<Target, 'live'>>(
    method: Method,
    ...args: ArgsOf<Target, Method>
  ): RelayedValue<ValueOf<Target[Method]>> {
    const held = { method: String(method), args };
    const key = `live ${JSON.stringify(method)}${encodeArgs(args)}`;
    const get = (): unknown => {
      const source = this.#source();
      const subscribed = () => (subscribe(source.client) as Methods)[held.method]!(...args);
      return source.use(key, held, () => new ValueCopy(source, subscribed())).value;
    };
    return Object.defineProperty({}, 'value', { get }) as never;
  }
}
