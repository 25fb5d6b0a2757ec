/**
 * Calls the functions of clients: sends the calls, matches the answers, and gives up calls without an answer. Waiting
 * calls are in memory only. While there is one, a timer keeps the object awake.
 */
import type { CompiledContract } from '../../server/contract/compiled.ts';
import { encodeCallbackCall } from './wire.ts';
import type { RpcError, RpcErrorCode } from '../../wire/errors.ts';
import { limitExceeded, MAX_DELAY } from '../../wire/limits.ts';
import { type AnswerMessage, decodeAnswer, isId, RICH } from '../../wire/messages.ts';
import { checkValue } from '../../server/calls/arguments.ts';
import type { CallbackPlace } from './callback-places.ts';
import { withFilledHoles } from '../../server/schemas/array-holes.ts';
import type { Limits } from '../../server/base/limits.ts';
import type { Connection as Peer } from '../../server/contract/connection.ts';
import { refusal } from '../../server/base/refusal.ts';

/** The functions that settle a promise. */
interface Settled {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** For how many microtasks the object waits for another call before it stops the timer: a new timer costs more. */
const PATIENCE = 10;

interface PendingCall extends Settled {
  readonly place: CallbackPlace;
  /** The connection that carried the call. Only this connection can carry the answer. */
  readonly peer: Peer;
  /** In milliseconds. */
  readonly timeout: number;
  /** In the time of `Date.now()`. */
  readonly deadline: number;
}

/** A call of a callback, before it is sent. */
interface Outgoing {
  /** `undefined` if the client is not connected. */
  readonly peer: Peer | undefined;
  /** The client's number of the function. */
  readonly f: number;
  readonly place: CallbackPlace;
  readonly args: readonly unknown[];
  readonly contract: CompiledContract;
}

/** The calls of callbacks by one object that have no answer yet. */
class CallbackCalls {
  /** By the number of the call, in the order of the deadlines. */
  readonly #pending = new Map<number, PendingCall>();
  readonly #numbersOfPeer = new WeakMap<Peer, Set<number>>();
  /** The number of the last call. It starts at random, so that answers to calls before a restart match no call. */
  #last = (crypto.getRandomValues(new Uint32Array(1))[0] as number) + 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopping = false;

  /** @throws RpcError for a call that cannot be sent */
  start({ peer, f, place, args, contract }: Outgoing, { resolve, reject }: Settled): void {
    const { limits, callbackTimeout } = contract;
    if (!peer)
      throw callbackError(
        place,
        'DISCONNECTED',
        'belongs to a client that is not connected',
        false,
      );
    const numbers = this.#numbersOfPeer.get(peer) ?? new Set();
    if (numbers.size >= limits.callbacks) limitExceeded('callbacks', limits.callbacks);
    const k = this.#last + 1;
    const message = peer.write((of) => encodeCallbackCall(f, k, args, of), contract);
    this.#last = k;
    const deadline = Date.now() + callbackTimeout;
    this.#pending.set(k, { place, peer, deadline, timeout: callbackTimeout, resolve, reject });
    this.#numbersOfPeer.set(peer, numbers.add(k));
    this.#timer ??= this.#wait(callbackTimeout);
    peer.answer(message);
  }

  /** @throws RpcError `BAD_MESSAGE` for a malformed answer */
  settle(message: AnswerMessage, peer: Peer, limits: Limits): void {
    const [k] = message;
    const call = this.#pending.get(k);
    // The call was given up, is already answered, or was never sent.
    if (call?.peer !== peer) return;
    this.#remove(k, call);
    const { method, path, checkResult: take } = call.place;
    try {
      const answer = decodeAnswer(message);
      const isTree = message.length < 3;
      if ('result' in answer) {
        checkValue(answer.result, isTree, limits);
        call.resolve(withFilledHoles(answer.result, () => take(answer.result)));
      } else {
        checkValue(answer.thrown, isTree, limits);
        const unsendable = `${method}: the callback ${path} threw an error that cannot be sent`;
        call.reject(answer.thrown ?? new Error(unsendable));
      }
    } catch (error) {
      call.reject(error);
      if ((error as RpcError).code === 'BAD_MESSAGE') throw error;
    }
  }

  /** Rejects the unanswered calls of a connection that has ended. */
  disconnect(peer: Peer): void {
    for (const k of this.#numbersOfPeer.get(peer) ?? []) {
      this.#reject(k, 'DISCONNECTED', 'was called, but its client disconnected before it answered');
    }
  }

  #expire(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const [k, { deadline, timeout }] of this.#pending) {
      if (deadline > now) {
        this.#timer = this.#wait(deadline - now);
        return;
      }
      this.#reject(k, 'TIMEOUT', `timed out after ${timeout} ms`);
    }
  }

  #reject(k: number, code: 'DISCONNECTED' | 'TIMEOUT', problem: string): void {
    const call = this.#pending.get(k) as PendingCall;
    this.#remove(k, call);
    call.reject(callbackError(call.place, code, problem, true));
  }

  #remove(k: number, { peer }: PendingCall): void {
    this.#pending.delete(k);
    this.#numbersOfPeer.get(peer)?.delete(k);
    if (this.#pending.size === 0 && !this.#isStopping) void this.#stop();
  }

  /** Stops the timer, unless the method that got the last answer calls again at once. */
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

/** The error for a failed call of a callback. */
export function callbackError(
  { method, path }: Pick<CallbackPlace, 'method' | 'path'>,
  code: RpcErrorCode,
  problem: string,
  maybeExecuted: boolean,
): RpcError {
  return refusal(code, `${method}: the callback ${path} ${problem}`, { maybeExecuted });
}

const callsOfObjects = new WeakMap<object, CallbackCalls>();

/** The calls of callbacks by an object, created with the first call. */
function callbackCallsOf(instance: object): CallbackCalls {
  let calls = callsOfObjects.get(instance);
  if (!calls) {
    calls = new CallbackCalls();
    callsOfObjects.set(instance, calls);
  }
  return calls;
}

/**
 * Handles the answer of a callback. An answer that nobody awaits is ignored.
 *
 * @param message - the message without its kind, `return`
 * @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is ignored
 */
export function handleReturn(
  message: unknown[],
  { instance, contract }: { instance: object; contract: CompiledContract },
  peer: Peer,
): void {
  if (!isAnswer(message)) {
    throw refusal(
      'BAD_MESSAGE',
      'A return must be ["return", k], then the same parts as an answer',
    );
  }
  callsOfObjects.get(instance)?.settle(message, peer, contract.limits);
}

function isAnswer(message: unknown[]): message is AnswerMessage {
  const [k, form] = message;
  const { length } = message;
  return isId(k) && (length < 3 || (length === 3 && (form === RICH || form === 'error')));
}

/** Rejects the unanswered calls of a connection that has ended. */
export function disconnectCallbacks(instance: object, peer: Peer): void {
  callsOfObjects.get(instance)?.disconnect(peer);
}

/**
 * Calls a function of a client.
 *
 * @param prepare - returns the call, or throws why the function cannot be called
 * @returns a promise of the answer. Callers may ignore it: its rejection is never reported as unhandled.
 */
export function callClient(instance: object, prepare: () => Outgoing): Promise<unknown> {
  const promise = new Promise((resolve, reject) => {
    callbackCallsOf(instance).start(prepare(), { resolve, reject });
  });
  promise.catch(() => {});
  return promise;
}
