/**
 * What a relay reads of its origin: feeds and live values. The messages of a feed have text that the relay's own
 * subscribers get as it is.
 */
import type { ClientOf } from '../../../wire/brands.ts';
import { RpcError } from '../../../wire/errors.ts';
import { type AnswerMessage, decodeAnswer } from '../../../wire/messages.ts';
import { requireText } from '../../../wire/values/part-checks.ts';
import {
  type Invocation,
  Reader,
  type ReaderConnection,
  requireId,
} from '../../subscriptions/client/reader.ts';
import {
  decodeCursor,
  encodeCursor,
  type Position,
  type SubscriptionEnd,
  WINDOW,
} from '../../subscriptions/wire.ts';

/** One feed or live value that a relay copies. */
export interface Mirror {
  /** @param failed - called with the reason when the origin sends nothing any more */
  start(client: ClientOf<unknown>, failed: (thrown: unknown) => void): void;
  /** @param thrown - ends the relay's own subscriptions, if there is an error */
  stop(thrown?: unknown): void;
}

/** A position, and the snapshot of all events up to it as text from `encodeTail`; empty if there is none. */
export interface Snapshot {
  position: Position;
  text: string;
}

/** Where the events go. */
export interface FeedListener {
  begin(beginning: Snapshot): void;
  take(text: string, position: Position): void;
  /** The origin has nothing after the position. @returns whether to begin at the origin's end */
  expired(): boolean;
  /** The subscription has ended, or cannot begin. */
  ended(thrown: unknown): void;
}

export class FeedReader extends Reader {
  readonly #sink: FeedListener;
  readonly #connection: ReaderConnection;
  /** After the last event that was taken. */
  #end: Position = { event: 0, epoch: '' };
  /** The epoch of the next event. */
  #epoch = '';
  #acknowledged = 0;
  #ahead = WINDOW;

  /**
   * @param invocation - the method and its arguments, as text
   * @param after - where to begin; without it, at the origin's end
   */
  constructor(
    connection: ReaderConnection,
    invocation: string,
    after: Position | undefined,
    sink: FeedListener,
  ) {
    const invoke: Invocation = () => invocation;
    super(connection, invoke, after && encodeCursor(after), () => {});
    this.#connection = connection;
    this.#sink = sink;
  }

  protected override handle(message: unknown[]): void {
    const [kind, , event] = message;
    if (kind === 'subscribed') this.#begun(message);
    else if (kind === 'complete') this.#complete(message);
    else if (!this.isBegun) return;
    else if (kind === 'window') this.#ahead = requireId(event);
    else if (kind === 'next') this.#take(message);
    else if (kind === 'epoch') {
      this.#epoch = requireText(message[3]);
      // The origin may have lost events that were taken.
      if (event !== this.#end.event && (event === 0 || requireId(event))) this.begin();
    }
  }

  /** Unsubscribes. */
  leave(): void {
    super.stop({});
  }

  override stop({ thrown }: { thrown?: unknown }): void {
    super.stop({});
    this.#sink.ended(thrown);
  }

  #begun([, , cursor, ahead = WINDOW, ...rest]: unknown[]): void {
    const position = decodeCursor(cursor);
    if (!position) return this.stop({ thrown: notFeed() });
    this.isBegun = true;
    this.#ahead = requireId(ahead);
    this.#end = position;
    this.#epoch = position.epoch;
    this.#acknowledged = position.event;
    this.cursor = encodeCursor(position);
    this.#sink.begin({ position, text: textOf(rest) });
  }

  #take([, , number, ...rest]: unknown[]): void {
    const event = requireId(number);
    const wanted = this.#end.event + 1;
    if (event > wanted) this.begin();
    if (event !== wanted) return;
    const position = { event, epoch: this.#epoch };
    this.#end = position;
    this.cursor = encodeCursor(position);
    if (event - this.#acknowledged >= this.#ahead / 2) {
      this.#acknowledged = event;
      this.#connection.tell(`["ack",${this.subscriptionId},${event}]`);
    }
    this.#sink.take(textOf(rest), position);
  }

  #complete(message: unknown[]): void {
    const { thrown = notFeed() } = decodeAnswer(
      message.slice(1) as AnswerMessage,
    ) as SubscriptionEnd;
    if ((thrown as Partial<RpcError> | null)?.code !== 'CURSOR_EXPIRED') this.stop({ thrown });
    else if (this.#sink.expired()) {
      this.cursor = undefined;
      this.begin();
    }
  }
}

/** The end of a message, as it was received. */
function textOf(rest: unknown[]): string {
  return rest.length > 0 ? `,${JSON.stringify(rest).slice(1, -1)}` : '';
}

function notFeed(): RpcError {
  return new RpcError('METHOD_NOT_FOUND', 'The method of the origin returns no feed');
}
