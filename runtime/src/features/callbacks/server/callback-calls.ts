/**
 * Calls the functions of clients. It sends the calls, matches the answers, and rejects calls without an answer. Waiting
 * calls are in memory only. While a call waits, a timer keeps the object awake.
 */
import {
  type CallContext,
  contractOf,
  decodeSent,
  surroundBy,
  type CompiledContract,
  type Connection,
  type Limits,
  rejection,
  validateComplete,
  perObject,
  badMessage,
} from '../../../server/feature.ts';
import { encodeCallbackCall } from '../wire.ts';
import type { RpcError, RpcErrorCode } from '../../../wire/errors.ts';
import { limitExceeded, MAX_DELAY } from '../../../wire/limits.ts';
import { type AnswerMessage, isId, RICH } from '../../../wire/messages.ts';
import type { CallbackParameter } from './callback-schemas.ts';

/** The functions that settle a promise. */
interface Settled {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The number of microtasks to wait for another call before the timer is stopped, because a new timer costs more. */
const PATIENCE = 10;

interface PendingCall extends Settled {
  readonly parameter: CallbackParameter;
  /** The connection that carried the call. Only this connection can carry the answer. */
  readonly connection: Connection;
  /** The time that the object waits for the answer, in milliseconds. */
  readonly timeout: number;
  /** The time of `Date.now()` when the call times out. */
  readonly deadline: number;
}

/** Returns the text of a message that is sent before a call. */
type Announcement = Parameters<NonNullable<CallContext['announce']>>[0];

/** A call of a callback, before it is sent. */
interface OutgoingCall {
  /** The connection of the client; `undefined` if the client is not connected. */
  readonly connection: Connection | undefined;
  /** The client's number of the function. */
  readonly functionId: number;
  readonly parameter: CallbackParameter;
  readonly args: readonly unknown[];
  readonly contract: CompiledContract;
}

/** The calls of callbacks by one object that have no answer yet. */
class CallbackCalls {
  /** The waiting calls by their numbers, in the order of the deadlines. */
  readonly #pending = new Map<number, PendingCall>();
  readonly #idsOfConnection = new WeakMap<Connection, Set<number>>();
  /** The number of the last call. It starts at random, so that answers to calls before a restart match no call. */
  #last = (crypto.getRandomValues(new Uint32Array(1))[0] as number) + 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopping = false;

  /** @throws RpcError for a call that cannot be sent */
  start(
    { connection, functionId, parameter, args, contract }: OutgoingCall,
    { resolve, reject }: Settled,
    before?: Announcement,
  ): void {
    const { limits, callbackTimeout } = contract;
    if (!connection)
      throw callbackError(
        parameter,
        'DISCONNECTED',
        'belongs to a client that is not connected',
        false,
      );
    const numbers = this.#idsOfConnection.get(connection) ?? new Set();
    if (numbers.size >= limits.callbacks) limitExceeded('callbacks', limits.callbacks);
    const callId = this.#last + 1;
    const message = connection.encode(
      (referenceOf) => encodeCallbackCall(functionId, callId, args, referenceOf),
      contract,
    );
    this.#last = callId;
    const deadline = Date.now() + callbackTimeout;
    this.#pending.set(callId, {
      parameter,
      connection,
      deadline,
      timeout: callbackTimeout,
      resolve,
      reject,
    });
    this.#idsOfConnection.set(connection, numbers.add(callId));
    this.#timer ??= this.#wait(callbackTimeout);
    const announcement = before?.(callId, connection);
    if (announcement) connection.queue(announcement);
    connection.queue(message);
  }

  /** @throws RpcError `BAD_MESSAGE` for a malformed answer */
  settle(message: AnswerMessage, connection: Connection, limits: Limits): void {
    const [callId] = message;
    const call = this.#pending.get(callId);
    // The call has timed out, is already answered, or was never sent.
    if (call?.connection !== connection) return;
    this.#remove(callId, call);
    const { method, path, checkResult: take } = call.parameter;
    try {
      const answer = decodeSent(message, limits);
      if ('result' in answer) {
        call.resolve(validateComplete(answer.result, () => take(answer.result)));
      } else {
        const unsendable = `${method}: the callback ${path} threw an error that cannot be sent`;
        call.reject(answer.thrown ?? new Error(unsendable));
      }
    } catch (error) {
      call.reject(error);
      if ((error as RpcError).code === 'BAD_MESSAGE') throw error;
    }
  }

  /** Rejects the unanswered calls of a connection that has ended. */
  disconnect(connection: Connection): void {
    for (const callId of this.#idsOfConnection.get(connection) ?? []) {
      this.#reject(
        callId,
        'DISCONNECTED',
        'was called, but its client disconnected before it answered',
      );
    }
  }

  #expire(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const [callId, { deadline, timeout }] of this.#pending) {
      if (deadline > now) {
        this.#timer = this.#wait(deadline - now);
        return;
      }
      this.#reject(callId, 'TIMEOUT', `timed out after ${timeout} ms`);
    }
  }

  #reject(callId: number, code: 'DISCONNECTED' | 'TIMEOUT', problem: string): void {
    const call = this.#pending.get(callId) as PendingCall;
    this.#remove(callId, call);
    call.reject(callbackError(call.parameter, code, problem, true));
  }

  #remove(callId: number, { connection }: PendingCall): void {
    this.#pending.delete(callId);
    this.#idsOfConnection.get(connection)?.delete(callId);
    if (this.#pending.size === 0 && !this.#isStopping) void this.#stop();
  }

  /** Stops the timer, unless the method that received the last answer calls again at once. */
  async #stop(): Promise<void> {
    this.#isStopping = true;
    for (let turn = 0; turn < PATIENCE; turn++) await undefined;
    this.#isStopping = false;
    if (this.#pending.size > 0) return;
    clearTimeout(this.#timer as never);
    this.#timer = undefined;
  }

  #wait(delay: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#expire(), Math.min(delay, MAX_DELAY));
  }
}

/** Returns the error for a failed call of a callback. */
export function callbackError(
  { method, path }: Pick<CallbackParameter, 'method' | 'path'>,
  code: RpcErrorCode,
  problem: string,
  maybeExecuted: boolean,
): RpcError {
  return rejection(code, `${method}: the callback ${path} ${problem}`, { maybeExecuted });
}

/** Returns the calls of callbacks by an object. They are created with the first call. */
const callbackCallsOf = /* @__PURE__ */ perObject(() => new CallbackCalls());

/**
 * Handles the answer of a callback. An answer that nobody awaits is ignored.
 *
 * @param message - the message without its kind, `return`
 * @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is ignored
 */
export function handleReturn(
  message: unknown[],
  { instance, contract }: { instance: object; contract: CompiledContract },
  connection: Connection,
): void {
  if (!isAnswer(message)) {
    badMessage('A return must be ["return", k], then the same parts as an answer');
  }
  callbackCallsOf(instance).settle(message, connection, contract.limits);
}

function isAnswer(message: unknown[]): message is AnswerMessage {
  const [callId, form] = message;
  const { length } = message;
  return isId(callId) && (length < 3 || (length === 3 && (form === RICH || form === 'error')));
}

/** Rejects the unanswered calls of a connection that has ended. */
export function disconnectCallbacks(instance: object, connection: Connection): void {
  callbackCallsOf(instance).disconnect(connection);
}

/**
 * Calls a function of a client.
 *
 * @param place - the argument in which the function was passed
 * @param prepare - returns the call; throws the reason why the function cannot be called
 * @returns a promise of the answer. Callers may ignore it, because its rejection is never reported as unhandled.
 */
export function callClient(
  instance: object,
  { method, path }: Pick<CallbackParameter, 'method' | 'path'>,
  prepare: () => OutgoingCall,
): Promise<unknown> {
  let before: Announcement | undefined;
  const run = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      callbackCallsOf(instance).start(prepare(), { resolve, reject }, before);
    });
  const around = contractOf(instance)?.around;
  const name = method + path;
  const announce = (message: Announcement): void => {
    before = message;
  };
  const about = { kind: 'callback', method: name, caller: undefined, instance, announce } as const;
  const promise = around ? Promise.resolve(surroundBy(around, about, run)) : run();
  promise.catch(() => {});
  return promise;
}
