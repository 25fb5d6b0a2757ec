/**
 * Runs the calls of a frame against an object, whichever way the frame came, each of them once.
 * Imports caller, contract, journal, peer, results and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { exceeded } from '../wire/limits.ts';
import {
  type CallMessage,
  checkCall,
  decodeArgs,
  decodeFrame,
  encodeFailure,
  encodeRefusal,
  encodeResult,
  inputsOf,
  isId,
} from '../wire/messages.ts';
import { isThenable } from '../wire/tags.ts';
import { callAs } from './caller.ts';
import { type CompiledContract, type CompiledMethod, unchecked } from './contract.ts';
import type { Entry } from './journal.ts';
import type { Peer } from './peer.ts';
import { Results } from './results.ts';

/** What a frame is run against. */
export interface Target {
  instance: object;
  contract: CompiledContract;
  /** The client's entry in the object's journal, unless the object keeps none. */
  entry: Entry | undefined;
}

/**
 * Runs every call of a frame, in order; one that fails leaves its neighbours alone. Answers go to
 * the peer: before this returns for a method that returned a value, later for one that returned a
 * promise.
 *
 * @param text - the frame that arrived
 * @returns a promise of the last late answer, or `undefined` if there is none to wait for
 */
export function runFrame(text: string, target: Target, peer: Peer): Promise<unknown> | undefined {
  const { limits, debug } = target.contract;
  const { frameSize, callsPerFrame } = limits;
  if (debug) (peer.log ??= debug(peer, target.instance)).up(text);
  try {
    if (text.length > frameSize) exceeded('frameSize', frameSize);
    const messages = decodeFrame(text);
    if (messages.length > callsPerFrame && messages.filter(isCall).length > callsPerFrame) {
      exceeded('callsPerFrame', callsPerFrame);
    }
    const run = new FrameRun(target, peer, messages.some(hasInputs));
    for (const message of messages) run.start(message);
    target.entry?.save();
    return run.late && Promise.all(run.late);
  } catch (error) {
    peer.answer(encodeRefusal(error as RpcError));
    return undefined;
  }
}

class FrameRun {
  /** Of the answers that come later; `undefined` while there are none. */
  late: Promise<void>[] | undefined;
  readonly #target: Target;
  readonly #peer: Peer;
  readonly #results: Results | undefined;
  #lastId = 0;
  /** Whether the client has said which answers it has. */
  #isAcknowledged = false;
  /** Calls up to this id may have arrived before. */
  #resent = 0;

  /** @param keepResults - whether a call of the frame takes another's result */
  constructor(target: Target, peer: Peer, keepResults: boolean) {
    this.#target = target;
    this.#peer = peer;
    this.#results = keepResults ? new Results() : undefined;
  }

  start(message: unknown[]): void {
    const [id, value] = message;
    if (!isId(id)) return this.#control(id, value);
    if (!this.#isAcknowledged) this.#acknowledge(id);
    try {
      this.#admit(message, id);
      const method = this.#methodNamed(message[1]);
      const known = method.readonly ? undefined : this.#target.entry?.recall(id);
      if (known !== undefined) return this.#repeat(id, known);
      if (!method.readonly) this.#refuseIfForgotten(id);
      const pending = this.#results?.pending(message);
      if (pending)
        return this.#finish(
          id,
          method,
          pending.then(() => this.#callLate(message, method)),
        );
      const result = this.#call(message, method);
      if (isThenable(result)) return this.#finish(id, method, Promise.resolve(result));
      this.#answer(id, encodeResult(id, result));
    } catch (error) {
      this.#answer(id, this.#failure(id, error));
    }
  }

  #control(kind: unknown, value: unknown): void {
    if (kind === 'cancel') this.#peer.running.delete(value as number);
    else if (kind === 'awaits' && isId(value)) this.#acknowledge(value);
    else if (kind === 'resent' && isId(value)) this.#resent = value;
    else {
      const message = 'A message begins with the id of its call, or with the name of its kind';
      this.#peer.answer(encodeRefusal(new RpcError('BAD_MESSAGE', message)));
    }
  }

  /** The client has the answers of all calls before this one. */
  #acknowledge(id: number): void {
    this.#isAcknowledged = true;
    this.#target.entry?.acknowledge(id);
  }

  #admit(message: unknown[], id: number): asserts message is CallMessage {
    const { callsInFlight } = this.#target.contract.limits;
    checkCall(message);
    if (id <= this.#lastId) throw new RpcError('BAD_MESSAGE', 'Ids ascend within a frame');
    this.#lastId = id;
    if (this.#peer.running.size >= callsInFlight) exceeded('callsInFlight', callsInFlight);
  }

  #methodNamed(name: string): CompiledMethod {
    const method = this.#target.contract.methods.get(name);
    if (method) return method;
    throw new RpcError('METHOD_NOT_FOUND', `The contract lists no method ${name.slice(0, 100)}`);
  }

  /** Better no answer than a second execution. */
  #refuseIfForgotten(id: number): void {
    const { entry } = this.#target;
    if (entry ? !entry.hasForgotten(id) : id > this.#resent) return;
    const message = `Call ${id} may have run before, and its answer is not kept any more`;
    throw new RpcError('DISCONNECTED', message, { maybeExecuted: true });
  }

  /** Answers a call that has run, or is running, for its client once more. */
  #repeat(id: number, known: string | Promise<string>): void {
    if (typeof known === 'string') this.#answer(id, known);
    else this.#answerLater(id, known);
  }

  /** Answers a call when its promise settles. */
  #finish(id: number, method: CompiledMethod, promise: Promise<unknown>): void {
    const answer = promise
      .then((result) => encodeResult(id, result))
      .catch((error: unknown) => this.#failure(id, error));
    if (!method.readonly) this.#target.entry?.begin(id, answer);
    this.#answerLater(id, answer);
  }

  /** Unless the call has been cancelled by then. */
  #answerLater(id: number, answer: Promise<string>): void {
    const { running } = this.#peer;
    running.add(id);
    this.#results?.keep(id, answer);
    this.late ??= [];
    this.late.push(
      answer.then((text) => {
        if (running.delete(id)) this.#peer.answer(text);
      }),
    );
  }

  #answer(id: number, text: string): void {
    this.#results?.keep(id, text);
    this.#target.entry?.end(id, text);
    this.#peer.answer(text);
  }

  #failure(id: number, error: unknown): string {
    return encodeFailure(id, error, this.#target.contract.exposeStack);
  }

  #callLate(message: CallMessage, method: CompiledMethod): unknown {
    const result = this.#call(message, method);
    if (isThenable(result)) this.#target.entry?.suspend(message[0]);
    this.#target.entry?.save();
    return result;
  }

  /** @throws whatever the method throws, or `RpcError` when it cannot be called so */
  #call(message: CallMessage, method: CompiledMethod): unknown {
    const { contract, entry } = this.#target;
    const args = decodeArgs(message, contract.limits, this.#results?.resolver(message));
    method.check(args);
    if (!method.readonly) entry?.executes(message[0]);
    return this.#invoke(method, args);
  }

  #invoke(method: CompiledMethod, args: unknown[]): unknown {
    const { instance, contract } = this.#target;
    const found = (instance as Record<string, (...args: unknown[]) => unknown>)[method.name];
    if (!found) throw new RpcError('METHOD_NOT_FOUND', `The object has no method ${method.name}`);
    try {
      const result = callAs(this.#peer.caller, unchecked(found), instance, args);
      if (!contract.onError || !isThenable(result)) return result;
      return Promise.resolve(result).catch((error: unknown) => this.#rewrite(error, method));
    } catch (error) {
      return this.#rewrite(error, method);
    }
  }

  #rewrite(error: unknown, { name }: CompiledMethod): never {
    const instead = this.#target.contract.onError?.(error, { method: name });
    throw instead === undefined ? error : instead;
  }
}

function isCall([id]: unknown[]): boolean {
  return isId(id);
}

function hasInputs(message: unknown[]): boolean {
  return message.length === 4 && inputsOf(message as CallMessage).length > 0;
}
