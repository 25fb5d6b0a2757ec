/**
 * A subscription to a feed whose events are passed on as text. While it runs, it can also fetch events from other
 * positions. Such a question is one frame, which ends the subscription, subscribes under another number after the
 * cursor, ends that subscription, and subscribes again. So there is never a second subscription, and the answer has its
 * own number.
 */
import { RpcError } from '../../../wire/errors.ts';
import { type AnswerMessage, decodeAnswer } from '../../../wire/messages.ts';
import { requireText } from '../../../wire/values/part-checks.ts';
import {
  decodeCursor,
  encodeCursor,
  encodeSubscribe,
  type EventText,
  type Position,
  type SubscriptionEnd,
  WINDOW,
} from '../wire.ts';
import { Reader, type ReaderConnection, requireId } from './reader.ts';

/**
 * The position where a subscription begins, and the snapshot there as text from `encodeTail`; empty if there is none.
 */
export interface TextBeginning {
  readonly position: Position;
  readonly snapshot: string;
}

export interface TextListener {
  /**
   * Called when the subscription has begun, or continues after a lost connection.
   *
   * @param restarted - the position where it begins anew, if the events between the last event and this position are lost
   */
  begun(restarted: TextBeginning | undefined): void;
  /**
   * Called before the subscription continues over another connection. The object may have more events than the first
   * messages contain.
   */
  reconnected(): void;
  /**
   * Called when the object has answered a question.
   *
   * @param isThere - whether the object has the requested position; if not, the answer begins at the end of the feed
   */
  answered(isThere: boolean, beginning: TextBeginning, events: EventText[]): void;
  take(event: EventText): void;
  /** Called when the object has ended or refused the subscription. The listener leaves it, or begins it again. */
  stop(thrown: unknown): void;
}

/** The number of times that a subscription begins anew because its events are gone, before it ends. */
const MAX_EXPIRATIONS = 5;

interface Question extends PromiseWithResolvers<boolean> {
  readonly cursor: string | undefined;
  readonly isWanted: () => boolean;
}

/** The answer for a cursor: the beginning and the first events after it, or an error. */
interface Answer {
  readonly beginning?: TextBeginning;
  readonly events: EventText[];
  readonly thrown?: unknown;
}

export class TextReader extends Reader {
  /** The duration of the last answer, in milliseconds. */
  delay = 0;
  /** True if the object has said that events of a volatile feed are missing. */
  isVolatile = false;
  readonly #connection: ReaderConnection;
  readonly #invocation: string;
  readonly #listener: TextListener;
  #last = 0;
  #epoch = '';
  #acknowledged = 0;
  #window = WINDOW;
  readonly #answers: Answers;
  /** True if a question has been sent, and its answer has not begun. */
  #isAsking = false;
  #answer: Answer | undefined;
  #questions: Question[] = [];
  /** The questions that are answered next, which all have one cursor. */
  #asked: Question[] = [];
  #answerEpoch = '';
  #expirations = 0;
  #askedAt = 0;
  #ended: { readonly thrown: unknown } | undefined;

  /** @param invocation - the method and its arguments, as text */
  constructor(connection: ReaderConnection, invocation: string, listener: TextListener) {
    super(
      connection,
      () => invocation,
      undefined,
      () => {},
    );
    this.#connection = connection;
    this.#invocation = invocation;
    this.#listener = listener;
    this.#answers = new Answers(connection, this, (message) => this.#answered(message));
  }

  /**
   * Requests the events that the object has after a cursor; without a cursor, the end of the feed, or the snapshot
   * there. The listener receives the answer. One question is sent at a time.
   *
   * @param isWanted - returns whether the answer is still needed; called before the question is sent
   * @returns whether the object has the position; false for a question that was no longer wanted
   * @throws the error of the object
   */
  ask(cursor: string | undefined, isWanted: () => boolean): Promise<boolean> {
    const question = { cursor, isWanted, ...Promise.withResolvers<boolean>() };
    if (this.#ended) question.reject(this.#ended.thrown);
    else this.#questions.push(question);
    // The question is sent later, together with other questions of this turn.
    queueMicrotask(() => this.#askNext());
    return question.promise;
  }

  /** Ends the subscription. */
  leave(thrown?: unknown): void {
    this.#ended = { thrown };
    super.stop({});
    this.#connection.leave(this.#answers);
    for (const { reject } of [...this.#asked, ...this.#questions]) reject(thrown);
  }

  override stop({ thrown }: { thrown?: unknown }): void {
    if (!this.#ended) this.#listener.stop(thrown);
  }

  /** @param waits - false over a new connection, which carries no answers to earlier messages */
  override begin(waits = true): boolean {
    if (!waits) this.#listener.reconnected();
    // A question whose answer may be lost is asked again.
    this.#questions.unshift(...this.#asked.splice(0));
    this.#isAsking = false;
    this.#answer = undefined;
    this.#askedAt = Date.now();
    return super.begin(waits);
  }

  protected override handle(message: unknown[]): void {
    const [kind, , event, window = WINDOW, ...rest] = message;
    // Messages that were sent before the object received the question come again.
    if (this.#isAsking) return;
    // The subscription begins at another position.
    if (kind === 'gap') {
      this.isVolatile = true;
      this.cursor = undefined;
    } else if (kind === 'complete') this.#refused(endIn(message).thrown ?? notFeed());
    else if (kind === 'subscribed') {
      const position = decodeCursor(event);
      if (position) this.#begun({ position, snapshot: textOf(rest) }, requireId(window));
      else this.stop({ thrown: notFeed() });
    } else if (!this.isBegun) return;
    else if (kind === 'window') this.#window = requireId(event);
    else if (kind === 'next') this.#take(requireId(event), textOf(message.slice(3)));
    else if (kind === 'epoch') {
      this.#epoch = requireText(message[3]);
      // The object may have lost events that have arrived.
      if (event !== this.#last && (event === 0 || requireId(event))) this.begin();
    }
  }

  /** Receives a message about the question. */
  #answered(message: unknown[]): void {
    const [kind, , cursor, , ...rest] = message;
    // The answer follows, and begins at the end of the feed.
    if (kind === 'gap') return void (this.isVolatile = true);
    const isFirst = this.#isAsking;
    this.#isAsking = false;
    if (isFirst && kind === 'complete') {
      const { thrown = notFeed() } = endIn(message);
      this.#answer = { events: [], thrown };
    } else if (isFirst) {
      const position = decodeCursor(cursor);
      if (!position) return this.stop({ thrown: notFeed() });
      this.#answer = { beginning: { position, snapshot: textOf(rest) }, events: [] };
      this.#answerEpoch = position.epoch;
    } else if (kind === 'epoch') this.#answerEpoch = requireText(message[3]);
    else if (kind === 'next')
      this.#answer?.events.push({ epoch: this.#answerEpoch, text: textOf(message.slice(3)) });
  }

  #askNext(): void {
    if (!this.isBegun || this.#ended) return;
    for (const { isWanted, resolve } of this.#questions) if (!isWanted()) resolve(false);
    const wanted = this.#questions.filter(({ isWanted }) => isWanted());
    const [first] = wanted;
    this.#asked = wanted.filter(({ cursor }) => cursor === first?.cursor);
    this.#questions = wanted.filter(({ cursor }) => cursor !== first?.cursor);
    if (!first) return;
    const ids = [this.subscriptionId, this.#answers.subscriptionId] as const;
    const [end, endQuestion] = ids.map((id) => `["unsubscribe",${id}]`);
    const question = encodeSubscribe(ids[1], first.cursor, this.#invocation);
    const again = encodeSubscribe(ids[0], this.cursor, this.#invocation);
    this.isBegun = false;
    this.#isAsking = true;
    this.#askedAt = Date.now();
    // Without a connection, the question is sent again over the next connection.
    this.#connection.tell([end, question, endQuestion, again].join());
  }

  #settle({ beginning, events, thrown }: Answer): void {
    const asked = this.#asked.splice(0);
    const isThere = beginning && asked[0]?.cursor === encodeCursor(beginning.position);
    if (beginning) this.#listener.answered(!!isThere, beginning, events);
    for (const { resolve, reject } of asked) {
      if (beginning || isExpired(thrown)) resolve(!!isThere);
      else reject(thrown);
    }
  }

  #refused(thrown: unknown): void {
    if (!isExpired(thrown) || ++this.#expirations > MAX_EXPIRATIONS) return this.stop({ thrown });
    this.cursor = undefined;
    this.begin();
  }

  #begun(beginning: TextBeginning, window: number): void {
    const { position, snapshot } = beginning;
    const goesOn = this.cursor === encodeCursor(position) && !snapshot;
    // This is the answer to an earlier message.
    if (!goesOn && this.cursor && !snapshot) return void this.begin();
    const answer = this.#answer;
    this.#answer = undefined;
    this.#expirations = 0;
    this.isBegun = true;
    this.cursor = encodeCursor(position);
    this.#last = this.#acknowledged = position.event;
    this.#epoch = position.epoch;
    this.#window = window;
    this.delay = Date.now() - this.#askedAt;
    this.#listener.begun(goesOn ? undefined : beginning);
    if (answer) this.#settle(answer);
    this.#askNext();
  }

  #take(event: number, text: string): void {
    if (event > this.#last + 1) this.begin();
    if (event !== this.#last + 1) return;
    this.#last = event;
    const epoch = this.#epoch;
    this.cursor = encodeCursor({ event, epoch });
    if (event - this.#acknowledged >= this.#window / 2) {
      this.#acknowledged = event;
      this.#connection.tell(`["ack",${this.subscriptionId},${event}]`);
    }
    this.#listener.take({ epoch, text });
  }
}

/** Receives the answers to the questions of another reader. */
class Answers extends Reader {
  readonly #asking: Reader;
  readonly #receive: (message: unknown[]) => void;

  constructor(connection: ReaderConnection, asking: Reader, receive: (message: unknown[]) => void) {
    super(
      connection,
      () => undefined,
      undefined,
      () => {},
    );
    this.#asking = asking;
    this.#receive = receive;
  }

  /** Sends nothing over a new connection, because the other reader sends its questions again. */
  override begin(): boolean {
    return true;
  }

  override stop(end: { thrown?: unknown }): void {
    this.#asking.stop(end);
  }

  protected override handle(message: unknown[]): void {
    this.#receive(message);
  }
}

/** Returns the end of a message as text, as it was received. */
function textOf(rest: unknown[]): string {
  return rest.length > 0 ? `,${JSON.stringify(rest).slice(1, -1)}` : '';
}

function isExpired(thrown: unknown): boolean {
  return (thrown as Partial<RpcError> | undefined)?.code === 'CURSOR_EXPIRED';
}

function notFeed(): RpcError {
  return new RpcError('METHOD_NOT_FOUND', 'The method of the origin returns no feed');
}

function endIn(message: unknown[]): SubscriptionEnd {
  return decodeAnswer(message.slice(1) as AnswerMessage) as SubscriptionEnd;
}
