/**
 * The calls of one client: numbers them, sends those of a tick in one frame, sends again what a lost
 * connection left unanswered, and settles each when its answer comes.
 * Imports call, connection, failures, inputs, timer, transport and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { CALLS_IN_FLIGHT, CALLS_PER_FRAME, exceeded, FRAME_SIZE } from '../wire/limits.ts';
import { type AnswerMessage, decodeAnswer, decodeFrame, encodeControl } from '../wire/messages.ts';
import { decodeRich } from '../wire/rich-decoder.ts';
import { Call, Part, type RpcPromise } from './call.ts';
import {
  Connection,
  type ConnectionState,
  type ReconnectOptions,
  type StateDetail,
} from './connection.ts';
import { copyOf, givenUp } from './failures.ts';
import { prepareCall, writeCall } from './inputs.ts';
import { Timer } from './timer.ts';
import type { Transport } from './transport.ts';

/** What can be chosen for each call. */
export interface CallOptions {
  /** How long to wait for the answer, in milliseconds. Default: the client's. */
  timeout?: number;
  /** Gives the call up when it is aborted. */
  signal?: AbortSignal;
}

export interface SessionOptions {
  /** For each call, in milliseconds. Default 30 000. */
  timeout?: number;
  /**
   * How to come back after a lost connection: what was not answered is sent again, and runs once.
   * `false` rejects it with `DISCONNECTED`.
   */
  reconnect?: ReconnectOptions | false;
  /**
   * How many calls may wait while the connection is lost; further ones reject with `LIMIT_EXCEEDED`.
   * 0 lets them fail fast. Default 100 000.
   */
  maxQueue?: number;
  /** Told of every change of the connection's state. */
  onStateChange?: (state: ConnectionState, detail: StateDetail) => void;
}

export class Session {
  #lastId = 0;
  /** Calls that have been sent and not answered. */
  #inFlight = 0;
  /** Every call without an outcome, in the order in which they were made. */
  readonly #pending = new Map<number, Call>();
  /** Those of them that have not been sent. */
  #queue: Call[] = [];
  #isFlushing = false;
  #congestion: ReturnType<typeof setTimeout> | undefined;
  readonly #timer = new Timer((now) => this.#expire(now));
  readonly #connection: Connection;
  readonly #options: SessionOptions;
  /** Why no call can be made any more. */
  #end: RpcError | undefined;
  /** At the end of this tick. */
  readonly #flushSoon = (): void => {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // Not queueMicrotask, which makes a resource to be tracked of each in Node.
    void Promise.resolve().then(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  };

  constructor(transport: Transport, options: SessionOptions) {
    this.#options = options;
    this.#connection = new Connection(transport, options.reconnect ?? {}, {
      opened: () => this.#flush(),
      received: (frame) => this.#receive(frame),
      lost: (error, isLast) => this.#lose(error, isLast),
      changed: (state, detail) => options.onStateChange?.(state, detail),
    });
  }

  /** Makes a call; it leaves at the end of this tick, or when the connection is there. */
  call(method: string, args: unknown[], options: CallOptions): RpcPromise<unknown> {
    const { timeout = this.#options.timeout ?? 30_000, signal } = options;
    const call = new Call(this, this.#lastId + 1, method, performance.now() + timeout);
    try {
      this.#admit();
      if (signal?.aborted) throw givenUp('ABORTED', call, signal.reason);
      writeCall(call, args);
      if (call.message.length + 2 > FRAME_SIZE) exceeded('frameSize', FRAME_SIZE);
      this.#lastId = call.id;
      this.#pending.set(call.id, call);
      this.#queue.push(call);
      this.#timer.watch(call.deadline);
      if (signal) this.#abandonOn(signal, call);
      this.#flushSoon();
    } catch (error) {
      call.reject(error);
    }
    return new Part(call).proxy();
  }

  /** Rejects what is unanswered with `CLOSED` and ends the connection. */
  close(): void {
    if (this.#end) return;
    this.#end = new RpcError('CLOSED', 'The client is closed');
    this.#timer.stop();
    this.#connection.close(this.#end);
    this.#rejectAll(this.#end);
  }

  /** @throws RpcError when no call can be made */
  #admit(): void {
    const { maxQueue = 100_000 } = this.#options;
    if (this.#end) throw copyOf(this.#end);
    if (this.#connection.state !== 'reconnecting' || this.#queue.length < maxQueue) return;
    // Calls that have been given up leave their places.
    this.#queue = this.#queue.filter(({ outcome }) => !outcome);
    if (this.#queue.length >= maxQueue) exceeded('maxQueue', maxQueue);
  }

  #flush(): void {
    if (this.#queue.length === 0) return;
    if (this.#connection.state !== 'open') return this.#connection.open();
    const queue = this.#queue;
    this.#queue = [];
    let frame: Call[] = [];
    let size = 2;
    for (const call of queue) {
      if (!this.#isReady(call, frame)) continue;
      if (frame.length === CALLS_PER_FRAME || size + call.message.length > FRAME_SIZE) {
        this.#send(frame);
        frame = [];
        size = 2;
        if (!this.#isReady(call, frame)) continue;
      }
      this.#inFlight++;
      call.frame = frame;
      frame.push(call);
      size += call.message.length + 1;
    }
    if (frame.length > 0) this.#send(frame);
    if (this.#queue.length === 0 || !this.#connection.isCongested) return;
    clearTimeout(this.#congestion as never);
    this.#congestion = setTimeout(() => this.#flush(), 20);
  }

  /** Whether a call can leave in a frame; one that has to wait goes back into the queue. */
  #isReady(call: Call, frame: Call[]): boolean {
    try {
      if (call.outcome) return false;
      const hasRoom = this.#inFlight < CALLS_IN_FLIGHT && !this.#connection.isCongested;
      if (hasRoom && prepareCall(call, frame, this.#flushSoon)) return true;
      this.#queue.push(call);
    } catch (error) {
      this.#settle(call.id)?.reject(error);
    }
    return false;
  }

  #send(frame: readonly Call[]): void {
    const [oldest = 0] = this.#pending.keys();
    const resent = frame.findLast((call) => call.isResent);
    let text = '';
    if (oldest !== frame[0]?.id) text = encodeControl('awaits', oldest);
    if (resent) text += `${text && ','}${encodeControl('resent', resent.id, 0)}`;
    for (const { message } of frame) text += `${text && ','}${message}`;
    this.#connection.send(`[${text}]`);
  }

  #lose(error: RpcError, isLast: boolean): void {
    if (!isLast) return this.#resend();
    // A refusal holds for every later call too.
    if (this.#connection.state === 'closed') this.#end = error;
    this.#queue = [];
    this.#rejectAll(error);
  }

  /** Puts the calls that were sent and not answered before those that were not sent. */
  #resend(): void {
    for (const call of this.#pending.values()) {
      call.isResent ||= call.frame !== undefined;
      call.frame = undefined;
    }
    this.#inFlight = 0;
    this.#queue = [...this.#pending.values()];
  }

  #receive(text: string): void {
    try {
      for (const message of decodeFrame(text)) {
        const [id, thrown] = message;
        if (typeof id === 'number') this.#answer(id, message as AnswerMessage);
        else if (id === 'error') throw decodeRich(thrown);
      }
    } catch (error) {
      this.#rejectAll(error as RpcError);
    }
    this.#flush();
  }

  #answer(id: number, message: AnswerMessage): void {
    const call = this.#settle(id);
    try {
      call?.settle(decodeAnswer(message));
    } catch (error) {
      call?.reject(error);
    }
  }

  /** Takes a call out of the pending ones; `undefined` when it has been settled already. */
  #settle(id: number): Call | undefined {
    const call = this.#pending.get(id);
    if (this.#pending.delete(id) && call?.frame) this.#inFlight--;
    return call;
  }

  #rejectAll(error: RpcError): void {
    for (const [id, { wasSent }] of this.#pending) this.#settle(id)?.reject(copyOf(error, wasSent));
  }

  #abandonOn(signal: AbortSignal, call: Call): void {
    const abandon = (): void => this.#abandon(call, givenUp('ABORTED', call, signal.reason));
    signal.addEventListener('abort', abandon);
    call.onSettled = () => signal.removeEventListener('abort', abandon);
  }

  /** Rejects a call that nobody waits for any more, and tells the object so. */
  #abandon(call: Call, error: RpcError): void {
    this.#settle(call.id)?.reject(error);
    if (call.frame && this.#connection.isDuplex)
      this.#connection.send(`[${encodeControl('cancel', call.id)}]`);
  }

  /** @returns the next deadline */
  #expire(now: number): number {
    let next = Infinity;
    for (const call of this.#pending.values()) {
      if (call.deadline > now) next = Math.min(next, call.deadline);
      else this.#abandon(call, givenUp('TIMEOUT', call));
    }
    return next;
  }
}
