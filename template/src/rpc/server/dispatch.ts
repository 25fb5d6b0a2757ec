/**
 * Runs the calls of a frame against an object, whichever way the frame came, each of them once.
 * Imports contract, entry, invocation, peer, refusal, results, subscribe,
 * subscribers, turns and wire/.
 */
import type { RpcError } from '../wire/errors.ts';
import { exceeded } from '../wire/limits.ts';
import { type CallMessage, checkCall, decodeFrame, inputsOf, isId } from '../wire/messages.ts';
import type { CompiledContract, CompiledMethod } from './contract.ts';
import type { Entry } from './entry.ts';
import { type Admitted, failureText, runCall } from './invocation.ts';
import type { Peer } from './peer.ts';
import { refusal } from './refusal.ts';
import { Results } from './results.ts';
import { hearSubscriber } from './subscribe.ts';
import { changed } from './subscribers.ts';
import { runInFrame } from './turns.ts';

/** What a frame is run against. */
export interface Target {
  instance: object;
  contract: CompiledContract;
  /** The client's entry in the object's journal, unless the object keeps none. */
  entry: Entry | undefined;
}

/** How many messages about the connection a frame may have besides its calls: each kind once. */
const CONTROLS = 3;

/**
 * Runs every call of a frame, in order; one that fails leaves its neighbours alone. Answers go to
 * the peer: before this returns for a method that returned a value, later for one that returned a
 * promise.
 *
 * @param text - the frame that arrived
 * @returns a promise of the last late answer, or `undefined` if there is none to wait for
 */
export function runFrame(text: string, target: Target, peer: Peer): Promise<unknown> | undefined {
  const { debug } = target.contract;
  if (debug) peer.logWith(debug, target.instance).up(text);
  return runInFrame(target.instance, () => runMessages(text, target, peer));
}

function runMessages(text: string, target: Target, peer: Peer): Promise<unknown> | undefined {
  const { frameSize, callsPerFrame } = target.contract.limits;
  let run: FrameRun | undefined;
  try {
    if (text.length > frameSize) exceeded('frameSize', frameSize);
    const messages = decodeFrame(text);
    if (messages.length > callsPerFrame && messages.length - controlsOf(messages) > callsPerFrame) {
      exceeded('callsPerFrame', callsPerFrame);
    }
    run = new FrameRun(target, peer, messages.some(hasInputs));
    for (const message of messages) run.start(message);
  } catch (error) {
    peer.refuseFrame(error);
  }
  target.entry?.save();
  return run?.late && Promise.all(run.late);
}

class FrameRun {
  /** Of the answers that come later; `undefined` while there are none. */
  late: Promise<void>[] | undefined;
  readonly #target: Target;
  readonly #peer: Peer;
  readonly #results: Results | undefined;
  #lastId = 0;
  /** Whether the client has said which calls it awaits. */
  #hasSaidAwaited = false;
  /** Calls up to this id may have arrived before. */
  #resent = 0;
  /** When the first of them left the client, on the clock of `Date.now()`. */
  #resentSince = Infinity;

  /** @param keepResults - whether a call of the frame takes another's result */
  constructor(target: Target, peer: Peer, keepResults: boolean) {
    this.#target = target;
    this.#peer = peer;
    this.#results = keepResults ? new Results() : undefined;
  }

  /** @throws RpcError `BAD_MESSAGE` for what is no message: the frame ends there */
  start(message: unknown[]): void {
    const [id] = message;
    if (!isId(id)) return this.#control(message);
    let method: CompiledMethod;
    let inputs: Promise<unknown> | undefined;
    try {
      const { callsPerSecond } = this.#target.contract.limits;
      if (!this.#peer.mayCall()) exceeded('callsPerSecond', callsPerSecond);
      checkCall(message);
      method = this.#admit(message);
      inputs = this.#results?.pending(message);
    } catch (error) {
      this.#peer.countRefusal();
      return this.#answer(id, this.#failure(id, error));
    }
    const entry = method.readonly ? undefined : this.#target.entry;
    const known = entry?.recall(id);
    if (known !== undefined) return this.#deliver(id, known);
    if (!method.readonly && this.#mayHaveRun(id, entry)) {
      return this.#answer(id, this.#failure(id, forgotten(id)));
    }
    const call = { message, method, entry };
    const answer = inputs ? inputs.then(() => this.#runLate(call)) : this.#run(call);
    this.#deliver(id, typeof answer === 'string' ? answer : (entry?.expect(id, answer) ?? answer));
  }

  /** What a message says that is no call: see `encodeControl`. */
  #control([kind, ...numbers]: unknown[]): void {
    if (kind === 'cancel') return this.#cancel(numbers);
    if (hearSubscriber([kind, ...numbers], this.#target, this.#peer)) return;
    if (!isCounts(numbers)) throw malformed();
    const [first, ...rest] = numbers;
    const { entry } = this.#target;
    if (kind === 'awaits') {
      this.#hasSaidAwaited = true;
      entry?.forget(1, first - 1);
      for (const id of rest) entry?.forget(id);
    } else if (kind === 'resent') {
      this.#resent = first;
      this.#resentSince = Date.now() - (rest[0] ?? 0);
    } else throw malformed();
  }

  #cancel(ids: unknown[]): void {
    const { running } = this.#peer;
    for (const id of ids as number[]) {
      if (!running.has(id)) continue;
      running.set(id, false);
      this.#target.entry?.forget(id);
    }
  }

  /** @throws RpcError for a call that is not to be run */
  #admit([id, name]: CallMessage): CompiledMethod {
    const { limits, methods } = this.#target.contract;
    if (id <= this.#lastId) throw refusal('BAD_MESSAGE', 'Ids ascend within a frame');
    // What lies between the calls of a frame is awaited no more.
    if (!this.#hasSaidAwaited) this.#target.entry?.forget(this.#lastId + 1, id - 1);
    this.#lastId = id;
    if (this.#peer.running.size >= limits.callsInFlight) {
      exceeded('callsInFlight', limits.callsInFlight);
    }
    const method = methods.get(name);
    if (method) return method;
    throw refusal('METHOD_NOT_FOUND', `The contract lists no method ${name.slice(0, 100)}`);
  }

  /** Whether a call that is not `readonly` may have run, and its answer is not there any more. */
  #mayHaveRun(id: number, entry: Entry | undefined): boolean {
    const isResent = id <= this.#resent;
    if (entry) return entry.mayHaveRun(id, isResent ? this.#resentSince : Infinity);
    return isResent;
  }

  #run(call: Admitted): string | Promise<string> {
    const answer = runCall(call, this.#target, this.#peer, this.#results);
    const { contract, instance } = this.#target;
    if (contract.hasLive && !call.method.readonly) {
      changed(instance);
      // By what it does after an `await`.
      if (typeof answer !== 'string') void answer.then(() => changed(instance));
    }
    return answer;
  }

  /** In a turn that is not the frame's, at whose end what has begun is written. */
  #runLate(call: Admitted): string | Promise<string> {
    const answer = this.#run(call);
    void call.entry?.saveSoon();
    return answer;
  }

  #deliver(id: number, answer: string | Promise<string>): void {
    if (typeof answer === 'string') this.#answer(id, answer);
    else this.#answerLater(id, answer);
  }

  #answer(id: number, text: string): void {
    this.#results?.keep(id, text);
    this.#peer.answer(text);
  }

  /** Answers when a call has ended, unless it has been cancelled by then. */
  #answerLater(id: number, answer: Promise<string>): void {
    const { running } = this.#peer;
    running.set(id, true);
    this.#results?.keep(id, answer);
    this.late ??= [];
    this.late.push(
      answer.then((text) => {
        if (running.get(id)) this.#peer.answer(text);
        running.delete(id);
      }),
    );
  }

  #failure(id: number, error: unknown): string {
    return failureText(id, error, this.#target.contract);
  }
}

function isCall([id]: unknown[]): boolean {
  return isId(id);
}

function controlsOf(messages: unknown[][]): number {
  return messages.slice(0, CONTROLS).filter((message) => !isCall(message)).length;
}

function hasInputs(message: unknown[]): boolean {
  return message.length === 4 && isCall(message) && inputsOf(message as CallMessage).length > 0;
}

/** Whether numbers are ids or milliseconds, and at least one. */
function isCounts(numbers: unknown[]): numbers is [number, ...number[]] {
  return numbers.length > 0 && numbers.every((one) => one === 0 || isId(one));
}

function malformed(): RpcError {
  const problem = 'A message begins with the id of its call, or with the name of its kind';
  return refusal('BAD_MESSAGE', problem);
}

/** Better no answer than a second execution. */
function forgotten(id: number): RpcError {
  const message = `Call ${id} may have run before, and its answer is not there any more`;
  return refusal('DISCONNECTED', message, { maybeExecuted: true });
}
