/** `feed`: the API of a feed for a class. */
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

/** Largest size of one event: the characters of its text, plus the bytes beside the text. */
const MAX_EVENT_SIZE = 65_536;

/** Longest URI-encoded name. The name is part of a key, and the storage accepts keys of 2 048 bytes. */
const MAX_NAME_LENGTH = 500;

/** The options of `feed`. */
export interface FeedOptions<Event> {
  /**
   * How many of the newest events are stored, for clients that were disconnected. Default 1 000.
   */
  keep?: number | undefined;
  /** How many events are sent to a subscriber before it has read the first of them. Default 64. */
  window?: number | undefined;
  /**
   * Returns one event that replaces all earlier ones, which a subscriber without a cursor, or with an expired one,
   * gets first. In it, `currentCaller()` returns the subscriber. Without the option, a subscriber without a cursor
   * begins with the next event, and one with an expired cursor rejects with `CURSOR_EXPIRED`. Default:
   * `CURSOR_EXPIRED` for an expired cursor.
   */
  snapshot?: (() => Event) | undefined;
  /**
   * Holds the events in the memory of the object, and writes no row: for what only those who are there need. A subscriber
   * that was away gets the events that are still in memory. If some are missing, it goes on with the next event, or with
   * `snapshot`, and the option `onGap` of `subscribe` is called once. Subscriptions survive hibernation, and the events do
   * not. They are sent even if a transaction is rolled back. Default `false`.
   */
  volatile?: boolean | undefined;
}

/** Which events `read` returns. */
export interface FeedReadOptions {
  /** Return events before this cursor. Default: the end of the feed. */
  before?: string | undefined;
  /** Return the events that follow this cursor, beginning with the next one. Default: the newest events. */
  after?: string | undefined;
  /** How many events to return at most. Default 50. */
  limit?: number | undefined;
}

/** A numbered log of events. A subscriber gets each event once and in order. */
export interface Feed<Event> extends HasEvents<Event> {
  /**
   * Adds events. Subscribers get them at the end of the turn, and of the asynchronous transaction if one is open. The
   * events are stored together with the method's other writes. If these are rolled back, the events are too.
   *
   * @throws RpcError `LIMIT_EXCEEDED` for an event of more than 65 536 characters of JSON and bytes; `UNSERIALIZABLE`
   *   for one that cannot be sent or, where the Worker runs locally, does not match `output` in the contract. Then no
   *   event is added.
   */
  append(...events: Event[]): void;
  /**
   * The current end of the feed, for the option `after` of `subscribe`. A method can return it together with the
   * state that it has read. The client then gets the events after that state.
   */
  readonly cursor: string;
  /**
   * Returns events that are stored: the newest ones, those before a cursor, or those after one. A method can return them,
   * so that a client reads older events page by page, and subscribes after the newest page without a gap. An event that
   * was appended in the same method is among them.
   *
   * A cursor is a position between two events. For older events, pass the `before` of a page. Events that the feed has
   * dropped, because it keeps its newest `keep` events, are like events that were never there: `before` is left out.
   *
   * @param options - `before` and `after`, cursors; `limit`, a number of events, 50 by default
   * @returns the events with their cursors, the oldest first. There are fewer than `limit` if they would have more than
   *   1 000 000 characters of JSON. Its `before` and `after` then continue with the others.
   * @throws RpcError `CURSOR_EXPIRED` for a cursor of events that are gone, because a transaction was rolled back, or the
   *   storage was emptied or restored; for an `after` of which the next event was dropped; and for text that is no cursor
   *   of this feed. RangeError for a `limit` that is not a positive integer.
   * @example
   * history(before?: string): FeedPage<Message> { return this.messages().read({ before }); }
   * // In the contract:
   * history: read([Type.Optional(Type.String({ maxLength: 100 }))]),
   */
  read(options?: FeedReadOptions): FeedPage<Event>;
}

/**
 * Returns a feed of an object: a log in the object's storage. Clients subscribe to it through a method that
 * returns the feed, and that the contract lists by `events`. The object stores nothing about its subscribers.
 *
 * @param instance - the object
 * @param name - distinguishes the feeds of an object; at most 500 characters when URI-encoded
 * @param options - must be the same for every use of the name
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
  /** Not the class, so that a feed of another copy of the package is recognized, too. */
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
    // Not as a field: bundlers keep a class that has a computed one.
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
 * Bytes are stored as Base64, but count as bytes.
 *
 * @param text - the event after a comma
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
