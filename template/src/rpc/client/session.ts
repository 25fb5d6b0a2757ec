/**
 * The calls of one client: numbers them, sends those of a tick in one frame, and settles each when
 * its answer comes. Imports transport and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { decodeFrame, encodeCall, encodeFrame, readAnswer } from '../wire/messages.ts';
import type { Transport } from './transport.ts';

interface PendingCall {
  message: string;
  method: string;
  deadline: number;
  sent: boolean;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type State = 'idle' | 'connecting' | 'open' | 'closed';

export class Session {
  #state: State = 'idle';
  #lastId = 0;
  /** Every call without an answer, in the order of its id. */
  readonly #pending = new Map<number, PendingCall>();
  /** Ids of calls made in this tick. */
  #queue: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #transport: Transport;
  readonly #timeout: number;

  /** @param timeout - for each call, in milliseconds */
  constructor(transport: Transport, timeout: number) {
    this.#transport = transport;
    this.#timeout = timeout;
  }

  /** Makes a call; it leaves at the end of this tick, or when the connection is there. */
  call(method: string, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#state === 'closed') throw new RpcError('CLOSED', 'This client has been closed');
      const id = this.#lastId + 1;
      const message = encodeCall(id, method, args);
      this.#lastId = id;
      const deadline = performance.now() + this.#timeout;
      this.#pending.set(id, { message, method, deadline, sent: false, resolve, reject });
      this.#watchDeadlines();
      if (this.#queue.push(id) === 1) queueMicrotask(() => this.#flush());
    });
  }

  /** Rejects what is unanswered with `CLOSED` and ends the connection. */
  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#transport.close();
    this.#rejectAll(() => new RpcError('CLOSED', 'The client was closed before the answer came'));
  }

  #flush(): void {
    if (this.#state === 'idle') return this.#connect();
    if (this.#state !== 'open') return;
    const ids = this.#queue.filter((id) => this.#pending.has(id));
    this.#queue = [];
    if (ids.length > 0) this.#send(ids);
  }

  #send(ids: number[]): void {
    const messages = ids.map((id) => {
      const call = this.#pending.get(id) as PendingCall;
      call.sent = true;
      return call.message;
    });
    this.#transport.send(encodeFrame(messages))?.catch((error: unknown) => {
      for (const id of ids) this.#settle(id)?.reject(error);
    });
  }

  #connect(): void {
    this.#state = 'connecting';
    this.#transport.connect({
      opened: () => {
        this.#state = 'open';
        this.#flush();
      },
      received: (frame) => this.#receive(frame),
      lost: (error) => {
        this.#state = 'idle';
        this.#queue = [];
        this.#rejectAll(({ sent }) => withDelivery(error, sent));
      },
    });
  }

  #receive(frame: string): void {
    try {
      for (const message of decodeFrame(frame)) {
        const answer = readAnswer(message);
        const call = this.#settle(answer.id);
        if ('error' in answer) call?.reject(answer.error);
        else call?.resolve(answer.result);
      }
    } catch (error) {
      this.#rejectAll(() => error);
    }
  }

  /** Takes a call out of the pending ones; `undefined` when it has been settled already. */
  #settle(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    return call;
  }

  #rejectAll(errorFor: (call: PendingCall) => unknown): void {
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of calls) call.reject(errorFor(call));
  }

  /**
   * One timer for all calls, set to the earliest deadline and not cleared by answers: a timer for
   * each call would cost more than the call's own bookkeeping.
   */
  #watchDeadlines(delay = this.#timeout): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#expire();
    }, delay);
    // In Node a waiting timer would keep the process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  #expire(): void {
    const now = performance.now();
    let next = Infinity;
    for (const [id, call] of this.#pending) {
      if (call.deadline > now) {
        next = Math.min(next, call.deadline - now);
        continue;
      }
      this.#pending.delete(id);
      const message = `${call.method} had no answer within ${this.#timeout} ms; it may have run`;
      call.reject(new RpcError('TIMEOUT', message, { maybeExecuted: call.sent }));
    }
    if (next < Infinity) this.#watchDeadlines(next);
  }
}

function withDelivery(error: RpcError, maybeExecuted: boolean): RpcError {
  return new RpcError(error.code, error.message, { ...error, cause: error.cause, maybeExecuted });
}
