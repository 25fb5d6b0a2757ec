/**
 * A relay: an object that subscribes to another one, and serves its own subscribers from a copy. The numbers and the
 * cursors of events stay those of the origin, so that a subscriber can go on at another relay, or at the origin.
 */
import { openConnectionsOf } from '../../server/feature.ts';
import type { HasEvents, MethodKindsOf, NamesOf } from '../../wire/brands.ts';
import { encodeArgs } from '../../wire/messages.ts';
import { createRpcClient } from '../../client/proxy.ts';
import type { RpcClient } from '../../client/client-types.ts';
import { bindingTransport, type Stub } from '../../client/transports/binding.ts';
import { checkCounts } from '../feeds/server/feed.ts';
import { FeedMirror } from './server/feed-mirror.ts';
import { ValueMirror } from './server/value-mirror.ts';
import { WINDOW } from '../subscriptions/wire.ts';
import type { Mirror } from './server/feed-reader.ts';

/** Milliseconds. To set an alarm writes a row, so it is put off each half of this time. */
const WAKE_AFTER = 60_000;

export interface RelayOptions {
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
export interface RelayedFeed<Event> extends HasEvents<Event> {}

/** What a method of a relay reads that the contract lists by `live`. */
export interface RelayedValue<Value> {
  /** The newest value. To read it throws as long as the relay does not have it; a live method then sends it later. */
  readonly value: Value;
}

type MethodsOf<Target, Kind extends 'events' | 'live'> = NamesOf<MethodKindsOf<Target>, Kind> &
  keyof Target;

type ArgsOf<Method> = Method extends (...args: infer Args) => unknown ? Args : never;

type EventOf<Method> = Method extends (...args: never[]) => HasEvents<infer Event> ? Event : never;

type ValueOf<Method> = Method extends (...args: never[]) => infer Value ? Value : never;

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
export function relay<Target>(
  instance: object,
  origin: () => Stub,
  options: RelayOptions = {},
): Relay<Target> {
  return new Relay(instance, origin, options);
}

/** What a relay copies of its origin. */
export class Relay<Target> {
  readonly #instance: object;
  readonly #origin: () => Stub;
  readonly #options: RelayOptions;
  readonly #parts: Mirror[] = [];
  /** Those that the origin serves. */
  readonly #running = new Set<Mirror>();
  #client: RpcClient<Target> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #alarmAt = 0;

  constructor(instance: object, origin: () => Stub, options: RelayOptions) {
    this.#instance = instance;
    this.#origin = origin;
    this.#options = options;
    // There may be subscribers from before hibernation. The fields that name what to copy come after this one.
    queueMicrotask(() => {
      if (openConnectionsOf(instance).some(({ subscriptions }) => subscriptions.stored.length > 0))
        this.#connect();
    });
  }

  /**
   * Copies a feed.
   *
   * @param method - a method of the origin that its contract lists by `events`
   * @param args - its arguments
   * @returns what a method of the relay returns, listed by `events`, too
   * @throws RangeError for a `keep` or `window` that is not a positive integer
   */
  feed<const Method extends MethodsOf<Target, 'events'>>(
    method: Method,
    ...args: ArgsOf<Target[Method]>
  ): RelayedFeed<EventOf<Target[Method]>> {
    const { keep = 1_000, window = WINDOW } = this.#options;
    checkCounts(`feed ${String(method)}`, { keep, window });
    const invocation = JSON.stringify(method) + encodeArgs(args);
    const feed = new FeedMirror(this.#instance, invocation, { keep, window }, () => {
      this.#use(feed);
    });
    this.#parts.push(feed);
    return feed as object as RelayedFeed<EventOf<Target[Method]>>;
  }

  /**
   * Copies a live value.
   *
   * @param method - a method of the origin that its contract lists by `live`
   * @param args - its arguments
   * @returns what has the newest value, for a method of the relay that is listed by `live`, too
   */
  live<const Method extends MethodsOf<Target, 'live'>>(
    method: Method,
    ...args: ArgsOf<Target[Method]>
  ): RelayedValue<ValueOf<Target[Method]>> {
    const value = new ValueMirror(this.#instance, String(method), args, () => {
      this.#use(value);
    });
    this.#parts.push(value);
    return value as object as RelayedValue<ValueOf<Target[Method]>>;
  }

  /** Subscribes to a part of the origin, unless it is subscribed to. */
  #use(part: Mirror): void {
    if (!this.#client) this.#connect();
    else if (!this.#running.has(part)) this.#run(part, this.#client);
  }

  #connect(): void {
    const { caller } = this.#options;
    const transport = bindingTransport(this.#origin, { socket: true, caller });
    const client = createRpcClient<Target>('the origin', 'of a relay', { transport });
    this.#client = client;
    for (const part of this.#parts) this.#run(part, client);
    this.#lingerOn();
  }

  #run(part: Mirror, client: RpcClient<Target>): void {
    this.#running.add(part);
    part.start(client, (thrown) => {
      this.#running.delete(part);
      part.stop(thrown);
      // The connection may have ended for good.
      if (this.#running.size === 0) this.#stop();
    });
  }

  #stop(): void {
    const client = this.#client;
    if (!client) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    if (this.#alarmAt > 0) {
      void (this.#instance as { ctx: DurableObjectState }).ctx.storage.deleteAlarm();
    }
    this.#alarmAt = 0;
    this.#running.clear();
    for (const part of this.#parts) part.stop();
    client[Symbol.dispose]();
  }

  /** Looks from time to time whether there are subscribers. The socket keeps the relay awake anyway. */
  #lingerOn(): void {
    this.#setAlarm(Date.now());
    const { linger = 10_000 } = this.#options;
    this.#timer = setTimeout(() => {
      const isUsed = openConnectionsOf(this.#instance).some(
        ({ subscriptions, memory }) => subscriptions.size > 0 || memory.held > 0,
      );
      if (isUsed) this.#lingerOn();
      else this.#stop();
    }, linger);
  }

  /** Puts off an alarm that wakes the relay, should the runtime evict it while its subscribers stay connected. */
  #setAlarm(now: number): void {
    const { alarm, ctx } = this.#instance as { alarm?: unknown; ctx: DurableObjectState };
    if (typeof alarm !== 'function' || now < this.#alarmAt - WAKE_AFTER / 2) return;
    this.#alarmAt = now + WAKE_AFTER;
    void ctx.storage.setAlarm(this.#alarmAt);
  }
}
