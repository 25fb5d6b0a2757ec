/**
 * A feed in use, and its subscribers. A subscriber's position is a single number, because the acknowledged events
 * determine which events were sent.
 */
import { joinMessages, type EncodedMessage } from '../../../wire/encoded-message.ts';
import type { RpcError } from '../../../wire/errors.ts';
import type { FrameCodec } from '../../../wire/frame-codec.ts';
import { decodeCursor, encodeEpoch, encodeNext, type Position } from '../../subscriptions/wire.ts';
import type { FeedLog, LogSection } from './feed-log.ts';
import { cursorExpiredError } from '../../subscriptions/server/subscription.ts';
import type { FeedSubscription } from './feed-subscription.ts';
import { VolatileLog } from './volatile-log.ts';

/** The options of a feed that determine where a reader begins. */
interface FeedChoice {
  keep: number;
  snapshot?: unknown;
}

/** Messages for all subscribers with equal positions and equal subscription numbers. */
interface Batch {
  from: number;
  to: number;
  /** The epoch of the event before the messages, and of the last event among them. */
  before: string | undefined;
  epoch: string;
  /** The messages as they are stored, with all bytes as text. */
  messages: string[];
  text: string;
  /** The messages with binary bytes; set when a client that reads binary frames first needs them. */
  packet?: EncodedMessage;
}

/** The log that has the events of a feed. */
export interface EventLog extends Pick<FeedLog, 'end' | 'epochOf' | 'read'> {
  /**
   * Returns the last event up to which the log has all events after a number; that number if the log has none of them. A
   * log that has all events up to its end does not have this method.
   */
  heldAfter?(event: number): number;
}

/** Fetches the next events of a subscription if the log does not have them, and delivers them: see `relay`. */
export type FetchEvents = (subscription: FeedSubscription) => void;

export class OpenFeed<Log extends EventLog = EventLog> {
  /** The name of the feed; empty for the copy of another object's feed. */
  readonly name: string;
  readonly log: Log;
  readonly listeners = new Set<FeedSubscription>();
  /** The end of a copy that has ended. No subscriber can join the copy any more. */
  ended: { readonly thrown: unknown } | undefined;
  /** Checks each event before it is stored; `undefined` where nothing is checked. */
  checkEvent: ((event: unknown) => void) | undefined;

  readonly #fetch: FetchEvents | undefined;

  /** True if the events are only in the memory of the object. */
  get isVolatile(): boolean {
    return this.log instanceof VolatileLog;
  }

  constructor(name: string, log: Log, fetch?: FetchEvents) {
    this.name = name;
    this.log = log;
    this.#fetch = fetch;
  }

  /**
   * Returns the position after which a reader continues.
   *
   * @param cursor - 0 or `null` for a new reader
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
   * @returns the subscribers whose subscriptions end, each with its error
   */
  deliver(
    listeners: Iterable<FeedSubscription>,
    frames: FrameCodec,
  ): Map<FeedSubscription, RpcError> {
    const { end } = this.log;
    const batches = new Map<number, Batch>();
    const ended = new Map<FeedSubscription, RpcError>();
    for (const subscription of listeners) {
      if (!this.#send(subscription, end, batches, frames))
        ended.set(subscription, cursorExpiredError());
    }
    return ended;
  }

  /** @returns whether the log has the last event that was sent, and all events that are to be sent now */
  #send(
    subscription: FeedSubscription,
    end: Position,
    batches: Map<number, Batch>,
    frames: FrameCodec,
  ): boolean {
    if (subscription.sent >= end.event)
      return subscription.sent === end.event && subscription.epoch === end.epoch;
    const wanted = Math.min(end.event, subscription.limit);
    if (wanted <= subscription.sent) return true;
    const to = Math.min(wanted, this.log.heldAfter?.(subscription.sent) ?? wanted);
    if (to < wanted) this.#fetch?.(subscription);
    if (to === subscription.sent) return true;
    let batch = batches.get(subscription.subscriptionId);
    if (batch?.from !== subscription.sent || batch.to !== to) {
      const section = this.log.read(subscription.sent, to);
      if (section.texts.length < to - subscription.sent) return false;
      batch = batchOf(subscription, to, section);
      batches.set(subscription.subscriptionId, batch);
    }
    const { before, epoch, messages, text } = batch;
    if (subscription.epoch !== before) return false;
    subscription.goOn(before);
    subscription.sent = to;
    subscription.epoch = epoch;
    subscription.connection.send(
      subscription.connection.readsBytes
        ? (batch.packet ??= joinMessages(messages.map(frames.withBytes)))
        : text,
    );
    return true;
  }
}

function batchOf(
  { subscriptionId, sent: from }: FeedSubscription,
  to: number,
  { before, texts, epochs }: LogSection,
): Batch {
  const messages: string[] = [];
  let epoch = before ?? '';
  let event = from;
  for (const rest of texts) {
    const next = epochs.get(event + 1);
    if (next !== undefined) messages.push(encodeEpoch(subscriptionId, event, (epoch = next)));
    messages.push(encodeNext(subscriptionId, ++event, rest));
  }
  return { from, to, before, epoch, messages, text: messages.join() };
}
