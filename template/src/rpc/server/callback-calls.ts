/**
 * The calls of callbacks that have no answer yet: sent, matched with what comes back, and given up.
 * They are in memory only; as long as there is one, a timer keeps the object awake.
 * Imports arguments, callback-places, contract, limits, peer, refusal, seals and wire/.
 */
import { encodeCallOf } from '../wire/callbacks.ts';
import type { RpcError, RpcErrorCode } from '../wire/errors.ts';
import { exceeded, MAX_DELAY } from '../wire/limits.ts';
import { type AnswerMessage, decodeAnswer, isId } from '../wire/messages.ts';
import { checkValue } from './arguments.ts';
import type { CallbackPlace } from './callback-places.ts';
import type { CompiledContract } from './contract.ts';
import type { Limits } from './limits.ts';
import type { Peer } from './peer.ts';
import { refusal } from './refusal.ts';
import { referencesOf } from './seals.ts';

/** The ends of a promise. */
interface Settled {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** For how many microtasks the next call is waited for: a timer costs more than they do. */
const PATIENCE = 10;

interface PendingCall extends Settled {
  readonly place: CallbackPlace;
  /** The connection by which it went, and from which alone its answer can come. */
  readonly peer: Peer;
  /** In milliseconds. */
  readonly timeout: number;
  /** On the clock of `Date.now()`. */
  readonly deadline: number;
}

/** What is called. */
interface Outgoing {
  /** None, if its client is away. */
  readonly peer: Peer | undefined;
  readonly f: number;
  readonly place: CallbackPlace;
  readonly args: readonly unknown[];
  readonly contract: CompiledContract;
}

/** Those of one object. */
class CallbackCalls {
  /** By their numbers, and in the order of their deadlines. */
  readonly #pending = new Map<number, PendingCall>();
  readonly #ofPeer = new WeakMap<Peer, Set<number>>();
  /** Random at first: what answers a call of an earlier life of the object answers none of this one. */
  #last = (crypto.getRandomValues(new Uint32Array(1))[0] as number) + 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopping = false;

  /** @throws RpcError for a call that cannot be sent */
  start({ peer, f, place, args, contract }: Outgoing, { resolve, reject }: Settled): void {
    const { limits, callbackTimeout } = contract;
    if (!peer)
      throw failed(place, 'DISCONNECTED', 'belongs to a client that is not connected', false);
    const numbers = this.#ofPeer.get(peer) ?? new Set();
    if (numbers.size >= limits.callbacks) exceeded('callbacks', limits.callbacks);
    const k = this.#last + 1;
    const message = peer.write((of) => encodeCallOf(f, k, args, of), referencesOf(contract));
    this.#last = k;
    const deadline = Date.now() + callbackTimeout;
    this.#pending.set(k, { place, peer, deadline, timeout: callbackTimeout, resolve, reject });
    this.#ofPeer.set(peer, numbers.add(k));
    this.#timer ??= this.#wait(callbackTimeout);
    peer.answer(message);
  }

  /** @throws RpcError `BAD_MESSAGE` for what is no answer */
  settle(message: AnswerMessage, peer: Peer, limits: Limits): void {
    const [k] = message;
    const call = this.#pending.get(k);
    // Given up, answered already, or never made.
    if (call?.peer !== peer) return;
    this.#remove(k, call);
    const { method, path, take } = call.place;
    try {
      const answer = decodeAnswer(message);
      const isTree = message.length < 3;
      if ('result' in answer) {
        checkValue(answer.result, isTree, limits);
        call.resolve(take(answer.result));
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

  /** Rejects what a connection that has ended leaves unanswered. */
  disconnect(peer: Peer): void {
    for (const k of this.#ofPeer.get(peer) ?? []) {
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
    call.reject(failed(call.place, code, problem, true));
  }

  #remove(k: number, { peer }: PendingCall): void {
    this.#pending.delete(k);
    this.#ofPeer.get(peer)?.delete(k);
    if (this.#pending.size === 0 && !this.#isStopping) void this.#stop();
  }

  /** Stops the timer, unless the method that got the last answer calls at once again. */
  async #stop(): Promise<void> {
    this.#isStopping = true;
    for (let turn = 0; turn < PATIENCE; turn++) await undefined;
    this.#isStopping = false;
    if (this.#pending.size > 0) return;
    clearTimeout(this.#timer as never);
    this.#timer = undefined;
  }

  #wait(delay: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#expire(), Math.min(Math.max(delay, 1), MAX_DELAY));
  }
}

/** How the call of a callback failed. */
export function failed(
  { method, path }: Pick<CallbackPlace, 'method' | 'path'>,
  code: RpcErrorCode,
  problem: string,
  maybeExecuted: boolean,
): RpcError {
  return refusal(code, `${method}: the callback ${path} ${problem}`, { maybeExecuted });
}

const all = new WeakMap<object, CallbackCalls>();

/** Of an object; they are made when the first callback is called. */
function callbackCallsOf(instance: object): CallbackCalls {
  let calls = all.get(instance);
  if (!calls) {
    calls = new CallbackCalls();
    all.set(instance, calls);
  }
  return calls;
}

/**
 * Takes the answer of a callback. One that nobody waits for any more is nobody's fault.
 *
 * @param message - without its first word, which is `return`
 * @throws RpcError `BAD_MESSAGE` for what is malformed: the frame ends there
 */
export function hearReturn(
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
  all.get(instance)?.settle(message, peer, contract.limits);
}

function isAnswer(message: unknown[]): message is AnswerMessage {
  const [k, form] = message;
  const { length } = message;
  return isId(k) && (length < 3 || (length === 3 && (form === 'rich' || form === 'error')));
}

/** Rejects what a connection that has ended leaves unanswered. */
export function disconnectCallbacks(instance: object, peer: Peer): void {
  all.get(instance)?.disconnect(peer);
}

/**
 * Calls a function of a client.
 *
 * @param prepare - says which, or throws why it cannot be called
 * @returns a promise of the answer, which may be ignored: nobody is told if it rejects and nobody looks
 */
export function callClient(instance: object, prepare: () => Outgoing): Promise<unknown> {
  const promise = new Promise((resolve, reject) => {
    callbackCallsOf(instance).start(prepare(), { resolve, reject });
  });
  promise.catch(() => {});
  return promise;
}
