/**
 * The feeds of an object, as its class uses them. Imports feed-log, subscribers and wire/.
 */
import { withBytes } from '../wire/bytes-as-text.ts';
import type { HasEvents } from '../wire/contract-brand.ts';
import { exceeded } from '../wire/limits.ts';
import { encodeRest } from '../wire/messages.ts';
import { encodeCursor, WINDOW } from '../wire/subscriptions.ts';
import { subscribersOf } from './subscribers.ts';

/** What one event may take, in characters of the text that is sent, and bytes beside it. */
const MAX_EVENT_SIZE = 65_536;

/** A name is part of a key, of which the storage takes 2 048 bytes. */
const MAX_NAME_LENGTH = 500;

export interface FeedOptions<Event> {
  /**
   * How many of the newest events are stored. A client that was disconnected can still read those. Default
   * 1 000.
   */
  keep?: number;
  /** How many events are sent to a subscriber before it has read the first of them. Default 64. */
  window?: number;
  /**
   * Returns one event that replaces all earlier ones. A subscriber gets it first if it has no cursor, or an
   * expired one. Default: without a cursor, a subscriber begins with the next event; with an expired one, it
   * rejects with `CURSOR_EXPIRED`.
   */
  snapshot?: () => Event;
}

/** A numbered log of events. Whoever subscribes gets each once and in order. */
export interface Feed<Event> extends HasEvents<Event> {
  /**
   * Adds events; those who subscribed get them when the turn ends. They are stored like anything
   * else that the method writes: with it, or if it is rolled back, not at all.
   *
   * @throws RpcError `UNSERIALIZABLE`, or `LIMIT_EXCEEDED` for an event of more than 65 536 characters
   *   of JSON and bytes; then none of them is added
   */
  append(...events: Event[]): void;
  /**
   * Where the feed is now, for the option `after` of `subscribe`: a method that returns it beside
   * what it has read lets a client go on from there.
   */
  readonly cursor: string;
}

/**
 * A feed of an object: a log in its storage, to which clients subscribe through a `readonly` method
 * that returns it. Nothing is kept of those who listen.
 *
 * @param instance - the object
 * @param name - tells its feeds apart; at most 500 characters when URI-encoded
 * @param options - the same for every use of the name
 * @throws TypeError for a name that is too long, and RangeError for a number below 1
 * @example
 * messages(): Feed<Message> { return feed(this, 'messages'); }
 * post(text: string): void { this.messages().append({ text }); }
 */
export function feed<Event>(
  instance: object,
  name: string,
  options: FeedOptions<Event> = {},
): Feed<Event> {
  return new FeedOfObject(instance, name, options) as object as Feed<Event>;
}

export class FeedOfObject<Event> {
  readonly name: string;
  readonly keep: number;
  readonly window: number;
  readonly snapshot: (() => Event) | undefined;
  readonly #instance: object;

  constructor(instance: object, name: string, options: FeedOptions<Event>) {
    const { keep = 1_000, window = WINDOW, snapshot } = options;
    if (!isName(name)) {
      throw new TypeError(
        `The name of a feed must have 1 to ${MAX_NAME_LENGTH} characters, URI-encoded`,
      );
    }
    for (const [key, value] of Object.entries({ keep, window })) {
      if (!(Number.isSafeInteger(value) && value > 0)) {
        throw new RangeError(`${key} of feed ${name} is ${value}: write a positive integer`);
      }
    }
    this.name = name;
    this.keep = keep;
    this.window = window;
    this.snapshot = snapshot;
    this.#instance = instance;
  }

  get cursor(): string {
    return encodeCursor(subscribersOf(this.#instance).feed(this.name).log.end);
  }

  append(...events: Event[]): void {
    const texts = events.map((event) => {
      const text = encodeRest(event);
      if (isTooLong(text)) exceeded('the size of an event', MAX_EVENT_SIZE);
      return text;
    });
    // Those who listen first: until then they have got all that there is.
    const subscribers = subscribersOf(this.#instance);
    subscribers.feed(this.name).log.append(texts, this.keep);
    subscribers.appended(this.name);
  }
}

/** Bytes are kept as text, and count for themselves. */
function isTooLong(text: string): boolean {
  return text.length > MAX_EVENT_SIZE && withBytes(`[0${text}]`).length > MAX_EVENT_SIZE;
}

function isName(name: unknown): boolean {
  try {
    const { length } = encodeURIComponent(String(name));
    return typeof name === 'string' && length > 0 && length <= MAX_NAME_LENGTH;
  } catch {
    // Half of a surrogate pair.
    return false;
  }
}
