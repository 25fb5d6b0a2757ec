/** `feed`, with which a class uses a feed. */
import { checkCopy, FEED, PACKAGE_COPY } from '../../../server/feature.ts';
import type { HasEvents } from '../../../wire/brands.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import { encodeTail } from '../../../wire/messages.ts';
import { encodeCursor, WINDOW } from '../../subscriptions/wire.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import type { FeedPage } from '../wire.ts';
import { feedEvents, type FeedOfObject } from './feed-kind.ts';
import type { FeedLog } from './feed-log.ts';
import { readPage } from './feed-page.ts';
import { feedsOf } from './feeds.ts';
import type { OpenFeed } from './open-feed.ts';

/** The maximum size of an event: the characters of its text, plus the bytes beside the text. */
const MAX_EVENT_SIZE = 65_536;

/** The maximum length of a URI-encoded name. The name is part of a key, and the storage accepts keys of 2 048 bytes. */
const MAX_NAME_LENGTH = 500;

/** The options of `feed`. */
export interface FeedOptions<Event> {
  /**
   * Number of the newest events that are stored, for clients that were disconnected. Default 1 000.
   */
  keep?: number | undefined;
  /** Number of events that are sent to a subscriber before it has read the first of them. Default 64. */
  window?: number | undefined;
  /**
   * Returns one event that replaces all earlier events. A subscriber receives it first, if it has no cursor or an expired
   * cursor. In this function, `currentCaller()` returns the subscriber. Default: a subscriber without a cursor begins
   * with the next event, and a subscription with an expired cursor rejects with `CURSOR_EXPIRED`.
   */
  snapshot?: (() => Event) | undefined;
  /**
   * Holds the events only in the memory of the object, and writes no row. Use it for events that only connected clients
   * need. A subscriber that was away gets the events that are still in memory. If some are missing, it continues with the
   * next event, or with `snapshot`, and the option `onGap` of `subscribe` is called once. Subscriptions survive
   * hibernation, but events do not. Events are sent even if a transaction is rolled back. Default `false`.
   */
  volatile?: boolean | undefined;
}

/** The options of `read`, which choose the events. */
export interface FeedReadOptions {
  /** Cursor before which to read. Default: the end of the feed. */
  before?: string | undefined;
  /** Cursor after which to read, beginning with the next event. Default: the newest events are read. */
  after?: string | undefined;
  /** Maximum number of events to return. Default 50. */
  limit?: number | undefined;
}

/** A numbered log of events. A subscriber receives each event once and in order. */
export interface Feed<Event> extends HasEvents<Event> {
  /**
   * Adds events. Subscribers receive them at the end of the turn, or at the end of an asynchronous transaction if one
   * is open. The events are stored together with the method's other writes. If the writes are rolled back, so are the
   * events.
   *
   * @param events - values that can be sent
   * @throws RpcError `LIMIT_EXCEEDED` for an event of more than 65 536 characters of JSON and bytes; `UNSERIALIZABLE`
   *   for an event that cannot be sent or, where the Worker runs locally, does not match `output` in the contract. After
   *   an error, none of the events is added.
   */
  append(...events: Event[]): void;
  /**
   * The current end of the feed, for the option `after` of `subscribe`. A method can return it together with the
   * state that it has read. With it, the client subscribes to the events after that state.
   */
  readonly cursor: string;
  /**
   * Returns stored events: the newest events, events before a cursor, or events after a cursor. A method can return them,
   * so that a client reads older events page by page, and subscribes after the newest page without a gap. Events that
   * the running method has appended are included.
   *
   * A cursor is a position between two events. For older events, pass the `before` of a page. A page without `before` has
   * the oldest event that the feed has kept.
   *
   * @param options - `before` and `after`, cursors; `limit`, a number of events, 50 by default
   * @returns the events with their cursors, the oldest first. There are fewer than `limit` if they would have more than
   *   1 000 000 characters of JSON. The `before` and `after` of the page then continue with the other events.
   * @throws RpcError `CURSOR_EXPIRED` for a cursor of events that are gone, because a transaction was rolled back, or the
   *   storage was emptied or restored; for an `after` whose next event was dropped; and for text that is no cursor of this
   *   feed. RangeError for a `limit` that is not a positive integer.
   * @example
   * history(before?: string): FeedPage<Message> { return this.messages().read({ before }); }
   * // In the contract:
   * history: read([Type.Optional(Type.String({ maxLength: 100 }))]),
   */
  read(options?: FeedReadOptions): FeedPage<Event>;
}

/**
 * Returns a feed of an object, which is a log of events in the object's storage. Clients subscribe to it through a method
 * that returns the feed, and that the contract lists by `events`. The storage has no data of the subscribers.
 *
 * @param instance - the object
 * @param name - the name of the feed in the object; at most 500 characters when URI-encoded
 * @param options - `keep`, a number of events; `window`, a number of events; `snapshot`. They must be equal wherever the
 *   name is used.
 * @returns the feed
 * @throws TypeError for a name that is empty or too long; RangeError for an option that is not a positive integer
 * @example
 * messages(): Feed<Message> { return feed(this, 'messages'); }
 * post(text: string): void { this.messages().append({ text }); }
 * // In the contract:
 * messages: events(),
 */
export function feed<Event>(
  instance: object,
  name: string,
  options: FeedOptions<Event> = {},
): Feed<Event> {
  checkCopy(instance);
  return new StoredFeed(instance, name, options) as object as Feed<Event>;
}

class StoredFeed<Event> implements FeedOfObject {
  /** Marks a feed. `instanceof` would not recognize a feed of another copy of the package. */
  declare readonly [FEED]: object;
  readonly name: string;
  readonly keep: number;
  readonly window: number;
  readonly snapshot: (() => Event) | undefined;
  readonly isVolatile: boolean;
  readonly #instance: object;

  constructor(instance: object, name: string, options: FeedOptions<Event>) {
    const { keep = 1_000, window = WINDOW, snapshot, volatile: isVolatile = false } = options;
    if (!isName(name)) {
      throw new TypeError(
        `The name of a feed must have 1 to ${MAX_NAME_LENGTH} characters, URI-encoded`,
      );
    }
    checkCounts(`feed ${name}`, { keep, window });
    // This is not a field, because bundlers do not remove an unused class that has a computed field.
    this[FEED] = PACKAGE_COPY;
    this.name = name;
    this.keep = keep;
    this.window = window;
    this.snapshot = snapshot;
    this.isVolatile = isVolatile;
    this.#instance = instance;
  }

  get cursor(): string {
    return encodeCursor(this.#open().log.end);
  }

  read({ before, after, limit = 50 }: FeedReadOptions = {}): FeedPage<Event> {
    checkCounts(`feed ${this.name}`, { limit });
    return readPage(this.#open(), { before, after, limit, keep: this.keep }) as FeedPage<Event>;
  }

  checkEvents(check: (event: unknown) => void): void {
    this.#open().checkEvent = check;
  }

  append(...events: Event[]): void {
    const { checkEvent } = this.#open();
    const texts = events.map((event) => {
      checkEvent?.(event);
      const text = encodeTail(event);
      if (isTooLong(text)) limitExceeded('the size of an event', MAX_EVENT_SIZE);
      return text;
    });
    // Restores the subscribers before the change: restoring assumes that all stored events were sent to them.
    subscribersOf(this.#instance).restore(feedEvents);
    const feeds = feedsOf(this.#instance);
    const open = this.#open();
    open.log.append(texts, this.keep);
    feeds.appended(open);
    feeds.weigh(open.log);
  }

  #open(): OpenFeed<FeedLog> {
    return feedsOf(this.#instance).open(this.name, this.isVolatile);
  }
}

/** @throws RangeError for an option that is not a positive integer */
export function checkCounts(of: string, options: Readonly<Record<string, number>>): void {
  for (const [key, value] of Object.entries(options)) {
    if (!(Number.isSafeInteger(value) && value > 0)) {
      throw new RangeError(`${key} of ${of} is ${value}: write a positive integer`);
    }
  }
}

/**
 * Returns whether an event is too long. Bytes are stored as Base64, but count as bytes.
 *
 * @param text - the text of the event after a comma
 */
function isTooLong(text: string): boolean {
  if (text.length - 1 <= MAX_EVENT_SIZE) return false;
  const base64 = Array.from(text.matchAll(/\["ArrayBuffer","([^"]*)"/g), ([, found = '']) => found);
  const saved = base64.reduce((sum, { length }) => sum + length / 4, 0);
  return text.length - 1 - saved > MAX_EVENT_SIZE;
}

function isName(name: unknown): boolean {
  try {
    const { length } = encodeURIComponent(String(name));
    return typeof name === 'string' && length > 0 && length <= MAX_NAME_LENGTH;
  } catch {
    // The name contains half a surrogate pair.
    return false;
  }
}
