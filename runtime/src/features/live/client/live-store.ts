/**
 * A subscription as a store, for the hooks of frameworks. It runs while somebody watches it. A bundle contains this
 * file only if you import it.
 */
import type { ClientOf } from '../../../wire/brands.ts';
import { type Store, WritableStore } from '../../../client/store.ts';
import {
  type Nothing,
  selectSubscription,
  type Selector,
} from '../../subscriptions/client/selector.ts';
import type { SubscribeOptions, Subscription } from '../../subscriptions/client/subscribe.ts';

/** The values that have arrived for a subscription. */
export interface LiveState<Value> {
  /** The newest value; `undefined` before the first value. It stays when the subscription ends. */
  value?: Value;
  /** The error that has ended the subscription. */
  error?: unknown;
}

/** The state of a live store before the first value. */
export const NO_VALUE: LiveState<never> = {};

/** The options of a live store. */
export interface LiveOptions {
  /**
   * The cursor of a feed or of rows after which to begin. If the cursor changes, the store begins anew. Default: the
   * next event, or the first row.
   */
  after?: string | undefined;
  /**
   * Called when events of a volatile feed may be missing, as for `subscribe`: for example to load the state again. A store
   * with this option has a subscription of its own. A hook calls the newest function. Default: nothing is called.
   */
  onGap?: SubscribeOptions['onGap'];
}

/** The key of the function that returns the loop of a live store. Code outside the runtime does not have the symbol. */
export const LOOP = Symbol();

/** Returns the next value from an event and the previous value, which is `undefined` at first. */
export type Reducer<Value, Event> = (value: Value | undefined, event: Event) => Value;

/**
 * Returns a store of the newest value of a subscription. The store subscribes when somebody begins to watch it, and
 * unsubscribes when nobody watches it any more. Stores of one client with equal methods and arguments share a
 * subscription. After an error, the store subscribes again when it is watched again.
 *
 * @param client - from `createRpcClient`, or a capability. Pass `null`, `undefined` or `false` as long as there is
 *   nothing to read; the store then has no value.
 * @param read - chooses the method and its arguments, or returns nothing
 * @returns the store
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * const count = liveStore(counter, (counter) => counter.getValue());
 * const stop = count.subscribe(({ value, error }) => show(error ?? value));
 */
export function liveStore<Target, Value>(
  client: ClientOf<Target> | Nothing,
  read: Selector<Target, Value> | Nothing,
  add?: undefined,
  options?: LiveOptions,
): Store<LiveState<Value>>;
/**
 * Returns a store that combines the events of a feed into one value. The store has its own subscription. It begins anew
 * whenever somebody begins to watch it again.
 *
 * @param add - returns the next value from the previous value and an event
 * @param options - `after`, the cursor after which to begin
 * @returns the store
 * @example
 * const messages = liveStore(room, (room) => room.messages(), (all: string[] = [], text) => [...all, text]);
 */
export function liveStore<Target, Event, Value>(
  client: ClientOf<Target> | Nothing,
  read: Selector<Target, Event> | Nothing,
  add: Reducer<Value, Event>,
  options?: LiveOptions,
): Store<LiveState<Value>>;
export function liveStore(
  client: ClientOf<unknown> | Nothing,
  read: Selector<unknown, unknown> | Nothing,
  add?: Reducer<unknown, unknown>,
  options?: LiveOptions,
): Store<LiveState<unknown>> {
  const selected = client && selectSubscription(client, read, options);
  if (!client || !selected) return new WritableStore(NO_VALUE);
  const [key, subscription] = selected;
  const loops: Loops = add || options?.onGap ? new Map() : loopsOf(client);
  const store: LiveStore = {
    get: () => loops.get(key)?.get() ?? NO_VALUE,
    subscribe: (run) => {
      const loop = loops.get(key) ?? new Loop(subscription, add, () => loops.delete(key));
      loops.set(key, loop);
      return loop.subscribe(run);
    },
    [LOOP]: () => loops.get(key),
  };
  return store;
}

/** A live store, with the loop that it watches. */
export interface LiveStore extends Store<LiveState<unknown>> {
  /** Returns the loop; `undefined` while nobody watches the store. */
  readonly [LOOP]: () => Loop | undefined;
}

type Loops = Map<string, Loop>;

/** The running loops of each client. */
const all = new WeakMap<object, Loops>();

function loopsOf(client: object): Loops {
  const loops = all.get(client) ?? new Map<string, Loop>();
  all.set(client, loops);
  return loops;
}

/** A loop over a subscription. It runs while somebody watches it. */
export class Loop {
  /** The store that shows the values. Modules such as `optimistic` can replace its method `set`. */
  readonly live = new WritableStore<LiveState<unknown>>(NO_VALUE);
  readonly subscription: Subscription<unknown>;
  readonly #add: Reducer<unknown, unknown>;
  readonly #ended: () => void;
  /** The items of the subscription; `undefined` after the loop has failed. */
  #items: AsyncIterator<unknown, undefined> | undefined;
  #hasEnded = false;

  constructor(
    subscription: Subscription<unknown>,
    add: Reducer<unknown, unknown> = (_, newest) => newest,
    ended: () => void,
  ) {
    this.subscription = subscription;
    this.#add = add;
    this.#ended = ended;
  }

  readonly get = (): LiveState<unknown> => this.live.get();

  subscribe(run: (live: LiveState<unknown>) => void): () => void {
    if (!this.#items) this.#begin();
    const stop = this.live.subscribe(run);
    return () => {
      stop();
      if (!this.live.isWatched && !this.#hasEnded) this.#end();
    };
  }

  #begin(): void {
    this.#items = this.subscription[Symbol.asyncIterator]();
    this.live.set(NO_VALUE);
    void this.#follow(this.#items);
  }

  #end(): void {
    this.#hasEnded = true;
    this.#ended();
    void this.#items?.return?.();
  }

  async #follow(items: AsyncIterator<unknown, undefined>): Promise<void> {
    // The newest value is kept here, because the store may show another value.
    let live: LiveState<unknown> = NO_VALUE;
    try {
      for (;;) {
        const { done, value } = await items.next();
        if (done) return;
        live = { value: this.#add(live.value, value) };
        this.live.set(live);
      }
    } catch (error) {
      this.#items = undefined;
      // If `add` has thrown, the subscription still runs, so it is ended here.
      void items.return?.();
      this.live.set({ ...live, error });
    }
  }
}
