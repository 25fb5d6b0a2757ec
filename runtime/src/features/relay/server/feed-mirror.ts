/**
 * A feed that a relay copies: a log with the numbers and epochs of the origin's events. It is in memory, because the
 * origin has the events. In the storage, each event would be a row of each relay.
 */
import { FEED, kvOf, PACKAGE_COPY } from '../../../server/feature.ts';
import type { ClientOf } from '../../../wire/brands.ts';
import { internalsOf } from '../../../client/proxy.ts';
import type { FeedCopy, ReturnedFeed } from '../../feeds/server/feed-kind.ts';
import { changeLog } from '../../feeds/server/feed.ts';
import { feedsOf } from '../../feeds/server/feeds.ts';
import type { OpenFeed } from '../../feeds/server/open-feed.ts';
import { readersOf } from '../../subscriptions/client/readers.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import { decodeCursor, type Position, WINDOW } from '../../subscriptions/wire.ts';
import { type PastEvent, prepend, restart, startOf } from './mirrored-log.ts';
import { type Snapshot, FeedReader, type Mirror, type FeedListener } from './feed-reader.ts';

/** Somebody who waits until the copy has an event. */
interface Waiting {
  event: number;
  resolve(): void;
  reject(thrown: unknown): void;
}

export class FeedMirror implements ReturnedFeed, FeedCopy, Mirror {
  declare readonly [FEED]: object;
  readonly name: string;
  readonly keep: number;
  readonly window: number;
  /** The copy has snapshots of the origin instead. */
  readonly snapshot = undefined;
  base: Snapshot | undefined;
  readonly #instance: object;
  readonly #use: () => void;
  #client: ClientOf<unknown> | undefined;
  /** Whether the copy has had, since the relay is connected, all that the origin had. */
  #isFresh = false;
  /** The question where the origin ends that is asked now, and the one that follows. */
  #asking: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** The last of those who look for earlier events, one after another: what one has found, others may need too. */
  #finding: Promise<void> = Promise.resolve();
  #waiting: Waiting[] = [];

  /**
   * @param invocation - the method and its arguments, as text
   * @param use - connects the relay
   */
  constructor(
    instance: object,
    invocation: string,
    { keep, window }: Pick<ReturnedFeed, 'keep' | 'window'>,
    use: () => void,
  ) {
    // Not as a field: bundlers keep a class that has a computed one.
    this[FEED] = PACKAGE_COPY;
    this.#instance = instance;
    this.name = invocation;
    this.keep = keep;
    this.window = window;
    this.#use = use;
    feedsOf(instance).keepWith(this, invocation);
  }

  get copy(): FeedCopy {
    return this;
  }

  get #open(): OpenFeed {
    return feedsOf(this.#instance).open(this.name);
  }

  reach(cursor: string | 0 | null): Promise<void> | undefined {
    this.#use();
    if (typeof cursor !== 'string') {
      // A snapshot is followed by all events since, so it may be a little older than the end.
      const { end } = this.#open.log;
      const isNear = !this.base || end.event - this.base.position.event <= WINDOW;
      return this.#isFresh && isNear ? undefined : this.#reachEnd();
    }
    return this.#has(cursor) ? undefined : this.#find(cursor);
  }

  start(client: ClientOf<unknown>, failed: (thrown: unknown) => void): void {
    this.#client = client;
    const { name } = this;
    this.#read(this.#end, {
      begin: (beginning) => {
        const { position, text } = beginning;
        const before = this.#end;
        const goesOn = before?.event === position.event && before.epoch === position.epoch;
        if (text || !goesOn) {
          changeLog(this.#instance, name, (log) => {
            restart(kvOf(this), name, position);
            // It notices now, before anything else is written.
            void log.end;
          });
          this.base = text ? beginning : undefined;
        }
        // The origin may have lost the event that somebody waits for.
        this.#arrived(before && position.event < before.event ? Infinity : position.event);
      },
      take: (text, { event, epoch }) => {
        changeLog(this.#instance, name, (log) => log.append([text], this.keep, epoch));
        this.#arrived(event);
      },
      expired: () => true,
      ended: (thrown) => {
        if (this.#client === client) failed(thrown);
      },
    });
  }

  stop(thrown?: unknown): void {
    this.#client = this.base = undefined;
    this.#isFresh = false;
    for (const { reject } of this.#waiting.splice(0)) reject(thrown);
    if (thrown === undefined) return;
    const subscribers = subscribersOf(this.#instance);
    for (const { connection, subscriptionId } of this.#open.listeners)
      subscribers.end(connection, subscriptionId, { thrown });
  }

  /** @param after - where to begin; without it, at the origin's end */
  #read(after: Position | undefined, sink: FeedListener): FeedReader {
    const [session] = internalsOf(this.#client as object);
    const reader = new FeedReader(readersOf(session), this.name, after, sink);
    reader.start();
    return reader;
  }

  /** The position before the first event of the copy. One that has not begun has no position, not even the first. */
  get #start(): Position | undefined {
    return startOf(kvOf(this), this.name);
  }

  get #end(): Position | undefined {
    return this.#start && this.#open.log.end;
  }

  #has(cursor: string): boolean {
    return this.#start !== undefined && this.#open.positionAfter(cursor, this) !== undefined;
  }

  /** Looks at the origin for a position that the copy does not have. */
  async #find(cursor: string): Promise<void> {
    await this.#reachEnd();
    const found = this.#finding.then(() => this.#findPast(cursor));
    this.#finding = found.catch(() => {});
    await found;
  }

  /** Copies the events from a position on that is before those of the copy, if the origin has them. */
  async #findPast(cursor: string): Promise<void> {
    const position = decodeCursor(cursor);
    const start = this.#start;
    if (!position || !start || position.event >= start.event || this.#has(cursor)) return;
    if (this.#open.log.end.event - position.event > this.keep) return;
    const events = await this.#readPast(position, start.event);
    // Nothing is added that does not fit, for example because the log has begun anew meanwhile.
    const now = this.#start;
    const fits = now?.event === start.event && now.epoch === events?.at(-1)?.epoch;
    if (events && fits) prepend(kvOf(this), this.name, position, events);
  }

  /** @returns the events between two positions; `undefined` if the origin does not have them any more */
  #readPast(after: Position, last: number): Promise<PastEvent[] | undefined> {
    const events: PastEvent[] = [];
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const settle = (found?: PastEvent[]): void => {
        isSettled = true;
        resolve(found);
        // Not before the constructor has returned.
        queueMicrotask(() => reader.leave());
      };
      const reader = this.#read(after, {
        begin: ({ position, text }) => {
          const { epoch } = events.at(-1) ?? after;
          const goesOn = position.event === after.event + events.length && position.epoch === epoch;
          if (text || !goesOn) settle();
        },
        take: (text, position) => {
          // The frame may have more events, which the copy has.
          if (isSettled) return;
          events.push({ epoch: position.epoch, text });
          if (position.event === last) settle(events);
        },
        expired: () => {
          settle();
          return false;
        },
        ended: reject,
      });
    });
  }

  /**
   * Waits until the copy has what the origin has now. One question is asked at a time. All who come meanwhile share the
   * next one, because the answer to this one may be older than what they know.
   */
  #reachEnd(): Promise<void> {
    this.#next ??= this.#asking.then(() => {
      this.#next = undefined;
      const asked = this.#ask();
      this.#asking = asked.catch(() => {});
      return asked;
    });
    return this.#next;
  }

  async #ask(): Promise<void> {
    const { position, text } = await new Promise<Snapshot>((resolve, reject) => {
      const reader = this.#read(undefined, {
        begin: (beginning) => {
          resolve(beginning);
          queueMicrotask(() => reader.leave());
        },
        take: () => {},
        expired: () => true,
        ended: reject,
      });
    });
    if (this.#open.log.end.event < position.event) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ event: position.event, resolve, reject });
      });
    }
    this.#isFresh = this.#client !== undefined;
    // Unless the origin has lost these events meanwhile.
    if (text && this.#open.log.epochOf(position.event) === position.epoch) {
      this.base = { position, text };
    }
  }

  #arrived(event: number): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => {
      if (waiting.event <= event) waiting.resolve();
      return waiting.event > event;
    });
  }
}
