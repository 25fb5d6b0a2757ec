/**
 * A feed in use, and its subscribers. A subscriber's position is a single number, because what was sent to it
 * follows from what it has acknowledged. Imports feed-log, key-values, subscription and wire/.
 */
import { joined, type Said } from '../wire/bytes.ts';
import { withBytes } from '../wire/bytes-as-text.ts';
import { RpcError } from '../wire/errors.ts';
import {
  decodeCursor,
  encodeNext,
  encodeSubscribed,
  type Position,
} from '../wire/subscriptions.ts';
import { FeedLog } from './feed-log.ts';
import type { KeyValues } from './key-values.ts';
import { type FeedSubscription, tooLarge } from './subscription.ts';

/** The options of a feed that determine where a reader begins. */
interface FeedChoice {
  keep: number;
  snapshot: unknown;
}

/** Messages for all subscribers that are at the same position and use the same subscription number. */
interface Batch {
  from: number;
  to: number;
  /** As stored: with all bytes as text. */
  messages: string[];
  text: string;
  /** The messages with binary bytes; set when a client that reads binary frames first needs them. */
  packet?: Said;
}

export class OpenFeed {
  readonly log: FeedLog;
  readonly listeners = new Set<FeedSubscription>();

  constructor(kv: KeyValues, name: string) {
    this.log = new FeedLog(kv, name);
  }

  /**
   * The position after which a reader continues.
   *
   * @param cursor - 0 or `null` for a reader that begins
   * @returns `undefined` if the next events are no longer stored, or if the reader begins with a snapshot
   */
  positionAfter(cursor: string | 0 | null, { keep, snapshot }: FeedChoice): Position | undefined {
    const { end } = this.log;
    if (typeof cursor !== 'string') return snapshot ? undefined : end;
    const position = decodeCursor(cursor);
    if (!position || position.event > end.event) return undefined;
    // A cursor without an epoch is older than the first event, so it cannot belong to another log.
    if (position.epoch !== end.epoch && (position.epoch !== '' || position.event > 0))
      return undefined;
    const oldest = Math.max(this.log.oldest, end.event - keep + 1);
    return position.event + 1 < oldest ? undefined : { ...position, epoch: end.epoch };
  }

  /**
   * Sends to subscribers the events that their windows allow.
   *
   * @returns the subscribers that get no more events, each with its error
   */
  deliver(listeners: Iterable<FeedSubscription>): Map<FeedSubscription, RpcError> {
    const { event: newest, epoch } = this.log.end;
    const batches = new Map<number, Batch>();
    const ended = new Map<FeedSubscription, RpcError>();
    for (const one of listeners) {
      try {
        if (one.epoch === '' && epoch !== '') begin(one, epoch);
      } catch (error) {
        ended.set(one, tooLarge(error));
        continue;
      }
      const isThere = one.epoch === epoch && newest >= one.sent;
      if (!isThere || !this.#send(one, Math.min(newest, one.limit), batches))
        ended.set(one, expired());
    }
    return ended;
  }

  /** @returns whether all events were stored */
  #send(one: FeedSubscription, to: number, batches: Map<number, Batch>): boolean {
    if (to <= one.sent) return true;
    let batch = batches.get(one.n);
    if (batch?.from !== one.sent || batch.to !== to) {
      const texts = this.log.read(one.sent, to);
      if (texts.length < to - one.sent) return false;
      batch = batchOf(one, to, texts);
      batches.set(one.n, batch);
    }
    one.sent = to;
    const { messages, text } = batch;
    one.peer.push(one.peer.readsBytes ? (batch.packet ??= joined(messages.map(withBytes))) : text);
    return true;
  }
}

/**
 * Sends the epoch of the log to a subscriber that began before the first event.
 *
 * @throws Error if the socket's attachment has no room for the epoch
 */
function begin(one: FeedSubscription, epoch: string): void {
  one.epoch = epoch;
  // Stored, so that after hibernation another log is not mistaken for this log.
  one.peer.keepSubscriptions();
  one.peer.push(encodeSubscribed(one.n, { event: 0, epoch }, one.window, undefined));
}

function batchOf({ n, sent: from }: FeedSubscription, to: number, texts: string[]): Batch {
  const messages = texts.map((rest, index) => encodeNext(n, from + 1 + index, rest));
  return { from, to, messages, text: messages.join() };
}

/** The error for a subscriber whose next event is no longer stored. */
export function expired(): RpcError {
  return new RpcError(
    'CURSOR_EXPIRED',
    'The feed no longer has the events after this cursor: load the state again, and subscribe without a cursor',
  );
}
