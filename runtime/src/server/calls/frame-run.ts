/** Admits, runs and answers the calls of one frame. */
import type { CallMetadata, Target as ObjectTarget } from '../contract/types.ts';
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import type { RpcError } from '../../wire/errors.ts';
import { CALLS_IN_FLIGHT, limitExceeded } from '../../wire/limits.ts';
import { FEATURE_MESSAGES, type FeatureName } from '../../wire/features.ts';
import { missingFeature } from './missing-feature.ts';
import { type CallMessage, checkCall, type ControlMessage, isId } from '../../wire/messages.ts';
import { encodeThrown } from '../../wire/values/thrown.ts';
import { weightOf } from '../base/sizes.ts';
import { CallResourceMap } from './call-resources.ts';
import { type FrameArrival, surround } from './call-context.ts';
import { knownMethod } from './targets.ts';
import type { ClientJournal } from '../journal/client-journal.ts';
import { type AdmittedCall, encodeCallFailure, forgotten, runCall } from './invocation.ts';
import type { Connection, RunningCall } from '../contract/connection.ts';
import { badMessage, rejection, withMaybeExecuted } from '../base/rejection.ts';
import { PipelinedResults } from './pipelining.ts';

/** The object that a frame calls. */
export interface FrameTarget extends ObjectTarget {
  /** The client's entry in the object's journal; `undefined` without a journal. */
  journal: ClientJournal | undefined;
}

export class FrameRun implements CallMetadata {
  /** Promises that resolve after the late answers; `undefined` while there are none. */
  #late: Promise<void>[] | undefined;
  readonly #target: FrameTarget;
  readonly #connection: Connection;
  readonly #results: PipelinedResults | undefined;
  readonly #arrival: FrameArrival | undefined;
  #lastId = 0;
  /** True if the frame lists the calls that the client awaits. */
  #hasSaidAwaited = false;
  /** True if the client makes a single call, which is in this frame: see `["key"]`. */
  #isKeyed = false;
  /** Calls up to this id may have arrived before. */
  #resent = 0;
  #metadata: Map<number, object> | undefined;
  /** The time of `Date.now()` when the client sent the first of the calls that may have arrived before. */
  #resentSince = Infinity;

  /**
   * @param keepResults - whether a call of the frame takes the result of another call
   * @param arrival - left out if nothing surrounds calls
   */
  constructor(
    target: FrameTarget,
    connection: Connection,
    keepResults: boolean,
    arrival?: FrameArrival,
  ) {
    this.#target = target;
    this.#connection = connection;
    this.#arrival = arrival;
    const { journal } = target;
    this.#results = keepResults
      ? new PipelinedResults((id) => connection.running.get(id)?.answer ?? journal?.resultOf(id))
      : undefined;
  }

  /**
   * Handles a message.
   *
   * @throws RpcError for an invalid message that is not a call; the rest of the frame is ignored
   */
  start(message: unknown[]): void {
    // The message is read by index, because destructuring uses an iterator, which is slow in code that is not optimized.
    const id = message[0];
    if (!isId(id)) return this.#control(message);
    let isSafe: boolean | undefined;
    let missing: RpcError | undefined;
    let isMissing: boolean | undefined;
    const { contract, journal } = this.#target;
    const { limits } = contract;
    let entry = journal;
    try {
      const limit = this.#limitReached();
      if (limit && id > this.#resent) limitExceeded(limit, limits[limit]);
      checkCall(message);
      this.#admit(id);
      try {
        const method = knownMethod(message[1], contract);
        isSafe = method?.readonly;
        if (isSafe || method?.volatile) entry = undefined;
      } catch (error) {
        // The method may have been removed by a deployment after the call had run.
        missing = error as RpcError;
      }
      if (limit) {
        // A call that has begun, or may have begun because there is no journal, must not be rejected as a call that does
        // not run. Sending it again counts as a rejection.
        if (isSafe || entry?.hasBegun(id) === false) limitExceeded(limit, limits[limit]);
        this.#connection.countRejection();
      }
      isMissing = this.#results?.isMissing(message) || (this.#isKeyed && journal?.hasOther(id));
    } catch (error) {
      this.#connection.countRejection();
      return this.#reject(id, message, error);
    }
    const isResent = id <= this.#resent;
    // The method may have become `readonly` or `volatile` by a deployment after the call had run.
    const known = entry || isResent ? journal?.answerOf(id) : undefined;
    if (known !== undefined) {
      if (this.#isKeyed) this.#connection.queue('["replayed"]');
      const replay = this.#arrival && { ...this.#arrival, isReplayed: true };
      if (replay) this.#surroundKnown(id, message[1], replay, () => known);
      return this.#deliver(id, known);
    }
    if (!isSafe && this.#isMaybeExecuted(id, entry)) {
      return this.#reject(id, message, missing ? withMaybeExecuted(missing, true) : forgotten(id));
    }
    if (missing) {
      this.#connection.countRejection();
      return this.#reject(id, message, missing);
    }
    if (isMissing) return this.#connection.queue(`[-${id}]`);
    const call: AdmittedCall = {
      message,
      journal: entry,
      isResent,
      resources: this.#scopeOf(message),
      arrival: this.#arrivalOf(id),
    };
    const inputs = this.#results?.pending(message);
    let release: (() => void) | undefined;
    if (inputs) {
      try {
        release = this.#connection.holdInFlight(weightOf(message) + weightOfMetadata(call));
        if (call.resources) this.#prepareToWait(message, call.resources);
      } catch (error) {
        release?.();
        call.resources?.end();
        this.#connection.countRejection();
        return this.#reject(id, message, error);
      }
    }
    const answer = inputs?.then(() => this.#runLate(call, isSafe)) ?? this.#run(call, isSafe);
    if (!entry) this.#keepAsInput(id, answer);
    const recorded =
      answer instanceof Promise ? (entry?.storeAnswerLater(id, answer) ?? answer) : answer;
    // The arguments and the metadata stay in memory while the method runs.
    if (answer instanceof Promise)
      release ??= this.#connection.holdInFlight((call.weight ?? 0) + weightOfMetadata(call), true);
    this.#deliver(id, recorded, release);
  }

  /** Removes and returns the promises of the late answers so far; `undefined` if there are none. */
  takeLate(): Promise<void>[] | undefined {
    const late = this.#late;
    this.#late = undefined;
    return late;
  }

  /** Ends the frame. Calls that still wait then do not keep the metadata of other calls. */
  end(): void {
    this.#metadata = undefined;
  }

  metadataOf(id: number): object | undefined {
    return this.#metadata?.get(id);
  }

  setMetadata(id: number, metadata: object): void {
    (this.#metadata ??= new Map()).set(id, metadata);
  }

  /** Handles a message that is not a call: see `ControlMessage`, and `MESSAGES` for the messages of features. */
  #control(message: unknown[]): void {
    const [kind, ...numbers] = message;
    const { journal, contract } = this.#target;
    if (kind === 'cancel') return this.#cancel(numbers);
    if (kind === 'key') {
      // The client awaits only the call of this frame, whatever its id is.
      this.#isKeyed = this.#hasSaidAwaited = true;
      return;
    }
    const handle = contract.messages.get(kind);
    if (handle)
      return handle(message, {
        ...this.#target,
        connection: this.#connection,
        results: this.#results,
        frame: this,
      });
    const needed = FEATURE_MESSAGES.get(kind);
    if (needed) return this.#decline(message, needed);
    if (kind !== 'awaits' && kind !== 'resent') {
      const problem = 'A message must begin with the id of its call, or with the name of its kind';
      badMessage(problem);
    }
    if (!isCounts(numbers)) malformed(kind);
    const [first, ...rest] = numbers;
    if (kind === 'resent') {
      this.#resent = first;
      this.#resentSince = Date.now() - (rest[0] ?? 0);
      return;
    }
    this.#hasSaidAwaited = true;
    journal?.forget(1, first - 1);
    this.#forget(rest);
  }

  /** Rejects a message of a feature that the contract does not have, if the client expects an answer. */
  #decline([kind, number]: unknown[], feature: FeatureName): void {
    // Messages "trace" and "bytes" describe the client and its calls. They request nothing, so they do not count as
    // rejections.
    if (kind === 'trace') return;
    const thrown = encodeThrown(missingFeature(feature), false);
    if (kind === 'bytes') return this.#connection.send(`["bytes"${thrown}]`);
    this.#connection.countRejection();
    if (kind === 'subscribe' && isId(number))
      this.#connection.send(`["complete",${number}${thrown}]`);
  }

  #cancel(ids: unknown[]): void {
    checkIdCount(ids);
    if (!ids.every(isId)) malformed('cancel');
    const { running } = this.#connection;
    const cancelled = ids.filter((id) => running.has(id));
    for (const id of cancelled) (running.get(id) as RunningCall).isAwaited = false;
    this.#target.journal?.forgetAll(cancelled);
  }

  /** Marks calls that the client no longer awaits. An id that no call has counts as a rejected message. */
  #forget(ids: readonly number[]): void {
    checkIdCount(ids);
    const unknown = this.#target.journal?.forgetAll(ids) ?? 0;
    if (unknown > 0) this.#connection.countRejection(unknown);
  }

  /** Returns the limit that the connection has reached, so that no further call may run now. */
  #limitReached(): 'callsPerSecond' | 'callsInFlight' | 'memoryPerClient' | undefined {
    const { limits } = this.#target.contract;
    if (!this.#connection.mayCall()) return 'callsPerSecond';
    if (this.#connection.running.size >= limits.callsInFlight) return 'callsInFlight';
    return this.#connection.isFull ? 'memoryPerClient' : undefined;
  }

  /** @throws RpcError for a call that must not run */
  #admit(id: number): void {
    if (id <= this.#lastId) badMessage('Call ids must ascend within a frame');
    // If the frame has no message "awaits", the client no longer awaits the ids that the frame skips.
    const { journal } = this.#target;
    if (!this.#hasSaidAwaited) journal?.forget(this.#lastId + 1, id - 1);
    journal?.arrived(id);
    this.#lastId = id;
  }

  /** Returns whether a call that is not `readonly` may have run although its answer is not stored. */
  #isMaybeExecuted(id: number, entry: ClientJournal | undefined): boolean {
    const isResent = id <= this.#resent;
    if (entry) return entry.isMaybeExecuted(id, isResent ? this.#resentSince : Infinity);
    return isResent;
  }

  #arrivalOf(id: number): FrameArrival | undefined {
    const metadata = this.#metadata?.get(id);
    return this.#arrival && metadata ? { ...this.#arrival, metadata } : this.#arrival;
  }

  #run(call: AdmittedCall, isSafe: boolean | undefined): EncodedMessage | Promise<EncodedMessage> {
    const answer = runCall(call, this.#target, this.#connection, this.#results);
    const { instance } = this.#target;
    const { afterChange } = this.#target.contract;
    if (afterChange && !isSafe) {
      afterChange(instance);
      // The method may change the object after an `await`.
      if (answer instanceof Promise) void answer.then(() => afterChange(instance));
    }
    return answer;
  }

  /** Returns the objects that end with a call; `undefined` for a message that is not rich, as it has no references. */
  #scopeOf(message: CallMessage): CallResourceMap | undefined {
    const canRefer = message.length > 3 && this.#connection.isConnection;
    return canRefer ? new CallResourceMap(this.#target, this.#connection, message[0]) : undefined;
  }

  /** @throws RpcError for arguments that the call cannot have */
  #prepareToWait(message: CallMessage, resources: CallResourceMap): void {
    for (const { beforeWait } of this.#target.contract.features) beforeWait?.(message, resources);
  }

  /** Runs a call in a later turn than its frame. At the end of that turn, the journal is written. */
  #runLate(
    call: AdmittedCall,
    isSafe: boolean | undefined,
  ): EncodedMessage | Promise<EncodedMessage> {
    const { message, journal } = call;
    const [id] = message;
    if (!this.#connection.running.get(id)?.isAwaited) {
      call.resources?.end();
      return this.#failure(
        id,
        message,
        rejection('ABORTED', `Call ${id} was aborted before it began`),
        call.arrival,
      );
    }
    const answer = this.#run(call, isSafe);
    void journal?.saveSoon();
    return answer;
  }

  /** Keeps an answer that is not journaled, for calls on their way that take it as an argument. */
  #keepAsInput(id: number, answer: EncodedMessage | Promise<EncodedMessage>): void {
    const { journal } = this.#target;
    if (!(answer instanceof Promise)) journal?.keepForReferences(id, answer);
    else if (journal) void answer.then((encoded) => journal.keepForReferences(id, encoded));
  }

  /** @param release - called when a late answer is there */
  #deliver(
    id: number,
    answer: EncodedMessage | Promise<EncodedMessage>,
    release?: () => void,
  ): void {
    if (answer instanceof Promise) this.#answerLater(id, answer, release);
    else this.#answer(id, answer);
  }

  #answer(id: number, answer: EncodedMessage): void {
    this.#results?.add(id, answer);
    this.#connection.queue(answer);
  }

  /** Answers when a call has ended, unless it has been cancelled by then. */
  #answerLater(
    id: number,
    answer: Promise<EncodedMessage>,
    release: (() => void) | undefined,
  ): void {
    const { running } = this.#connection;
    const call = { answer, isAwaited: true };
    running.set(id, call);
    this.#results?.add(id, answer);
    this.#late ??= [];
    this.#late.push(
      answer.then((encoded) => {
        if (call.isAwaited) this.#connection.queue(encoded);
        running.delete(id);
        release?.();
      }),
    );
  }

  #reject(id: number, message: unknown[], error: unknown): void {
    this.#answer(id, this.#failure(id, message, error, this.#arrivalOf(id)));
  }

  /** @returns the answer of a call that is rejected before it runs */
  #failure(
    id: number,
    [, callee]: unknown[],
    error: unknown,
    arrival: FrameArrival | undefined,
  ): string {
    if (arrival) {
      this.#surroundKnown(id, callee, arrival, () => {
        throw error;
      });
    }
    return encodeCallFailure(id, error, this.#target.contract);
  }

  /** Shows a call whose answer is already known to the hooks that surround calls. */
  #surroundKnown(
    id: number,
    callee: unknown,
    arrival: FrameArrival,
    run: () => EncodedMessage | Promise<EncodedMessage>,
  ): void {
    try {
      const ended = surround('call', id, callee, this.#target, this.#connection, arrival, run);
      void Promise.resolve(ended).catch(() => {});
    } catch {
      // A hook has thrown. The client still gets the known answer.
    }
  }
}

function weightOfMetadata({ arrival }: AdmittedCall): number {
  return arrival?.metadata ? weightOf([arrival.metadata]) : 0;
}

/** @throws RpcError `LIMIT_EXCEEDED` for more calls than a client can have in flight */
function checkIdCount({ length }: readonly unknown[]): void {
  if (length > CALLS_IN_FLIGHT) limitExceeded('the number of calls in a message', CALLS_IN_FLIGHT);
}

/** Returns whether a list has at least one number, and all numbers are valid as ids or milliseconds. */
function isCounts(numbers: unknown[]): numbers is [number, ...number[]] {
  return numbers.length > 0 && numbers.every((one) => one === 0 || isId(one));
}

/** @param kind - the kind of a message about calls */
function malformed(kind: ControlMessage[0]): never {
  badMessage(`A message "${kind}" must have the ids of calls`);
}
