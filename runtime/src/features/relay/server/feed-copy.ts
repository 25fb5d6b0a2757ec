/** The copy of a feed. It has the newest events of the origin, and sends them to the subscribers of the relay. */
import { internalsOf } from '../../../client/proxy.ts';
import { CopiedLog } from '../../feeds/server/copied-log.ts';
import type { CopiedBeginning } from '../../feeds/server/feed-kind.ts';
import type { FeedSubscription } from '../../feeds/server/feed-subscription.ts';
import { feedsOf } from '../../feeds/server/feeds.ts';
import { OpenFeed } from '../../feeds/server/open-feed.ts';
import { readersOf } from '../../subscriptions/client/readers.ts';
import {
  type TextBeginning,
  type TextListener,
  TextReader,
} from '../../subscriptions/client/text-reader.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import { cursorExpiredError } from '../../subscriptions/server/subscription.ts';
import {
  decodeCursor,
  encodeCursor,
  type EventText,
  type Position,
  WINDOW,
  type SubscriptionEnd,
} from '../../subscriptions/wire.ts';
import type { Copy, CopyFigures, Source } from './relays.ts';

export class FeedCopy implements Copy, TextListener {
  readonly #source: Source;
  readonly #keep: number;
  readonly #reader: TextReader;
  readonly #log = new CopiedLog();
  readonly #feed = new OpenFeed('', this.#log, (one) => void this.#fetchFor(one));
  /** The newest snapshot of the origin; `undefined` for a feed without snapshots. */
  #base: TextBeginning | undefined;
  /**
   * The number of an event. With this event, the copy has all events that the origin had when the relay last asked it.
   */
  #freshAt = Infinity;
  readonly #ready = Promise.withResolvers<void>();
  /** The promises that resolve when the copy has an event. */
  #arrivals: (PromiseWithResolvers<void> & { event: number })[] = [];
  /** For each subscriber that has not begun, a function that returns whether it still waits. */
  readonly #waiting = new Set<() => boolean>();
  /** The subscribers that need events which the copy does not have. */
  readonly #late = new Set<FeedSubscription>();

  constructor(source: Source, invocation: string, keep: number) {
    this.#source = source;
    this.#keep = keep;
    const readers = readersOf(internalsOf(source.client)[0]);
    this.#reader = new TextReader(readers, invocation, this);
    // If nobody waits for the promise, its rejection must not count as unhandled.
    this.#ready.promise.catch(() => {});
  }

  get isUsed(): boolean {
    for (const isAwaited of this.#waiting) if (!isAwaited()) this.#waiting.delete(isAwaited);
    return this.#waiting.size > 0 || this.#feed.listeners.size > 0;
  }

  get hasBegun(): boolean {
    return typeof this.#reader.cursor === 'string';
  }

  get figures(): CopyFigures {
    return {
      readers: this.#feed.listeners.size,
      events: this.#log.length,
      bytes: this.#log.size + (this.#base?.snapshot.length ?? 0),
      delay: this.#reader.delay / 2,
    };
  }

  start(): void {
    this.#reader.start();
  }

  /** Finds the position at which a subscriber begins: see `CopiedFeed`. */
  async reach(cursor: string | undefined, isAwaited: () => boolean): Promise<CopiedBeginning> {
    this.#waiting.add(isAwaited);
    try {
      await this.#ready.promise;
      return { feed: this.#feed, ...(await this.#beginningAt(cursor, isAwaited)) };
    } catch (thrown) {
      throw this.#source.errorOf(thrown);
    }
  }

  giveWay(isAll?: boolean): void {
    this.#log.forgetEarlier();
    this.#log.trim(isAll ? Infinity : Math.ceil(this.#log.length / 2));
    this.#source.weigh(this);
  }

  drop(thrown?: unknown): void {
    this.#reader.leave(thrown);
    this.#log.restart(this.#log.end);
    this.#base = undefined;
    this.#source.weigh(this);
    for (const { reject } of [this.#ready, ...this.#arrivals]) reject(thrown);
  }

  stop(thrown: unknown): void {
    if (this.#source.makesRoom(thrown)) return void this.#reader.begin();
    this.drop(thrown);
    const end = { thrown: this.#source.errorOf(thrown) };
    this.#feed.ended = end;
    this.#source.forget(this);
    for (const one of this.#feed.listeners) this.#end(one, end);
  }

  begun(restarted: TextBeginning | undefined): void {
    if (restarted) {
      this.#log.restart(restarted.position);
      this.#base = restarted.snapshot ? restarted : undefined;
      this.#freshAt = restarted.position.event;
      // The origin may have lost an event for which a subscriber waits.
      this.#changed(Infinity);
    }
    this.#ready.resolve();
  }

  reconnected(): void {
    this.#freshAt = Infinity;
  }

  answered(isThere: boolean, beginning: TextBeginning, events: EventText[]): void {
    if (isThere) this.#log.add(beginning.position, events, this.#keep);
    else {
      this.#freshAt = beginning.position.event;
      if (beginning.snapshot) this.#base = beginning;
    }
  }

  take(event: EventText): void {
    this.#log.append(event);
    const { start, end } = this.#log;
    const over = end.event - start.event - this.#keep;
    // A tenth of the events is dropped at a time, because dropping the first of many events moves all others.
    if (over > this.#keep / 10) this.#log.trim(over);
    this.#changed(end.event);
  }

  /** Sends new events up to the event `last`, at the end of the turn. */
  #changed(last: number): void {
    this.#source.weigh(this);
    feedsOf(this.#source.instance).appended(this.#feed);
    if (this.#arrivals.length === 0) return;
    for (const { event, resolve } of this.#arrivals) if (event <= last) resolve();
    this.#arrivals = this.#arrivals.filter(({ event }) => event > last);
  }

  #has({ event, epoch }: Position): boolean {
    return this.#log.epochOf(event) === epoch;
  }

  async #beginningAt(
    cursor: string | undefined,
    isAwaited: () => boolean,
  ): Promise<Omit<CopiedBeginning, 'feed'>> {
    const position = decodeCursor(cursor);
    if (position) {
      const isWanted = (): boolean => isAwaited() && !this.#has(position);
      if (isWanted() && (await this.#reader.ask(cursor, isWanted)))
        await this.#until(position.event);
      if (this.#has(position)) return { position, snapshot: '', hasGap: false };
    }
    const hasGap = cursor !== undefined && !this.#base;
    if (hasGap && !this.#reader.isVolatile) throw cursorExpiredError();
    // A snapshot is followed by all events since, so it may be a little older than the end.
    const isOld = (): boolean =>
      this.#freshAt === Infinity ||
      (this.#base !== undefined && this.#log.end.event - this.#base.position.event > WINDOW);
    if (isOld()) await this.#reader.ask(undefined, () => isAwaited() && isOld());
    await this.#until(this.#freshAt);
    return { ...(this.#base ?? { position: this.#log.end, snapshot: '' }), hasGap };
  }

  /** Waits until the copy has an event. */
  async #until(event: number): Promise<void> {
    if (this.#log.end.event >= event) return;
    const arrival = { event, ...Promise.withResolvers<void>() };
    this.#arrivals.push(arrival);
    await arrival.promise;
  }

  /** Fetches the next events of a subscriber, and sends them. */
  async #fetchFor(one: FeedSubscription): Promise<void> {
    if (this.#late.has(one)) return;
    this.#late.add(one);
    // The subscriber may get some events in this turn.
    await undefined;
    const isMissing = (): boolean => this.#log.heldAfter(one.sent) === one.sent;
    try {
      const { sent, epoch = '' } = one;
      const isWanted = (): boolean => this.#feed.listeners.has(one) && isMissing();
      if (isWanted()) await this.#reader.ask(encodeCursor({ event: sent, epoch }), isWanted);
      // The answer did not bring the next event, so the subscriber would request it again and again.
      if (isWanted()) this.#end(one, { thrown: cursorExpiredError() });
    } catch (thrown) {
      this.#end(one, { thrown: this.#source.errorOf(thrown) });
    }
    this.#late.delete(one);
    if (this.#feed.listeners.has(one)) feedsOf(this.#source.instance).deliver(this.#feed, [one]);
    this.#source.weigh(this);
  }

  #end(one: FeedSubscription, end: SubscriptionEnd): void {
    if (!this.#feed.listeners.has(one)) return;
    subscribersOf(this.#source.instance).end(one.connection, one.subscriptionId, end);
  }
}
