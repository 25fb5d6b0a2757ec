/**
 * A feed as a store, for the hooks of frameworks. The store has the newest events, adds the events that follow, and loads
 * older events page by page. A bundle contains this file only if you import it.
 */
import type { ClientOf } from '../../../wire/brands.ts';
import type { RpcError } from '../../../wire/errors.ts';
import { type Store, WritableStore } from '../../../client/store.ts';
import {
  type Nothing,
  selectSubscription,
  type Selector,
} from '../../subscriptions/client/selector.ts';
import { isSnapshot, type ResumableSubscription } from '../../subscriptions/client/subscribe.ts';
import type { FeedEvent, FeedPage } from '../wire.ts';

/** The events of a feed that have arrived. */
export interface FeedState<Event> {
  /** The events, oldest first, without a gap. Each has a cursor, which also serves as the `key` of a list. */
  readonly events: readonly FeedEvent<Event>[];
  /** True if `loadOlder` has something to load. */
  readonly hasOlder: boolean;
  /** True while a page is loaded: the newest page, or an older page. */
  readonly isLoading: boolean;
  /** The error that says why a page was not loaded, or why no further events arrive. */
  readonly error?: unknown;
  /**
   * Loads the page before the oldest event. It does nothing while a page is loaded, or if there are no older events.
   * After an error, it tries again. The function stays the same in all states of a store.
   *
   * @returns a promise that resolves when the page has arrived, or could not be loaded. `error` then says why.
   */
  readonly loadOlder: () => Promise<void>;
}

/**
 * Calls the method of the object that returns a page of the feed, from `read`.
 *
 * @param client - the client of the store or the hook
 * @param before - the cursor before which to read; `undefined` for the newest page
 */
export type LoadPage<Client, Event> = (
  client: Client,
  before: string | undefined,
) => PromiseLike<FeedPage<Event>>;

/** The state of a store that has nothing to read. */
const NO_EVENTS: FeedState<never> = {
  events: [],
  hasOlder: false,
  isLoading: false,
  loadOlder: async () => {},
};

/**
 * Returns a store of the events of a feed. When somebody begins to watch the store, it loads the newest page, and
 * subscribes to the events after it. When nobody watches the store any more, it unsubscribes and keeps its events. When
 * it is watched again, it continues after them.
 *
 * If the feed no longer has the next event, because the client was away for long, or because the object has lost events,
 * the store begins anew with the newest page.
 *
 * @param client - from `createRpcClient`, or a capability. Pass `null`, `undefined` or `false` as long as there is
 *   nothing to read; the store then has no events.
 * @param read - chooses the method that returns the feed and its arguments, or returns nothing
 * @param page - calls the method that returns a page of this feed
 * @returns the store
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * const messages = feedStore(room, (room) => room.messages(), (room, before) => room.history(before));
 * const stop = messages.subscribe(({ events, error }) => show(events, error));
 */
export function feedStore<Target, Event, Client>(
  client: (Client & ClientOf<Target>) | Nothing,
  read: Selector<Target, Event> | Nothing,
  page: LoadPage<Client, Event>,
): Store<FeedState<Event>> {
  if (!client || !selectSubscription(client, read)) return new WritableStore(NO_EVENTS);
  return new FeedStore<Event>(
    (before) => page(client, before),
    (after, onGap) =>
      selectSubscription(client, read, { after, onGap })?.[1] as ResumableSubscription<Event>,
  );
}

/** The positions between which a store has all events. */
interface Loaded {
  before: string | undefined;
  after: string;
}

/** The state of a store that is watched. It has a subscription as soon as the first page has arrived. */
interface Running<Event> {
  items?: AsyncIterator<Event, undefined>;
}

class FeedStore<Event> implements Store<FeedState<Event>> {
  readonly #state: WritableStore<FeedState<Event>>;
  readonly #page: (before: string | undefined) => PromiseLike<FeedPage<Event>>;
  readonly #subscribe: (after: string, onGap: () => void) => ResumableSubscription<Event>;
  /** The loaded range; `undefined` until the newest page has arrived. A store that begins anew has another object. */
  #loaded: Loaded | undefined;
  /** The page that is awaited. */
  #loading: Promise<void> | undefined;
  #running: Running<Event> | undefined;
  /** The last cursor that has expired. */
  #expired: string | undefined;

  constructor(
    page: (before: string | undefined) => PromiseLike<FeedPage<Event>>,
    follow: (after: string, onGap: () => void) => ResumableSubscription<Event>,
  ) {
    this.#page = page;
    this.#subscribe = follow;
    this.#state = new WritableStore({
      ...NO_EVENTS,
      isLoading: true,
      loadOlder: () => {
        if (!this.#running && this.#state.isWatched) this.#start();
        return this.#load();
      },
    });
  }

  readonly get = (): FeedState<Event> => this.#state.get();

  readonly subscribe = (run: (state: FeedState<Event>) => void): (() => void) => {
    if (!this.#running) this.#start();
    const stop = this.#state.subscribe(run);
    return () => {
      stop();
      if (!this.#state.isWatched) this.#stop();
    };
  };

  #set(changes: Partial<FeedState<Event>>): void {
    this.#state.set({ ...this.#state.get(), ...changes });
  }

  #start(): void {
    void this.#run((this.#running = {}));
  }

  #stop(): void {
    void this.#running?.items?.return?.();
    this.#running = undefined;
  }

  /** Begins anew with the newest page, which replaces the events of the store. */
  #restart(): void {
    this.#loaded = undefined;
    if (!this.#running) return;
    this.#stop();
    this.#start();
  }

  async #run(running: Running<Event>): Promise<void> {
    if (!this.#loaded) await this.#load();
    if (running !== this.#running) return;
    // The error of the page is in the state.
    if (!this.#loaded) return this.#stop();
    try {
      await this.#follow(running, this.#loaded);
    } catch (error) {
      if (running !== this.#running) return;
      if (isExpired(error) && this.#expire(this.#loaded)) return;
      this.#stop();
      this.#set({ error });
    }
  }

  /**
   * Begins anew if the feed does not have the next event any more.
   *
   * @returns false for a page of another feed, which would expire again and again
   */
  #expire({ after }: Loaded): boolean {
    if (after === this.#expired) return false;
    this.#expired = after;
    this.#restart();
    return true;
  }

  /** Adds the events that follow. */
  async #follow(running: Running<Event>, loaded: Loaded): Promise<void> {
    const subscription = this.#subscribe(loaded.after, () => {
      if (running === this.#running) this.#expire(loaded);
    });
    const items = (running.items = subscription[Symbol.asyncIterator]());
    for (;;) {
      const { done, value: event } = await items.next();
      if (done || running !== this.#running) return;
      // A snapshot replaces earlier events, which the feed does not have any more.
      if (isSnapshot(subscription)) return this.#restart();
      const cursor = (loaded.after = subscription.cursor as string);
      this.#set({ events: [...this.#state.get().events, { cursor, event }] });
    }
  }

  /** Loads the newest page if no page is loaded, otherwise an older page. */
  #load(): Promise<void> {
    return (this.#loading ??= this.#loadPage().finally(() => (this.#loading = undefined)));
  }

  async #loadPage(): Promise<void> {
    const loaded = this.#loaded;
    if (loaded && loaded.before === undefined) return;
    this.#set({ isLoading: true, error: undefined });
    try {
      const { events, before, after } = await this.#page(loaded?.before);
      // The store has begun anew in the meantime.
      if (loaded !== this.#loaded) return await this.#loadPage();
      if (loaded) loaded.before = before;
      else this.#loaded = { before, after };
      this.#set({
        events: loaded ? [...events, ...this.#state.get().events] : events,
        hasOlder: before !== undefined,
        isLoading: false,
      });
    } catch (error) {
      if (loaded && isExpired(error)) {
        this.#restart();
        return await this.#loadPage();
      }
      this.#set({ error, hasOlder: true, isLoading: false });
    }
  }
}

function isExpired(error: unknown): boolean {
  return (error as Partial<RpcError> | undefined)?.code === 'CURSOR_EXPIRED';
}
