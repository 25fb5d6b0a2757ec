/** The calls of one frame: each is admitted, run once, and answered. */
import type { Target as ObjectTarget } from '../contract/compiled.ts';
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import type { RpcError } from '../../wire/errors.ts';
import { CALLS_IN_FLIGHT, limitExceeded } from '../../wire/limits.ts';
import {
  featureMissing,
  ANSWER_KINDS,
  FEATURE_MESSAGES,
  type FeatureNeed,
} from '../../wire/features.ts';
import { type CallMessage, checkCall, isId } from '../../wire/messages.ts';
import { encodeThrown } from '../../wire/values/thrown.ts';
import { CallScope } from './call-scope.ts';
import { weightOf } from './arguments.ts';
import type { CallReports } from './call-reports.ts';
import { isReadonly } from './callee.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import { type AdmittedCall, encodeCallFailure, runCall } from './invocation.ts';
import type { Connection as Peer, RunningCall } from '../contract/connection.ts';
import { refusal } from '../base/refusal.ts';
import { PipelinedResults } from './results/pipelined-results.ts';

/** The object that a frame calls. */
export interface FrameTarget extends ObjectTarget {
  /** The client's entry in the object's journal; `undefined` without a journal. */
  entry: JournalEntry | undefined;
}

export class FrameRun {
  /** Promises that resolve after the late answers; `undefined` while there are none. */
  late: Promise<void>[] | undefined;
  readonly #target: FrameTarget;
  readonly #peer: Peer;
  readonly #results: PipelinedResults | undefined;
  readonly #reports: CallReports | undefined;
  #lastId = 0;
  /** Whether the frame lists the calls that the client awaits. */
  #hasSaidAwaited = false;
  /** Calls up to this id may have arrived before. */
  #resent = 0;
  /** When the first of them left the client, in the time of `Date.now()`. */
  #resentSince = Infinity;

  /**
   * @param keepResults - whether a call of the frame takes the result of another call
   * @param reports - reports the calls; left out without `onCall`
   */
  constructor(target: FrameTarget, peer: Peer, keepResults: boolean, reports?: CallReports) {
    this.#target = target;
    this.#peer = peer;
    this.#reports = reports;
    const { entry } = target;
    this.#results = keepResults
      ? new PipelinedResults((id) => peer.running.get(id)?.answer ?? entry?.resultOf(id))
      : undefined;
  }

  /**
   * Handles a message.
   *
   * @throws RpcError for an invalid message that is not a call; the rest of the frame is ignored
   */
  start(message: unknown[]): void {
    // By index: to destructure an array takes an iterator, which is slow in code that is not optimized.
    const id = message[0];
    if (!isId(id)) return this.#control(message);
    let isSafe: boolean;
    let isMissing: boolean | undefined;
    const { limits } = this.#target.contract;
    try {
      const limit = this.#limitReached();
      if (limit && id > this.#resent) limitExceeded(limit, limits[limit]);
      checkCall(message);
      this.#admit(id);
      isSafe = isReadonly(message[1], this.#target.contract);
      if (limit) {
        // A call that has begun must not be rejected as one that does not run. To send it again counts as a rejection.
        if (isSafe || !this.#hasBegun(id)) limitExceeded(limit, limits[limit]);
        this.#peer.countRefusal();
      }
      isMissing = this.#results?.isMissing(message);
    } catch (error) {
      this.#peer.countRefusal();
      return this.#answer(id, this.#failure(id, error), message);
    }
    const entry = isSafe ? undefined : this.#target.entry;
    const known = entry?.answerOf(id);
    if (known !== undefined) return this.#deliver(id, known);
    if (!isSafe && this.#isMaybeExecuted(id, entry)) {
      return this.#answer(id, this.#failure(id, forgotten(id)), message);
    }
    if (isMissing) return this.#peer.answer(`[-${id}]`);
    const call = { message, entry, scope: this.#scopeOf(message) };
    const inputs = this.#results?.pending(message);
    if (inputs) {
      try {
        this.#peer.admitInFlight(weightOf(message));
      } catch (error) {
        this.#peer.countRefusal();
        return this.#answer(id, this.#failure(id, error), message);
      }
      if (call.scope) this.#prepareToWait(message, call.scope);
    }
    const answer = inputs?.then(() => this.#runLate(call, isSafe)) ?? this.#run(call, isSafe);
    if (isSafe) this.#keepAsInput(id, answer);
    const recorded =
      answer instanceof Promise ? (entry?.recordLater(id, answer) ?? answer) : answer;
    this.#deliver(id, recorded, message);
  }

  /** Handles a message that is not a call: see `ControlMessage`, and `MESSAGES` for those of features. */
  #control(message: unknown[]): void {
    const [kind, ...numbers] = message;
    const { entry, contract } = this.#target;
    if (kind === 'cancel') return this.#cancel(numbers);
    const handle = contract.messages.get(kind);
    if (handle)
      return handle(message, { ...this.#target, peer: this.#peer, results: this.#results });
    const needed = FEATURE_MESSAGES.get(kind);
    if (needed) return this.#decline(message, needed);
    if (!isCounts(numbers)) throw malformed();
    const [first, ...rest] = numbers;
    if (kind === 'awaits') {
      this.#hasSaidAwaited = true;
      entry?.forget(1, first - 1);
      this.#forget(rest);
    } else if (kind === 'resent') {
      this.#resent = first;
      this.#resentSince = Date.now() - (rest[0] ?? 0);
    } else throw malformed();
  }

  /** Answers for a message of a feature that the contract does not bring. */
  #decline([kind, number]: unknown[], needed: FeatureNeed): void {
    const { isOffer } = needed;
    if (!isOffer) this.#peer.countRefusal();
    const answer = ANSWER_KINDS[kind as string];
    if (!answer || !(isOffer || isId(number))) return;
    const rest = encodeThrown(refusal('UNSUPPORTED', featureMissing(needed)), false);
    this.#peer.push(`["${answer}"${isOffer ? '' : `,${number}`}${rest}]`);
  }

  #cancel(ids: unknown[]): void {
    if (ids.length > CALLS_IN_FLIGHT)
      limitExceeded('the number of calls in a message', CALLS_IN_FLIGHT);
    const { running } = this.#peer;
    const cancelled = (ids as number[]).filter((id) => running.has(id));
    for (const id of cancelled) (running.get(id) as RunningCall).isAwaited = false;
    this.#target.entry?.forgetAll(cancelled);
  }

  /** Marks calls that the client no longer awaits. An id of no call counts as a rejected message. */
  #forget(ids: readonly number[]): void {
    if (ids.length > CALLS_IN_FLIGHT)
      limitExceeded('the number of calls in a message', CALLS_IN_FLIGHT);
    const unknown = this.#target.entry?.forgetAll(ids) ?? 0;
    if (unknown > 0) this.#peer.countRefusal(unknown);
  }

  /** The limit that the connection has reached, so that no further call may run now. */
  #limitReached(): 'callsPerSecond' | 'callsInFlight' | 'inFlightSize' | undefined {
    const { limits } = this.#target.contract;
    if (!this.#peer.mayCall()) return 'callsPerSecond';
    if (this.#peer.running.size >= limits.callsInFlight) return 'callsInFlight';
    return this.#peer.inFlightSize > limits.inFlightSize ? 'inFlightSize' : undefined;
  }

  /** @throws RpcError for a call that must not run */
  #admit(id: number): void {
    if (id <= this.#lastId) throw refusal('BAD_MESSAGE', 'Call ids must ascend within a frame');
    // Without `awaits`, the client no longer awaits ids between the calls of the frame.
    const { entry } = this.#target;
    if (!this.#hasSaidAwaited) entry?.forget(this.#lastId + 1, id - 1);
    entry?.arrived(id);
    this.#lastId = id;
  }

  /** Whether a call that was sent again and is not `readonly` has begun. Without a journal, it may have. */
  #hasBegun(id: number): boolean {
    const { entry } = this.#target;
    return !entry || entry.hasBegun(id);
  }

  /** Whether a call that is not `readonly` may have run although its answer is not stored. */
  #isMaybeExecuted(id: number, entry: JournalEntry | undefined): boolean {
    const isResent = id <= this.#resent;
    if (entry) return entry.isMaybeExecuted(id, isResent ? this.#resentSince : Infinity);
    return isResent;
  }

  #run(call: AdmittedCall, isSafe: boolean): EncodedMessage | Promise<EncodedMessage> {
    const answer = runCall(call, this.#target, this.#peer, this.#results);
    const { instance } = this.#target;
    const { changed } = this.#target.contract;
    if (changed && !isSafe) {
      changed(instance);
      // The method may change the object after an `await`.
      if (answer instanceof Promise) void answer.then(() => changed(instance));
    }
    return answer;
  }

  /** What ends with a call; `undefined` if its message cannot contain references, which only the rich form can. */
  #scopeOf(message: CallMessage): CallScope | undefined {
    const canRefer = message.length > 3 && this.#peer.isConnection;
    return canRefer ? new CallScope(this.#target, this.#peer, message[0]) : undefined;
  }

  #prepareToWait(message: CallMessage, scope: CallScope): void {
    for (const { waits } of this.#target.contract.features) waits?.(message, scope);
  }

  /** Runs a call in a later turn than its frame. At the end of that turn, the journal is written. */
  #runLate(call: AdmittedCall, isSafe: boolean): EncodedMessage | Promise<EncodedMessage> {
    const [id] = call.message;
    if (!this.#peer.running.get(id)?.isAwaited) {
      call.scope?.end();
      return this.#failure(id, refusal('ABORTED', `Call ${id} was aborted before it began`));
    }
    const answer = this.#run(call, isSafe);
    void call.entry?.saveSoon();
    return answer;
  }

  /** Keeps an answer that is not journaled, for calls on their way that take it as an argument. */
  #keepAsInput(id: number, answer: EncodedMessage | Promise<EncodedMessage>): void {
    const { entry } = this.#target;
    if (!(answer instanceof Promise)) entry?.keepAsInput(id, answer);
    else if (entry) void answer.then((encoded) => entry.keepAsInput(id, encoded));
  }

  /** @param message - the call; left out if the call was reported before */
  #deliver(
    id: number,
    answer: EncodedMessage | Promise<EncodedMessage>,
    message?: unknown[],
  ): void {
    if (answer instanceof Promise) this.#answerLater(id, answer, message);
    else this.#answer(id, answer, message);
  }

  #answer(id: number, answer: EncodedMessage, message: unknown[] | undefined): void {
    this.#results?.keep(id, answer);
    this.#peer.answer(answer);
    if (this.#reports && message) this.#reports.answered(message, answer);
  }

  /** Answers when a call has ended, unless it has been cancelled by then. */
  #answerLater(id: number, answer: Promise<EncodedMessage>, message: unknown[] | undefined): void {
    const { running } = this.#peer;
    const call = { answer, isAwaited: true };
    running.set(id, call);
    // Its method, or the call that it waits for, holds the arguments.
    const weight = message ? weightOf(message) : 0;
    this.#peer.inFlightSize += weight;
    this.#results?.keep(id, answer);
    this.late ??= [];
    this.late.push(
      answer.then((encoded) => {
        if (call.isAwaited) this.#peer.answer(encoded);
        running.delete(id);
        this.#peer.inFlightSize -= weight;
        if (message) this.#reports?.answered(message, encoded);
      }),
    );
  }

  #failure(id: number, error: unknown): string {
    return encodeCallFailure(id, error, this.#target.contract);
  }
}

/** Whether a list has at least one number, and all numbers are valid as ids or milliseconds. */
function isCounts(numbers: unknown[]): numbers is [number, ...number[]] {
  return numbers.length > 0 && numbers.every((one) => one === 0 || isId(one));
}

function malformed(): RpcError {
  const problem = 'A message must begin with the id of its call, or with the name of its kind';
  return refusal('BAD_MESSAGE', problem);
}

/** The error for a call that may have run: no answer is better than a second execution. */
function forgotten(id: number): RpcError {
  const message = `Call ${id} may have run, but its answer is no longer stored`;
  return refusal('DISCONNECTED', message, { maybeExecuted: true });
}
