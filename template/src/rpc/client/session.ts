/**
 * The calls of one client: numbers them, sends those of a tick in one frame, and settles each when
 * its answer comes. Imports call, inputs, timer, transport and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { DEFAULT_LIMITS, exceeded } from '../wire/limits.ts';
import {
  type AnswerMessage,
  decodeAnswer,
  decodeFrame,
  encodeCancel,
  isId,
} from '../wire/messages.ts';
import { Call, Part, type RpcPromise } from './call.ts';
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

const { frameSize, callsPerFrame, callsInFlight } = DEFAULT_LIMITS;

export class Session {
  #state: 'idle' | 'connecting' | 'open' | 'closed' = 'idle';
  #lastId = 0;
  /** Calls that have been sent and not answered. */
  #inFlight = 0;
  /** Every call without an outcome, in the order in which they were made. */
  readonly #pending = new Map<number, Call>();
  /** Those of them that have not been sent. */
  #queue: Call[] = [];
  #isFlushing = false;
  readonly #timer = new Timer((now) => this.#expire(now));
  readonly #transport: Transport;
  readonly #timeout: number;

  /** @param timeout - for a call that names none, in milliseconds */
  constructor(transport: Transport, timeout: number) {
    this.#transport = transport;
    this.#timeout = timeout;
  }

  /** Makes a call; it leaves at the end of this tick, or when the connection is there. */
  call(method: string, args: unknown[], options: CallOptions): RpcPromise<unknown> {
    const { timeout = this.#timeout, signal } = options;
    const call = new Call(this, this.#lastId + 1, method, performance.now() + timeout);
    try {
      if (this.#state === 'closed') throw new RpcError('CLOSED', 'This client has been closed');
      if (signal?.aborted) throw aborted(call, signal);
      writeCall(call, args);
      if (call.message.length + 2 > frameSize) exceeded('frameSize', frameSize);
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
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#timer.stop();
    this.#transport.close();
    this.#rejectAll(() => new RpcError('CLOSED', 'The client was closed before the answer came'));
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#queue.length === 0) return;
    if (this.#state === 'idle') return this.#connect();
    if (this.#state !== 'open') return;
    const queue = this.#queue;
    this.#queue = [];
    let frame: Call[] = [];
    let size = 2;
    for (const call of queue) {
      if (!this.#isReady(call, frame)) continue;
      if (frame.length === callsPerFrame || size + call.message.length > frameSize) {
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
  }

  /** Whether a call can leave in a frame; one that has to wait goes back into the queue. */
  #isReady(call: Call, frame: Call[]): boolean {
    try {
      if (call.outcome) return false;
      const hasRoom = this.#inFlight < callsInFlight;
      if (hasRoom && prepareCall(call, frame, () => this.#flushSoon())) return true;
      this.#queue.push(call);
    } catch (error) {
      this.#settle(call.id)?.reject(error);
    }
    return false;
  }

  #send(frame: readonly Call[]): void {
    const text = `[${frame.map((call) => call.message).join(',')}]`;
    const rejectAll = (error: unknown): void => {
      for (const { id } of frame) this.#settle(id)?.reject(error);
    };
    const missing = new RpcError('BAD_RESPONSE', 'The response holds no answer to this call');
    this.#transport.send(text)?.then(() => rejectAll(missing), rejectAll);
  }

  #connect(): void {
    this.#state = 'connecting';
    this.#transport.connect({
      opened: () => {
        this.#state = 'open';
        this.#flush();
      },
      received: (frame) => this.#receive(frame),
      lost: ({ code, message, status, cause }) => {
        this.#state = 'idle';
        this.#queue = [];
        this.#rejectAll(
          ({ frame }) => new RpcError(code, message, { status, cause, maybeExecuted: !!frame }),
        );
      },
    });
  }

  #receive(text: string): void {
    try {
      for (const message of decodeFrame(text)) {
        const [id, thrown] = message;
        if (isId(id)) this.#answer(id, message as AnswerMessage);
        else if (id === 'error') throw decodeThrown(thrown);
      }
    } catch (error) {
      this.#rejectAll(() => error);
    }
    this.#flush();
  }

  #answer(id: number, message: AnswerMessage): void {
    const call = this.#settle(id);
    try {
      const outcome = decodeAnswer(message);
      if ('thrown' in outcome) call?.reject(outcome.thrown);
      else call?.resolve(outcome.result);
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

  #rejectAll(errorFor: (call: Call) => unknown): void {
    for (const [id, call] of this.#pending) this.#settle(id)?.reject(errorFor(call));
  }

  #abandonOn(signal: AbortSignal, call: Call): void {
    const abandon = (): void => this.#abandon(call, aborted(call, signal));
    signal.addEventListener('abort', abandon);
    call.onSettled = () => signal.removeEventListener('abort', abandon);
  }

  /** Rejects a call that nobody waits for any more, and tells the object so. */
  #abandon(call: Call, error: RpcError): void {
    this.#settle(call.id)?.reject(error);
    if (call.frame && this.#state === 'open') {
      this.#transport.send(`[${encodeCancel(call.id)}]`)?.catch(() => {});
    }
  }

  /** @returns the next deadline */
  #expire(now: number): number {
    let next = Infinity;
    for (const call of this.#pending.values()) {
      if (call.deadline > now) next = Math.min(next, call.deadline);
      else this.#abandon(call, timedOut(call));
    }
    return next;
  }
}

function decodeThrown(thrown: unknown): unknown {
  const outcome = decodeAnswer([1, 'error', thrown]);
  return 'thrown' in outcome ? outcome.thrown : undefined;
}

function timedOut({ method, frame }: Call): RpcError {
  return new RpcError('TIMEOUT', `${method} had no answer in time`, { maybeExecuted: !!frame });
}

function aborted({ method, frame }: Call, { reason }: AbortSignal): RpcError {
  const details = { cause: reason, maybeExecuted: !!frame };
  return new RpcError('ABORTED', `${method} was aborted`, details);
}
