/**
 * A stream that is an argument of a running call. It holds the items that have arrived, and knows how many of them the
 * method has read.
 */
import {
  type Connection,
  type Limits,
  rejection,
  decodeSent,
  parseUnchecked,
  sizeOf,
} from '../../../server/feature.ts';
import { hasBytes } from '../../../wire/encoded-message.ts';
import type { RpcError } from '../../../wire/errors.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import { STREAM_SIZE, STREAM_WINDOW } from '../wire.ts';
import type { AnswerMessage } from '../../../wire/messages.ts';

/**
 * The object acknowledges when the method has read this many characters. The number is small, because the client
 * measures the time until an acknowledgement.
 */
const LARGE = 131_072;

/**
 * If no further item has arrived, the object already acknowledges this many characters, because the client may wait for
 * room. The client then has 262 144 characters on their way. `sizeOf` can count fewer characters, but counts more than
 * a 60th of them.
 */
const SMALL = 4_096;

/**
 * The longest time before the object acknowledges an item, in milliseconds. An acknowledgement restarts the timeout of
 * the call.
 */
const LATE = 1_000;

/**
 * If the object holds more than this size for a client, items are kept as text, because small values take more memory
 * when they are parsed.
 */
const TIGHT = 1_048_576;

/** The functions and data of the object that a stream needs. */
export interface StreamOwner {
  readonly limits: Limits;
  /** The time that a method waits for an item, in milliseconds. */
  readonly timeout: number;
  /** The account of the client's items. */
  readonly memory: Connection['memory'];
  /** Returns the open connection of the client; `undefined` if there is none. */
  connection(): Connection | undefined;
  /** Keeps the object awake while the method waits for an item, and makes sure that `look` is called regularly. */
  await(stream: ArgumentStream): void;
}

export class ArgumentStream implements AsyncIterable<unknown> {
  /** The client's number of the stream. */
  readonly streamId: number;
  /** The id of the call that the stream belongs to. */
  readonly id: number;
  /** True if the method waits for an item. */
  isAwaited = false;
  readonly #host: StreamOwner;
  /** The items that have arrived and that the method has not read, as they are, or as text. */
  #items: (AnswerMessage | string)[] = [];
  /** The size of these items. */
  #held = 0;
  /** The time since which the method has waited for an item, in the time of `Date.now()`. */
  #waitingSince = 0;
  /** The sizes of the items that have arrived and are not acknowledged. */
  readonly #sizes: number[] = [];
  /** The sum of `#sizes`, and the part of it that the method has read. */
  #size = 0;
  #takenSize = 0;
  #received = 0;
  #taken = 0;
  #acknowledged = 0;
  /** The time of `Date.now()` when items were last acknowledged. */
  #acknowledgedAt = Date.now();
  /** The end of the stream, which follows when the method has read all items. */
  #end: { thrown?: unknown } | undefined;
  /** The error that says why no more items can be read. */
  #failure: RpcError | undefined;
  /** True if the method has stopped reading. */
  #isStopped = false;
  /** The connection on which `stop` was sent. */
  #told: Connection | undefined;
  #isRead = false;
  /** The time of `Date.now()` when the client was first found to be disconnected. */
  #awaySince: number | undefined;
  #wake = (): void => {};

  constructor(streamId: number, id: number, host: StreamOwner) {
    this.streamId = streamId;
    this.id = id;
    this.#host = host;
  }

  /**
   * Receives an item.
   *
   * @param item - its number, then its value in the form of an answer
   * @throws RpcError for a message that our client never sends; the rest of the frame is ignored
   */
  push(item: AnswerMessage, connection: Connection): void {
    const [i] = item;
    if (this.#isOver) return this.#tellStop(connection);
    if (i <= this.#received) {
      // The client sends the item again because it has not received the acknowledgement.
      if (i === this.#received) this.acknowledge();
      return;
    }
    if (this.#end) {
      throw this.#fail(rejection('BAD_MESSAGE', `Stream ${this.streamId} has ended`));
    }
    if (i !== this.#received + 1) return void this.#fail(this.#lost());
    const size = sizeOf(item);
    try {
      if (this.#sizes.length >= STREAM_WINDOW)
        limitExceeded('the window of a stream', STREAM_WINDOW);
      // The client sends an item only while the unacknowledged items before it are smaller than this limit.
      if (Math.max(size, this.#size) > STREAM_SIZE)
        limitExceeded('the size of a stream', STREAM_SIZE);
      this.#host.memory.admit(size);
    } catch (error) {
      throw this.#fail(error as RpcError);
    }
    this.#received = i;
    const isKeptAsText = this.#host.memory.held > TIGHT && !hasBytes(item);
    this.#items.push(isKeptAsText ? JSON.stringify(item) : item);
    this.#sizes.push(size);
    this.#size += size;
    this.#held += size;
    this.#wake();
  }

  /**
   * Receives the end of the stream.
   *
   * @param end - the number of the last item, then the error that the source threw, if there is an error; empty for
   *   an aborted call: see `isEnd`
   * @throws RpcError for a message that our client never sends; the rest of the frame is ignored
   */
  finish(end: unknown[]): void {
    if (this.#isOver || this.#end) return;
    if (end.length === 0) {
      return void this.#fail(
        rejection('ABORTED', `The call of stream ${this.streamId} was aborted`),
      );
    }
    if (end[0] !== this.#received) return void this.#fail(this.#lost());
    try {
      this.#end = end.length > 2 ? { thrown: this.#decode(end as AnswerMessage) } : {};
    } catch (error) {
      throw this.#fail(error as RpcError);
    }
    this.#wake();
  }

  /** Ends the stream at once, and drops the items that the method has not read. */
  close(error: RpcError): void {
    this.#fail(error);
  }

  /** Acknowledges all items that the method has read. */
  acknowledge(): void {
    this.#sizes.splice(0, this.#taken - this.#acknowledged);
    this.#size -= this.#takenSize;
    this.#takenSize = 0;
    this.#acknowledged = this.#taken;
    this.#acknowledgedAt = Date.now();
    this.#host.connection()?.queue(`["ack",${this.streamId},${this.#taken}]`);
  }

  /**
   * Acknowledges again, so that a client that has left the stream sends its end. Ends the stream of a client that is
   * disconnected, or whose next item the method has awaited for too long.
   *
   * @param now - the time of `Date.now()`
   * @param patience - the time that the object waits for a disconnected client, in milliseconds
   */
  checkClient(now: number, patience: number): void {
    const { timeout } = this.#host;
    if (this.isAwaited && now >= this.#waitingSince + timeout) {
      const problem = `Stream ${this.streamId} had no item for ${timeout} ms: see the option streamTimeout`;
      return this.close(rejection('TIMEOUT', problem, { maybeExecuted: true }));
    }
    if (this.#host.connection()) {
      this.#awaySince = undefined;
      return this.acknowledge();
    }
    this.#awaySince ??= now;
    if (now < this.#awaySince + patience) return;
    const problem = `The client of stream ${this.streamId} has been disconnected for ${patience} ms`;
    this.close(rejection('DISCONNECTED', problem, { maybeExecuted: true }));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    if (this.#isRead)
      throw new TypeError(
        'A stream can be read only once: to use its items again, collect them in an array',
      );
    this.#isRead = true;
    try {
      for (;;) {
        if (this.#failure) throw this.#failure;
        const item = this.#items.shift();
        if (item) yield this.#take(typeof item === 'string' ? parsed(item) : item);
        else if (!this.#end) await this.#next();
        else if ('thrown' in this.#end) throw this.#end.thrown;
        else return;
      }
    } finally {
      this.#stop();
    }
  }

  get #isOver(): boolean {
    return this.#isStopped || this.#failure !== undefined;
  }

  #take(item: AnswerMessage): unknown {
    const size = this.#sizes[this.#taken - this.#acknowledged] as number;
    this.#takenSize += size;
    this.#release(size);
    this.#taken++;
    const isHalf = this.#taken - this.#acknowledged >= STREAM_WINDOW / 2;
    const isLate = Date.now() >= this.#acknowledgedAt + LATE;
    if (isHalf || isLate || this.#takenSize >= LARGE) this.acknowledge();
    return this.#decode(item);
  }

  /** @throws RpcError for a value that is malformed or exceeds a limit */
  #decode(encoded: AnswerMessage): unknown {
    const sent = decodeSent(encoded, this.#host.limits);
    return 'thrown' in sent ? sent.thrown : sent.result;
  }

  async #next(): Promise<void> {
    // The client may wait for room: see `SMALL`.
    if (this.#takenSize >= SMALL) this.#acknowledgeSoon();
    this.isAwaited = true;
    this.#waitingSince = Date.now();
    this.#host.await(this);
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.isAwaited = false;
  }

  /** Acknowledges in a timer. The runtime first delivers the messages that have already arrived. */
  #acknowledgeSoon(): void {
    setTimeout(() => {
      if (this.#takenSize > 0 && !this.#isOver) this.acknowledge();
    });
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isStopped = true;
    this.#clear();
    const connection = this.#host.connection();
    if (!this.#end && connection) this.#tellStop(connection);
  }

  /** Sends `stop` once on each connection, because it may have been lost with the previous connection. */
  #tellStop(connection: Connection): void {
    if (this.#told !== connection) connection.queue(`["stop",${this.streamId}]`);
    this.#told = connection;
  }

  #fail(error: RpcError): RpcError {
    this.#failure ??= error;
    this.#clear();
    this.#wake();
    return error;
  }

  #clear(): void {
    this.#items = [];
    this.#release(this.#held);
  }

  #release(size: number): void {
    this.#held -= size;
    this.#host.memory.release(size);
  }

  /** Returns the error for items that an earlier run of the call has read. They are never sent again. */
  #lost(): RpcError {
    const problem = `Items of stream ${this.streamId} were lost: its call was interrupted after it had read them`;
    return rejection('DISCONNECTED', problem, { maybeExecuted: true });
  }
}

/** Returns an item that was kept as text. */
function parsed(item: string): AnswerMessage {
  const [message] = parseUnchecked(`[${item}]`) ?? [];
  return message as AnswerMessage;
}
