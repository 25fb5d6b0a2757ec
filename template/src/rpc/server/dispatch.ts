/**
 * Runs the calls of a frame against an object, whichever way the frame came.
 * Imports caller, contract, peer and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { exceeded } from '../wire/limits.ts';
import {
  type AnswerMessage,
  type CallMessage,
  checkCall,
  decodeAnswer,
  decodeArgs,
  decodeFrame,
  encodeFailure,
  encodeRefusal,
  encodeResult,
  inputsOf,
  isId,
} from '../wire/messages.ts';
import { readPath } from '../wire/paths.ts';
import { isThenable } from '../wire/tags.ts';
import { callAs } from './caller.ts';
import { type CompiledContract, type CompiledMethod, unchecked } from './contract.ts';
import type { Peer } from './peer.ts';

/** The texts of answers by id, from which calls that take a result as input get their copies. */
type Answers = Map<number, string | Promise<string>>;

/**
 * Runs every call of a frame, in order; one that fails leaves its neighbours alone. Answers go to
 * the peer: before this returns for a method that returned a value, later for one that returned a
 * promise.
 *
 * @param text - the frame that arrived
 * @param instance - the object whose methods are called
 * @returns a promise of the last late answer, or `undefined` if there is none to wait for
 */
export function runFrame(
  text: string,
  instance: object,
  contract: CompiledContract,
  peer: Peer,
): Promise<unknown> | undefined {
  const { frameSize, callsPerFrame } = contract.limits;
  try {
    if (text.length > frameSize) exceeded('frameSize', frameSize);
    const messages = decodeFrame(text);
    if (messages.length > callsPerFrame) exceeded('callsPerFrame', callsPerFrame);
    const run = new FrameRun(instance, contract, peer, messages.some(hasInputs));
    for (const message of messages) run.start(message);
    return run.late.length > 0 ? Promise.all(run.late) : undefined;
  } catch (error) {
    peer.answer(encodeRefusal(error as RpcError));
    return undefined;
  }
}

const SAME_ID = 'Another call of the frame has the same id';

class FrameRun {
  readonly late: Promise<void>[] = [];
  readonly #ids = new Set<number>();
  readonly #answers: Answers | undefined;
  readonly #instance: object;
  readonly #contract: CompiledContract;
  readonly #peer: Peer;

  /** @param keepAnswers - whether a call of the frame takes another's result */
  constructor(instance: object, contract: CompiledContract, peer: Peer, keepAnswers: boolean) {
    this.#instance = instance;
    this.#contract = contract;
    this.#peer = peer;
    this.#answers = keepAnswers ? new Map() : undefined;
  }

  start(message: unknown[]): void {
    const [id, value] = message;
    if (!isId(id)) return this.#control(id, value);
    const { running } = this.#peer;
    const { callsInFlight } = this.#contract.limits;
    try {
      checkCall(message);
      if (this.#ids.size === this.#ids.add(id).size) throw new RpcError('BAD_MESSAGE', SAME_ID);
      if (running.size >= callsInFlight) exceeded('callsInFlight', callsInFlight);
      const pending = this.#pendingInputs(message);
      if (pending)
        return this.#finish(
          id,
          pending.then(() => this.#call(message)),
        );
      const result = this.#call(message);
      if (isThenable(result)) return this.#finish(id, Promise.resolve(result));
      this.#answer(id, encodeResult(id, result));
    } catch (error) {
      this.#answer(id, encodeFailure(id, error, this.#contract.exposeStack));
    }
  }

  #control(kind: unknown, value: unknown): void {
    if (kind === 'cancel') {
      this.#peer.running.delete(value as number);
      return;
    }
    const message = 'A message begins with the id of its call, or with the name of its kind';
    this.#peer.answer(encodeRefusal(new RpcError('BAD_MESSAGE', message)));
  }

  /** Answers a call when its promise settles, unless it has been cancelled by then. */
  #finish(id: number, promise: Promise<unknown>): void {
    const { running } = this.#peer;
    running.add(id);
    const answer = promise
      .then((result) => encodeResult(id, result))
      .catch((error: unknown) => encodeFailure(id, error, this.#contract.exposeStack));
    this.#answers?.set(id, answer);
    this.late.push(
      answer.then((text) => {
        if (running.delete(id)) this.#peer.answer(text);
      }),
    );
  }

  #answer(id: number, text: string): void {
    this.#answers?.set(id, text);
    this.#peer.answer(text);
  }

  /** @throws whatever the method throws, or `RpcError` when it cannot be called so */
  #call(message: CallMessage): unknown {
    const [id, name] = message;
    const method = this.#contract.methods.get(name);
    if (!method)
      throw new RpcError('METHOD_NOT_FOUND', `The contract lists no method named ${name}`);
    const results = this.#results(inputsOf(message));
    const args = decodeArgs(message, this.#contract.limits, ([input, ...path]) => {
      if (!results.has(input)) throw new RpcError('BAD_MESSAGE', `Call ${id} takes no result`);
      return readPath(results.get(input), path);
    });
    method.check(args);
    return this.#invoke(method, args);
  }

  #invoke(method: CompiledMethod, args: unknown[]): unknown {
    const found = (this.#instance as Record<string, (...args: unknown[]) => unknown>)[method.name];
    if (!found) throw new RpcError('METHOD_NOT_FOUND', `The object has no method ${method.name}`);
    try {
      const result = callAs(this.#peer.caller, unchecked(found), this.#instance, args);
      if (!this.#contract.onError || !isThenable(result)) return result;
      return Promise.resolve(result).catch((error: unknown) => this.#rewrite(error, method));
    } catch (error) {
      return this.#rewrite(error, method);
    }
  }

  #rewrite(error: unknown, { name }: CompiledMethod): never {
    const instead = this.#contract.onError?.(error, { method: name });
    throw instead === undefined ? error : instead;
  }

  /** A promise of the inputs that are not there yet; it settles when all have, well or badly. */
  #pendingInputs(message: CallMessage): Promise<unknown> | undefined {
    const pending: Promise<unknown>[] = [];
    for (const id of inputsOf(message)) {
      const answer = this.#answers?.get(id);
      if (answer === undefined) {
        const problem = `Call ${message[0]} takes the result of call ${id}, which is not before it`;
        throw new RpcError('BAD_MESSAGE', problem);
      }
      if (typeof answer !== 'string') {
        pending.push(answer.then((text) => this.#answers?.set(id, text)));
      }
    }
    return pending.length > 0 ? Promise.all(pending) : undefined;
  }

  /**
   * Copies of results, as the client will have them: an input is passed by value.
   *
   * @throws what a call threw, so that a call whose input failed fails likewise
   */
  #results(ids: number[]): Map<number, unknown> {
    const results = new Map<number, unknown>();
    for (const id of ids) {
      const answer = decodeAnswer(JSON.parse(this.#answers?.get(id) as string) as AnswerMessage);
      if ('thrown' in answer) throw answer.thrown;
      results.set(id, answer.result);
    }
    return results;
  }
}

function hasInputs(message: unknown[]): boolean {
  return message.length === 4 && inputsOf(message as CallMessage).length > 0;
}
