/**
 * The calls of one client: numbered, sent with those of their tick, sent again if a connection was lost, and
 * settled. Imports call, connection, failures, frames, inputs, options, timer, transport and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import type { Said } from '../wire/bytes.ts';
import {
  CALLS_IN_FLIGHT,
  CALLS_PER_FRAME,
  exceeded,
  FRAME_SIZE,
  MANY_CALLS,
} from '../wire/limits.ts';
import { type AnswerMessage, decodeAnswer } from '../wire/messages.ts';
import { decodeRich } from '../wire/rich-decoder.ts';
import { Call, type Method, type Owner, proxyOf, type RpcPromise } from './call.ts';
import { Connection } from './connection.ts';
import { copyOf, unfinished } from './failures.ts';
import { awaitedIn, encodeFrame, unsentOf } from './frames.ts';
import { prepareCall, writeCall } from './inputs.ts';
import type { CallOptions, SessionOptions } from './options.ts';
import { atEndOfTick, Timer } from './timer.ts';
import type { Transport } from './transport.ts';

export class Session implements Owner {
  declare take: Owner['take'];
  declare make: Owner['make'];
  declare callable: Owner['callable'];
  write: Owner['write'] = (encode, referenceOf) => encode(referenceOf);
  #lastId = 0;
  /** Calls that have been sent and not answered. */
  #inFlight = 0;
  /** Every call without an outcome, in the order in which they were made. */
  readonly #pending = new Map<number, Call>();
  /** Those of them that have not been sent, in that order too. */
  #queue: Call[] = [];
  /** Stands for the frame that leaves next. */
  #frame = {};
  /** Calls that were sent and are not awaited any more, of which no frame has told yet. */
  #settled: number[] = [];
  /** Those of them that the object need not work on. */
  #cancelled: number[] = [];
  readonly #timer = new Timer((now) => this.#expire(now));
  readonly connection: Connection;
  readonly #options: SessionOptions;
  readonly transport: Transport;
  /** Why no call can be made any more. */
  #end: RpcError | undefined;
  readonly #later = new Timer(() => {
    this.#flush();
    return Infinity;
  });
  readonly #atEndOfTick = atEndOfTick(() => this.#flush());
  readonly #flushSoon = (): void => {
    // Requests that share a client of a Worker have no timers in common; their calls are POSTs.
    if (this.#inFlight < MANY_CALLS || !this.connection.isDuplex) this.#atEndOfTick();
    else this.#later.watch(performance.now() + 1);
  };

  constructor(transport: Transport, options: SessionOptions) {
    this.#options = options;
    this.transport = transport;
    this.connection = new Connection(transport, options.reconnect, {
      opened: () => this.#flush(),
      received: (messages) => this.#receive(messages),
      lost: (error, isFinal) => this.#lose(error, isFinal),
      isAwaiting: () => this.#pending.size > 0,
      changed: options.onStateChange,
    });
  }

  /** Makes a call; it leaves at the end of this tick, or when the connection is there. */
  call(method: Method, args: unknown[], options: CallOptions): RpcPromise<unknown> {
    const { timeout = this.#options.timeout ?? 30_000, signal } = options;
    const call = new Call(this, this.#lastId + 1, method, timeout);
    try {
      this.admit();
      if (signal) {
        if (signal.aborted) throw unfinished(call, signal.reason);
        const abandon = (): void => this.#abandon(call, signal.reason);
        signal.addEventListener('abort', abandon);
        call.onSettled = () => signal.removeEventListener('abort', abandon);
      }
      writeCall(call, args, this.#flushSoon);
      if (call.message.length + 2 > FRAME_SIZE) exceeded('frameSize', FRAME_SIZE);
      this.#lastId = call.id;
      this.#pending.set(call.id, call);
      this.#queue.push(call);
      this.#timer.watch(call.deadline);
      this.#flushSoon();
    } catch (error) {
      call.reject(error);
    }
    return proxyOf(call);
  }

  /** Sends messages in one frame. */
  send(messages: readonly Said[]): void {
    this.transport.send(`[${messages.join()}]`);
  }

  /** Rejects what is unanswered with `CLOSED` and ends the connection. */
  close(): void {
    this.#timer.stop();
    this.connection.close(new RpcError('CLOSED', 'Client closed'));
  }

  /** Connects anew, also after a refusal, unless it has been closed. */
  reconnect(): void {
    if (this.#end?.code === 'CLOSED') return;
    this.#end = undefined;
    this.#resend();
    this.connection.reopen();
  }

  /** @throws RpcError when no call can be made */
  admit(): void {
    const { maxQueue = 100_000 } = this.#options;
    if (this.#end) throw copyOf(this.#end);
    if (this.connection.state !== 'reconnecting' || this.#queue.length < maxQueue) return;
    // Calls that have been given up leave their places.
    this.#queue = this.#queue.filter(({ outcome }) => !outcome);
    if (this.#queue.length >= maxQueue) exceeded('maxQueue', maxQueue);
  }

  #flush(): void {
    const queue = this.#queue;
    if (queue.length + this.#cancelled.length === 0) return;
    if (this.connection.state !== 'open') return this.connection.open();
    this.#queue = [];
    let calls: Call[] = [];
    // What may come before the calls is at most so long.
    const start = 100 + 20 * (this.#settled.length + this.#cancelled.length);
    let size = start;
    for (const call of queue) {
      if (!this.#isReady(call)) continue;
      size += call.message.length + 1;
      if (calls.length === CALLS_PER_FRAME || (size > FRAME_SIZE && calls.length > 0)) {
        this.#send(calls);
        calls = [];
        size = start + call.message.length + 1;
        if (!this.#isReady(call)) continue;
      }
      this.#inFlight++;
      call.frame = this.#frame;
      calls.push(call);
    }
    this.#send(calls);
    if (this.#queue.length === 0 || !this.transport.isCongested?.()) return;
    this.#later.watch(performance.now() + 20);
  }

  /** Whether a call can leave in the next frame; one that has to wait goes back into the queue. */
  #isReady(call: Call): boolean {
    try {
      if (call.outcome) return false;
      const hasRoom = this.#inFlight < CALLS_IN_FLIGHT && !this.transport.isCongested?.();
      const isReady =
        hasRoom && prepareCall(call, this.#frame, this.connection.isDuplex, this.#flushSoon);
      if (isReady) return true;
      this.#queue.push(call);
    } catch (error) {
      this.#settle(call).reject(error);
    }
    return false;
  }

  #send(calls: readonly Call[]): void {
    const cancelled = this.#cancelled;
    if (calls.length + cancelled.length === 0) return;
    const awaits = awaitedIn(calls, this.#pending, this.#settled, this.#lastId);
    if (calls.length > 0) this.#settled = [];
    this.#cancelled = [];
    this.#frame = {};
    this.send(encodeFrame(calls, awaits, cancelled));
  }

  #lose(error?: RpcError, isFinal?: boolean): void {
    this.#resend();
    if (!error) return;
    // It holds for every later call too.
    if (isFinal) this.#end = error;
    this.#rejectAll(error);
    this.#queue = [];
  }

  /** Puts the calls that were sent and not answered before those that were not sent. */
  #resend(): void {
    for (const call of this.#pending.values()) call.frame = undefined;
    this.#inFlight = 0;
    this.#cancelled = [];
    this.#queue = unsentOf(this.#pending);
  }

  #receive(messages: unknown[][]): void {
    for (const message of messages) {
      const [id, thrown] = message;
      const refused = this.#pending.get(-(id as number));
      if (refused?.frame) {
        // It has not run, since the object did not know an input: it goes where it was.
        this.#inFlight--;
        refused.frame = refused.sentAt = undefined;
        this.#queue = unsentOf(this.#pending);
      }
      const call = this.#pending.get(id as number);
      try {
        // A frame could not be read: one of those that are on their way, nobody can tell which.
        const refusal = id === 'error' && decodeRich(thrown);
        if (refusal instanceof RpcError) this.#rejectAll(refusal, true);
        const outcome = call && decodeAnswer(message as AnswerMessage, this.make);
        if (outcome) this.#settle(call).settle(outcome);
      } catch (error) {
        if (call) this.#settle(call).reject(error);
      }
    }
    if (this.#queue.length > 0) this.#flushSoon();
  }

  /** Takes a call out of the pending ones. */
  #settle(call: Call): Call {
    this.#pending.delete(call.id);
    if (call.frame) this.#inFlight--;
    if (call.sentAt) this.#settled.push(call.id);
    return call;
  }

  #rejectAll(error: RpcError, onlySent = false): void {
    for (const call of this.#pending.values()) {
      if (call.frame || !onlySent) this.#settle(call).reject(copyOf(error, !!call.sentAt));
    }
  }

  /** Rejects a call that nobody waits for any more, and lets the object know. */
  #abandon(call: Call, cause: unknown, trouble?: string): void {
    this.#settle(call).reject(unfinished(call, cause, trouble));
    if (call.frame && this.connection.isDuplex) this.#cancelled.push(call.id);
    // Those that take it as an input fail with it.
    this.#flushSoon();
  }

  #expire(now: number): number {
    const { failure, trouble } = this.connection;
    let next = Infinity;
    for (const call of this.#pending.values()) {
      if (call.deadline > now) next = Math.min(next, call.deadline);
      else this.#abandon(call, failure, trouble);
    }
    return next;
  }
}
