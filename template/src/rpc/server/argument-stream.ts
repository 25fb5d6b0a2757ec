/**
 * One stream that is an argument of a call which is running: what has arrived of it, and what the method has
 * taken. Imports arguments, limits, peer, refusal and wire/.
 */
import type { RpcError } from '../wire/errors.ts';
import { exceeded } from '../wire/limits.ts';
import { STREAM_SIZE, STREAM_WINDOW } from '../wire/items.ts';
import { type AnswerMessage, decodeAnswer, isId } from '../wire/messages.ts';
import { checkValue, sizeOf } from './arguments.ts';
import type { Limits } from './limits.ts';
import type { Peer } from './peer.ts';
import { refusal } from './refusal.ts';

/** What has been taken is acknowledged from so many characters on: soon, since the client measures the time. */
const LARGE = 131_072;

/**
 * When nothing else is there to be taken, from so many on: a client that waits for room has 262 144 under way,
 * and no value takes 60 times of what `sizeOf` says.
 */
const SMALL = 4_096;

/** An item that has arrived: its number, and what an answer ends with. */
type Arrived = AnswerMessage;

/** What a stream needs of the object. */
export interface StreamOwner {
  readonly limits: Limits;
  /** The connection of the client, if it is there. */
  connection(): Peer | undefined;
  /** Sees to it that the object stays awake, and hears of a client that goes. */
  await(stream: ArgumentStream): void;
}

export class ArgumentStream implements AsyncIterable<unknown> {
  /** The number that the client has given it. */
  readonly s: number;
  /** The call that it belongs to. */
  readonly id: number;
  /** Whether the method waits for an item. */
  isAwaited = false;
  readonly #owner: StreamOwner;
  /** What has arrived and has not been taken. */
  #items: Arrived[] = [];
  /** The sizes of what has arrived and has not been acknowledged. */
  readonly #sizes: number[] = [];
  /** Their sum, and that of those of them that have been taken. */
  #size = 0;
  #takenSize = 0;
  #received = 0;
  #taken = 0;
  #acknowledged = 0;
  /** How it ends, once what has arrived is taken. */
  #end: { thrown?: unknown } | undefined;
  /** Why nothing of it is taken any more. */
  #failure: RpcError | undefined;
  /** Whether the method takes no more. */
  #isStopped = false;
  /** The connection that has been told so. */
  #told: Peer | undefined;
  #isRead = false;
  /** Since when the client is known to be away, on the clock of `Date.now()`. */
  #awaySince: number | undefined;
  /** Whether a timer will acknowledge what has been taken. */
  #isDue = false;
  #wake = (): void => {};

  constructor(s: number, id: number, owner: StreamOwner) {
    this.s = s;
    this.id = id;
    this.#owner = owner;
  }

  /**
   * Takes an item.
   *
   * @param item - its number, then what an answer ends with
   * @throws RpcError for what no client of ours sends: the frame ends there
   */
  push(item: unknown[], peer: Peer): void {
    const [i] = item as [number];
    if (!isItem(item))
      throw refusal('BAD_MESSAGE', 'An item must be ["item", s, i], then its value');
    if (this.#isOver) return this.#tellStop(peer);
    if (i <= this.#received) {
      // Sent again: the client has not heard what was acknowledged.
      if (i === this.#received) this.acknowledge();
      return;
    }
    if (this.#end) throw this.#fail(refusal('BAD_MESSAGE', `Stream ${this.s} has ended`));
    if (i !== this.#received + 1) return void this.#fail(this.#lost());
    const size = sizeOf(item);
    try {
      if (this.#sizes.length >= STREAM_WINDOW) exceeded('the window of a stream', STREAM_WINDOW);
      if (Math.max(size, this.#size) > STREAM_SIZE) exceeded('the size of a stream', STREAM_SIZE);
    } catch (error) {
      throw this.#fail(error as RpcError);
    }
    this.#received = i;
    this.#items.push(item);
    this.#sizes.push(size);
    this.#size += size;
    this.#wake();
  }

  /**
   * Takes note of the end.
   *
   * @param said - the number of the last item, and what the source threw
   * @throws RpcError for what no client of ours sends: the frame ends there
   */
  finish(said: unknown[]): void {
    const [last, form] = said;
    if (this.#isOver || this.#end) return;
    if (said.length === 0) {
      return void this.#fail(refusal('ABORTED', `The call of stream ${this.s} was aborted`));
    }
    if ((last !== 0 && !isId(last)) || said.length === 2 || (said.length > 2 && form !== 'error')) {
      throw this.#fail(
        refusal('BAD_MESSAGE', 'An end must be ["end", s, i], then an optional error'),
      );
    }
    if (last !== this.#received) return void this.#fail(this.#lost());
    try {
      this.#end = said.length > 2 ? { thrown: this.#decode(said as Arrived) } : {};
    } catch (error) {
      throw this.#fail(error as RpcError);
    }
    this.#wake();
  }

  /** Ends it where it is: what has not been taken is not to be had any more. */
  close(error: RpcError): void {
    this.#fail(error);
  }

  /** Says how far it has been taken. */
  acknowledge(): void {
    this.#sizes.splice(0, this.#taken - this.#acknowledged);
    this.#size -= this.#takenSize;
    this.#takenSize = 0;
    this.#acknowledged = this.#taken;
    this.#owner.connection()?.answer(`["ack",${this.s},${this.#taken}]`);
  }

  /**
   * Asks the client whether it still has the stream; one that is away is given up after so many milliseconds.
   *
   * @param now - on the clock of `Date.now()`
   */
  look(now: number, patience: number): void {
    if (this.#owner.connection()) {
      this.#awaySince = undefined;
      return this.acknowledge();
    }
    this.#awaySince ??= now;
    if (now < this.#awaySince + patience) return;
    const problem = `The client of stream ${this.s} has been disconnected for ${patience} ms`;
    this.close(refusal('DISCONNECTED', problem, { maybeExecuted: true }));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    if (this.#isRead) throw new TypeError('A stream can be read only once');
    this.#isRead = true;
    try {
      for (;;) {
        if (this.#failure) throw this.#failure;
        const item = this.#items.shift();
        if (item) yield this.#take(item);
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

  #take(item: Arrived): unknown {
    this.#takenSize += this.#sizes[this.#taken - this.#acknowledged] as number;
    this.#taken++;
    const isHalf = this.#taken - this.#acknowledged >= STREAM_WINDOW / 2;
    if (isHalf || this.#takenSize >= LARGE) this.acknowledge();
    return this.#decode(item);
  }

  /** @throws RpcError for what is larger than the limits allow, or malformed */
  #decode(said: Arrived): unknown {
    const answer = decodeAnswer(said);
    const value = 'thrown' in answer ? answer.thrown : answer.result;
    checkValue(value, said.length < 3, this.#owner.limits);
    return value;
  }

  async #next(): Promise<void> {
    // The client may wait for room: what is small here may be long as text.
    if (this.#takenSize >= SMALL) this.#acknowledgeSoon();
    this.isAwaited = true;
    this.#owner.await(this);
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.isAwaited = false;
  }

  /** When there is nothing more to read: the runtime reads what has arrived before a timer goes off. */
  #acknowledgeSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      if (this.#takenSize > 0 && !this.#isOver) this.acknowledge();
    });
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isStopped = true;
    this.#items = [];
    const peer = this.#owner.connection();
    if (!this.#end && peer) this.#tellStop(peer);
  }

  /** Once by each connection: a client that comes back may not have heard it. */
  #tellStop(peer: Peer): void {
    if (this.#told !== peer) peer.answer(`["stop",${this.s}]`);
    this.#told = peer;
  }

  #fail(error: RpcError): RpcError {
    this.#failure ??= error;
    this.#items = [];
    this.#wake();
    return error;
  }

  /** What an earlier life of the object, or an earlier run of the call, has taken does not come again. */
  #lost(): RpcError {
    const problem = `Items of stream ${this.s} were lost: its call was interrupted after it had read them`;
    return refusal('DISCONNECTED', problem, { maybeExecuted: true });
  }
}

function isItem(item: unknown[]): item is Arrived {
  const { length } = item;
  return isId(item[0]) && (length < 3 || (length === 3 && item[1] === 'rich'));
}
