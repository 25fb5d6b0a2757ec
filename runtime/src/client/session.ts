/**
 * Numbers the calls of one client, sends the calls of a tick together, sends unanswered calls again after a lost
 * connection, and settles all calls.
 */
import { RpcError } from '../wire/errors.ts';
import type { EncodedMessage } from '../wire/encoded-message.ts';
import {
  CALLS_IN_FLIGHT,
  CALLS_PER_FRAME,
  limitExceeded,
  FRAME_SIZE,
  MANY_CALLS,
} from '../wire/limits.ts';
import { type AnswerMessage, decodeAnswer } from '../wire/messages.ts';
import { decodeRich } from '../wire/values/rich-decoder.ts';
import type { CodecFeedback } from '../wire/values/rich-encoder.ts';
import { Call, type Method, type CallSession, type RpcPromise } from './call.ts';
import { Connection, type ConnectionEvents } from './connection.ts';
import { copyOfError, unfinishedError } from './failures.ts';
import { awaitedIn, encodeFrame } from './frames.ts';
import { prepareCall, encodeCallWithRefs } from './pipelining.ts';
import type { CallOptions, SessionOptions } from './options.ts';
import { atEndOfTick, delayOf, Timer } from './timer.ts';
import type { Transport } from './transport.ts';

export class Session implements CallSession, ConnectionEvents {
  // Modules set these members. Only some bundles have such modules.
  declare referenceOf: CallSession['referenceOf'];
  declare resolve: CallSession['resolve'];
  declare callable: CallSession['callable'];
  declare symbolOf: CallSession['symbolOf'];
  declare changed: ConnectionEvents['changed'];
  /** Surrounds a call of a function by the object. */
  declare aroundCallback: ((callId: number, run: () => unknown) => unknown) | undefined;
  // The state that modules keep for this session. Two copies of a module share it.
  declare functions: unknown;
  declare streams: unknown;
  declare subscriptions: unknown;
  declare optimistic: unknown;
  write: CallSession['write'] = (encode, referenceOf) => encode(referenceOf);
  #lastId = 0;
  /** The number of calls that were sent and not answered. */
  #inFlight = 0;
  /** All calls without an outcome, by id, in the order in which they were made. */
  readonly #pending = new Map<number, Call>();
  /** The calls that have not been sent, in the order in which they were made. */
  #queue: Call[] = [];
  /** Identity of the next frame: a list with the id of its first call. */
  #frame: number[] = [];
  /** Sent calls that the client no longer awaits, and that no frame has reported yet. */
  #settled: number[] = [];
  /** The calls that the next frame cancels. */
  #cancelled: number[] = [];
  readonly #timer = new Timer((now) => this.#expire(now));
  declare readonly connection: Connection;
  /** The binding and the name of the object. */
  declare object: readonly [binding: string, instance: string];
  readonly #options: SessionOptions;
  declare readonly transport: Transport;
  /** The reason why no more calls can be made. */
  #end: RpcError | undefined;
  readonly #later = new Timer(() => this.#flush());
  readonly #flushSoon = atEndOfTick(() => {
    // In a Worker, requests that share a client cannot share a timer. They use HTTP, which is not duplex.
    if (this.#inFlight < MANY_CALLS || !this.connection.isDuplex) this.#flush();
    else this.#later.watch(performance.now() + 1);
  });

  constructor(transport: Transport, options: SessionOptions) {
    this.#options = options;
    this.transport = transport;
    this.changed = options.onStateChange;
    this.connection = new Connection(transport, options.reconnect, this);
  }

  /** Makes a call. It is sent at the end of this tick, or when the connection is open. */
  call(
    method: Method,
    args: unknown[],
    options: CallOptions,
    feedback?: CodecFeedback,
  ): RpcPromise<unknown> {
    const { timeout = this.#options.timeout ?? 30_000, signal } = options;
    const call = new Call(this, ++this.#lastId, method, delayOf(timeout));
    try {
      this.admit();
      if (signal) {
        if (signal.aborted) throw unfinishedError(call, signal.reason);
        const abandon = (): void => this.#abandon(call, signal.reason);
        signal.addEventListener('abort', abandon);
        call.onSettled = () => signal.removeEventListener('abort', abandon);
      }
      encodeCallWithRefs(call, args, this.#flushSoon, feedback);
      if (call.message.length + 2 > FRAME_SIZE) limitExceeded('frameSize', FRAME_SIZE);
      this.#pending.set(call.id, call);
      this.#queue.push(call);
      this.#timer.watch(call.deadline);
      this.#flushSoon();
    } catch (error) {
      call.reject(error);
    }
    return call.promise as RpcPromise<unknown>;
  }

  /** Sends messages in one frame. */
  send(messages: readonly EncodedMessage[]): void {
    this.transport.send(`[${messages}]`);
  }

  /** Rejects unanswered calls with `CLOSED`, and ends the connection. */
  close(): void {
    this.#timer.stop();
    this.connection.close(new RpcError('CLOSED', 'Client closed'));
  }

  /** Opens a new connection, even if the server has rejected the client. Does nothing after `close()`. */
  reconnect(): void {
    if (this.#end?.code === 'CLOSED') return;
    this.#end = undefined;
    this.#resend();
    this.connection.reopen();
  }

  /** @throws RpcError `LIMIT_EXCEEDED` if too many calls wait, or the error with which the client was closed */
  admit(): void {
    const { maxQueue = 100_000 } = this.#options;
    if (this.#end) throw copyOfError(this.#end);
    // All pending calls wait while the client reconnects.
    const isFull = this.connection.state === 'reconnecting' && this.#pending.size >= maxQueue;
    if (isFull) limitExceeded('maxQueue', maxQueue);
  }

  #flush(): void {
    const queue = this.#queue;
    if (queue.length + this.#cancelled.length === 0) return;
    if (this.connection.state !== 'open') return this.connection.open();
    this.#queue = [];
    let calls: Call[] = [];
    let size = 0;
    for (const call of queue) {
      if (!this.#isReady(call)) continue;
      size += call.message.length;
      // The rest of a frame is for the messages about calls: up to two lists of the ids of `CALLS_IN_FLIGHT` calls.
      if (calls.length === CALLS_PER_FRAME || size > 0.9 * FRAME_SIZE) {
        this.#send(calls);
        calls = [];
        size = call.message.length;
        if (!this.#isReady(call)) continue;
      }
      this.#inFlight++;
      call.frame = this.#frame;
      this.#frame[0] ??= call.id;
      calls.push(call);
    }
    this.#send(calls);
    if (this.#queue.length > 0 && this.transport.isCongested?.()) {
      this.#later.watch(performance.now() + 20);
    }
  }

  /** Returns whether a call can be sent in the next frame. A call that has to wait goes back into the queue. */
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
    this.#frame = [];
    this.send(encodeFrame(calls, awaits, cancelled));
  }

  // These listeners are properties, because modules replace them and call the previous function.
  opened = (): void => this.#flush();

  isAwaiting = (): boolean => this.#pending.size > 0;
  lost: ConnectionEvents['lost'] = (error, isFinal, unread, fruitless) => {
    // Later calls fail with the same error.
    if (isFinal) this.#end = error;
    for (const call of this.#pending.values()) {
      if (`${unread}`.startsWith(`[[${call.frame},`)) call.sentAt = undefined;
    }
    if (error) this.rejectAll(error);
    // Only calls are rejected: subscriptions keep waiting.
    else if (fruitless) this.#rejectCalls(fruitless);
    this.#resend();
  };

  /**
   * Rejects everything that waits for the object.
   *
   * @param onlySent - whether to reject only calls that have been sent
   * @param first - the first call of a frame, to reject only the calls of that frame
   */
  readonly #rejectCalls = (error: RpcError, onlySent?: boolean, first?: unknown): void => {
    for (const call of this.#pending.values()) {
      if (call.frame ? first && first !== call.frame[0] : onlySent) continue;
      this.#settle(call).reject(copyOfError(error, !!call.sentAt));
    }
  };

  /** Rejects all calls. Modules replace this function to reject their subscriptions, too. */
  rejectAll = this.#rejectCalls;

  received = (messages: unknown[][]): void => {
    for (const message of messages) {
      const [id, thrown, first] = message;
      const refused = this.#pending.get(typeof id === 'number' ? -id : 0);
      // Only a call with inputs is sent again, because the object would reject any other call again.
      if (refused?.inputs && refused.frame) {
        // The call has not run, since the object lacks an input. It returns to its place in the queue.
        this.#inFlight--;
        refused.frame = refused.sentAt = undefined;
        this.#requeue();
      }
      const call = this.#pending.get(id as number);
      try {
        if (call) this.#settle(call).settle(decodeAnswer(message as AnswerMessage, this.resolve));
        // The object could not read a frame. If the client does not know which frame, it rejects all calls that it has
        // sent.
        const refusal = id === 'error' && decodeRich(thrown);
        if (refusal instanceof RpcError) this.rejectAll(refusal, true, first);
      } catch (error) {
        call?.reject(error);
      }
    }
    if (this.#queue.length > 0) this.#flushSoon();
  };

  /** Puts all pending calls into the queue, in the order in which they were made. */
  #resend(): void {
    for (const call of this.#pending.values()) call.frame = undefined;
    this.#inFlight = 0;
    this.#cancelled = [];
    this.#requeue();
  }

  /** Puts the calls that have not been sent on the current connection into the queue, in their order. */
  #requeue(): void {
    this.#queue = [...this.#pending.values()].filter(({ frame }) => !frame);
  }

  /** Removes a call from the pending calls. */
  #settle(call: Call): Call {
    this.#pending.delete(call.id);
    if (call.frame) this.#inFlight--;
    if (call.sentAt) this.#settled.push(call.id);
    return call;
  }

  /** Ends a call that a newer one replaces. */
  drop(call: Call): void {
    this.#settle(call).settle({ result: undefined });
    this.#requeue();
  }

  /** Rejects a call that was aborted or has timed out, and cancels it in the object. */
  #abandon(call: Call, cause: unknown, reason?: string): void {
    this.#settle(call).reject(unfinishedError(call, cause, reason));
    if (call.frame && this.connection.isDuplex) this.#cancelled.push(call.id);
    // The flush also rejects queued calls that take this call as an input.
    this.#flushSoon();
  }

  #expire(now: number): number {
    const { failure } = this.connection;
    const reason = failure?.message ?? `no answer from ${this.transport.address}`;
    let next = Infinity;
    for (const call of this.#pending.values()) {
      if (call.deadline > now) next = Math.min(next, call.deadline);
      else this.#abandon(call, failure, reason);
    }
    return next;
  }
}
