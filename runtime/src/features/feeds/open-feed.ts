/**
 * A feed in use, and its subscribers. A subscriber's position is a single number, because what was sent to it
 * follows from what it has acknowledged.
 */
import { joinMessages, type EncodedMessage } from '../../wire/encoded-message.ts';
import type { RpcError } from '../../wire/errors.ts';
import type { FrameCodec } from '../../server/base/frame-codec.ts';
import { decodeCursor, encodeEpoch, encodeNext, type Position } from '../subscriptions/wire.ts';
import { FeedLog, type LogSection } from './feed-log.ts';
import type { KeyValues } from '../../server/base/key-values.ts';
import { cursorExpiredError } from '../subscriptions/subscription.ts';
import type { FeedSubscription } from './feed-subscription.ts';

/** The options of a feed that determine where a reader begins. */
interface FeedChoice {
  keep: number;
  snapshot: unknown;
}

/** Messages for all subscribers that are at the same position and use the same subscription number. */
interface Batch {
  from: number;
  to: number;
  /** The epoch of the event before them, and of the last one of them. */
  before: string | undefined;
  epoch: string;
  /** As stored: with all bytes as text. */
  messages: string[];
  text: string;
  /** The messages with binary bytes; set when a client that reads binary frames first needs them. */
  packet?: EncodedMessage;
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
    if (!position || position.event > end.event || position.event < end.event - keep)
      return undefined;
    return this.log.epochOf(position.event) === position.epoch ? position : undefined;
  }

  /**
   * Sends to subscribers the events that their windows allow.
   *
   * @returns the subscribers that get no more events, each with its error
   */
  deliver(
    listeners: Iterable<FeedSubscription>,
    frames: FrameCodec,
  ): Map<FeedSubscription, RpcError> {
    const { end } = this.log;
    const batches = new Map<number, Batch>();
    const ended = new Map<FeedSubscription, RpcError>();
    for (const one of listeners) {
      if (!this.#send(one, end, batches, frames)) ended.set(one, cursorExpiredError());
    }
    return ended;
  }

  /** @returns whether the log has what was sent before, and all that is to be sent now */
  #send(
    one: FeedSubscription,
    end: Position,
    batches: Map<number, Batch>,
    frames: FrameCodec,
  ): boolean {
    if (one.sent >= end.event) return one.sent === end.event && one.epoch === end.epoch;
    const to = Math.min(end.event, one.limit);
    if (to <= one.sent) return true;
    let batch = batches.get(one.n);
    if (batch?.from !== one.sent || batch.to !== to) {
      const section = this.log.read(one.sent, to);
      if (section.texts.length < to - one.sent) return false;
      batch = batchOf(one, to, section);
      batches.set(one.n, batch);
    }
    const { before, epoch, messages, text } = batch;
    if (one.epoch !== before) return false;
    one.sent = to;
    one.epoch = epoch;
    one.peer.push(
      one.peer.readsBytes ? (batch.packet ??= joinMessages(messages.map(frames.withBytes))) : text,
    );
    return true;
  }
}

function batchOf(
  { n, sent: from }: FeedSubscription,
  to: number,
  { before, texts, epochs }: LogSection,
): Batch {
  const messages: string[] = [];
  let epoch = before ?? '';
  let event = from;
  for (const rest of texts) {
    const next = epochs.get(event + 1);
    if (next !== undefined) messages.push(encodeEpoch(n, event, (epoch = next)));
    messages.push(encodeNext(n, ++event, rest));
  }
  return { from, to, before, epoch, messages, text: messages.join() };
}
