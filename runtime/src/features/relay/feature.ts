/** Relays: objects that subscribe to another one, and serve its events, with its cursors, to their own subscribers. */
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
export interface RelayedFeed<Event> extends HasEvents<Event> {}

/** What a method of a relay reads that the contract lists by `live`. */
export interface RelayedValue<Value> {
  /**
   * The newest value. Until it has arrived, to read it throws: a live method or a call of a `read` method runs again
   * then, and another call rejects with `DISCONNECTED`.
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
export function relay<Target>(
  instance: object,
  origin: () => Stub,
  options: RelayOptions = {},
): Relay<Target> {
  return new Relay(instance, origin, options);
}

/** What `observe` returns of one copy: the name of its origin, its method, its arguments and its figures. */
export interface CopyState extends CopiedCall, CopyFigures {
  readonly origin: string | undefined;
}

/**
 * Returns what an object has copied, for example for a `read` method that an operator calls.
 *
 * @returns each feed and value that is copied now
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

/** What a relay copies of its origin. */
export class Relay<Target> {
  readonly #source: () => Source;
  readonly #keep: number;
  readonly #window: number;

  constructor(instance: object, origin: () => Stub, options: RelayOptions) {
    const { keep = 1_000, window = WINDOW, ...rest } = options;
    checkCounts('a relay', { keep, window });
    const relays = relaysOf(instance);
    // Later: the origin may need fields of the class that come after this one.
    this.#source = () => relays.sourceOf(origin, rest);
    this.#keep = keep;
    this.#window = window;
  }

  /** Copies a feed. @returns what a method of the relay returns that is listed by `events`, as that of the origin */
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

  /** Copies a live value. @returns what a method of the relay reads that is listed by `live`, as that of the origin */
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
