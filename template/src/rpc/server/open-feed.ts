/**
 * A feed that is in use, and who listens to it. What may have been sent to a listener follows from what
 * it has acknowledged, so its place is one number. Imports feed-log, key-values, subscription and wire/.
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
import type { FeedSubscription } from './subscription.ts';

/** How a feed is to be read. */
interface FeedChoice {
  keep: number;
  snapshot: unknown;
}

/** The same messages for all who are at the same place and gave the subscription the same number. */
interface Batch {
  from: number;
  to: number;
  /** As it is stored: all bytes as text. */
  messages: string[];
  text: string;
  /** For those who read bytes, once somebody does. */
  packet?: Said;
}

export class OpenFeed {
  readonly log: FeedLog;
  readonly listeners = new Set<FeedSubscription>();

  constructor(kv: KeyValues, name: string) {
    this.log = new FeedLog(kv, name);
  }

  /**
   * Where a reader goes on that has a cursor.
   *
   * @param cursor - empty, or none, of who begins
   * @returns `undefined` if what follows is not there, or all before is asked for
   */
  positionAfter(cursor: string | 0 | null, { keep, snapshot }: FeedChoice): Position | undefined {
    const { end } = this.log;
    if (typeof cursor !== 'string') return snapshot ? undefined : end;
    const position = decodeCursor(cursor);
    if (!position || position.event > end.event) return undefined;
    // Before the first event there was no log that could have been another.
    if (position.epoch !== end.epoch && (position.epoch !== '' || position.event > 0))
      return undefined;
    const oldest = Math.max(this.log.oldest, end.event - keep + 1);
    return position.event + 1 < oldest ? undefined : { ...position, epoch: end.epoch };
  }

  /**
   * Sends to listeners what they may get now.
   *
   * @returns those for whom what comes next is not there
   */
  deliver(listeners: Iterable<FeedSubscription>): FeedSubscription[] {
    const { event: newest, epoch } = this.log.end;
    const batches = new Map<number, Batch>();
    const lost: FeedSubscription[] = [];
    for (const one of listeners) {
      if (one.epoch === '' && epoch !== '') begin(one, epoch);
      const isThere = one.epoch === epoch && newest >= one.sent;
      if (!isThere || !this.#send(one, Math.min(newest, one.limit), batches)) lost.push(one);
    }
    return lost;
  }

  /** @returns whether all of it was there */
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

/** Tells who came before the first event which log it is. */
function begin(one: FeedSubscription, epoch: string): void {
  one.epoch = epoch;
  // So that another log is not taken for this one after hibernation.
  one.peer.keepSubscriptions();
  one.peer.push(encodeSubscribed(one.n, { event: 0, epoch }, one.window, undefined));
}

function batchOf({ n, sent: from }: FeedSubscription, to: number, texts: string[]): Batch {
  const messages = texts.map((rest, index) => encodeNext(n, from + 1 + index, rest));
  return { from, to, messages, text: messages.join() };
}

/** For whoever cannot get what comes next. */
export function expired(): RpcError {
  return new RpcError(
    'CURSOR_EXPIRED',
    'The feed no longer has the events after this cursor: load the state again, and subscribe without a cursor',
  );
}
