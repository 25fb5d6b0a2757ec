/**
 * Runs one call: validates its arguments, calls the method on behalf of the caller, and encodes the answer.
 */
import type {
  EarlierResults,
  Target,
  CompiledContract,
  CompiledMethod,
} from '../contract/types.ts';
import { joinMessages, type EncodedMessage } from '../../wire/encoded-message.ts';
import { MISSING, RpcError } from '../../wire/errors.ts';
import { resultIdOf, type CallMessage, encodeFailure, encodeResult } from '../../wire/messages.ts';
import { isThenable } from '../../wire/values/tags.ts';
import { decodeArgs } from './arguments.ts';
import {
  type BoundMethod,
  capabilityMethod,
  objectMethod,
  resolvedCallee,
  resolverOf,
} from './targets.ts';
import { type FrameArrival, runClassCode, surround } from './call-context.ts';
import { uncheckedMethod } from './native-calls.ts';
import { checkSentSize } from '../base/memory.ts';
import type { Run } from '../base/pending.ts';
import { relaying } from '../base/relaying.ts';
import { rejection, withMaybeExecuted } from '../base/rejection.ts';
import { explanations } from '../diagnostics/explanations.ts';
import type { ClientJournal } from '../journal/client-journal.ts';
import { validateComplete } from '../schemas/array-holes.ts';
import type { CallResourceMap } from './call-resources.ts';
import type { Connection } from '../contract/connection.ts';
import { plainText } from './results/plain-results.ts';
import { checkCallable, checkNotStreamed, addHint } from './results/unsendable.ts';

/** A call that may run. */
export interface AdmittedCall {
  readonly message: CallMessage;
  /** The client's journal entry, if the journal records the answer. A call that does not begin clears this field. */
  journal: ClientJournal | undefined;
  /** True if the call may have arrived before. */
  readonly isResent: boolean;
  /** The objects that end with the call; `undefined` if its arguments cannot contain references. */
  readonly resources: CallResourceMap | undefined;
  /** An estimate of the bytes of memory that its arguments take; `undefined` until they are decoded. */
  weight?: number;
  /** The data that the calls of its frame have in common; `undefined` if nothing surrounds calls. */
  readonly arrival: FrameArrival | undefined;
}

/**
 * @param results - results of the calls that it takes as arguments; these calls have all ended
 * @returns the answer; a promise of it if the method returns a promise
 */
export function runCall(
  call: AdmittedCall,
  target: Target,
  connection: Connection,
  results: EarlierResults | undefined,
): EncodedMessage | Promise<EncodedMessage> {
  const { message, resources, arrival } = call;
  const id = message[0];
  const { contract } = target;
  let answer: EncodedMessage | Promise<EncodedMessage>;
  try {
    answer = arrival
      ? surround('call', id, message[1], target, connection, arrival, () =>
          answerCall(call, target, connection, results),
        )
      : answerCall(call, target, connection, results);
  } catch (error) {
    answer = encodeCallFailure(id, ofCall(call, error), contract);
  }
  if (answer instanceof Promise) {
    call.journal?.begin(id);
    const late = answer.catch((error: unknown) =>
      encodeCallFailure(id, ofCall(call, error), contract),
    );
    return resources ? late.then((encoded) => joinMessages([encoded, ...resources.end()])) : late;
  }
  if (resources) answer = joinMessages([answer, ...resources.end()]);
  call.journal?.storeAnswer(id, answer);
  return answer;
}

/**
 * Returns the error to send. A method can throw the error `METHOD_NOT_FOUND` of another object. The client must not
 * conclude from it that the method of this object did not run.
 */
function ofCall({ weight }: AdmittedCall, error: unknown): unknown {
  const hasRun = weight !== undefined;
  try {
    if (!hasRun || !(error instanceof RpcError)) return error;
    return MISSING.test(error.code) ? withMaybeExecuted(error, true) : error;
  } catch {
    // A proxy that was thrown can throw from any of its traps.
    return error;
  }
}

/**
 * @returns the answer; a promise of it if the method returns a promise
 * @throws RpcError for a call that is rejected; the error of the method
 */
function answerCall(
  call: AdmittedCall,
  target: Target,
  connection: Connection,
  results: EarlierResults | undefined,
): EncodedMessage | Promise<EncodedMessage> {
  const { message, resources } = call;
  const { contract } = target;
  const { caller } = connection;
  let prepared: PreparedCall;
  try {
    prepared = prepare(message, target, caller, results, resources);
    checkCallable(prepared.called.method);
  } catch (error) {
    call.journal = undefined;
    connection.countRejection();
    throw error;
  }
  connection.countCall();
  const { called, args } = prepared;
  const { method } = called;
  call.weight = prepared.weight;
  const id = message[0];
  const { readonly, volatile } = method;
  if (readonly || volatile) call.journal = undefined;
  // The method of a call on a result is only known now. For other calls, this was checked before.
  if (volatile && call.isResent) throw forgotten(id);
  const around = readonly
    ? relaying.untilArrived
    : explanations?.watchWrites(target.instance, method);
  const result = invoke(called, target, args, caller, around);
  if (isThenable(result)) return answerLater(id, method, result, contract, connection);
  return encodeAnswer(id, method, result, contract, connection);
}

async function answerLater(
  id: number,
  method: CompiledMethod,
  result: PromiseLike<unknown>,
  contract: CompiledContract,
  connection: Connection,
): Promise<EncodedMessage> {
  return encodeAnswer(id, method, await result, contract, connection);
}

/** @throws RpcError `UNSERIALIZABLE` for a result that cannot be sent, and for a feed or a stream */
function encodeAnswer(
  id: number,
  { name, plain, feedback, checkOutput }: CompiledMethod,
  result: unknown,
  contract: CompiledContract,
  connection: Connection,
): EncodedMessage {
  checkNotStreamed(result, name);
  checkOutput?.(result);
  const text = plain && plainText(result, name, plain === 'checked');
  const answer = text
    ? `[${id},${text}]`
    : connection.encode((referenceOf) => encodeResult(id, result, referenceOf, feedback), contract);
  checkSentSize(answer.length, 'a result', contract.limits);
  return answer;
}

/** A call whose target and arguments are known and valid. */
export interface PreparedCall {
  called: BoundMethod;
  args: unknown[];
  /** The number of arguments that the client has sent. */
  sent: number;
  /** About how many bytes of memory the arguments take. */
  weight: number;
}

/**
 * Finds the method that is called, and decodes and validates its arguments.
 *
 * @param message - decoding may modify it, so it cannot be used again
 * @param results - results of the calls that it takes as arguments; these calls have all ended
 * @param resources - the resources of the call; left out where references that end with it are not possible
 * @param own - called before the arguments are decoded; returns the message whose arguments are decoded
 * @throws RpcError for a method that is not in the contract, an invalid capability, or invalid arguments
 */
function prepare(
  message: CallMessage,
  target: Target,
  caller: unknown,
  results?: EarlierResults,
  resources?: CallResourceMap,
  own: (method: CompiledMethod) => CallMessage = () => message,
): PreparedCall {
  const callee = message[1];
  const { instance, contract } = target;
  const method = objectMethod(callee, contract);
  const isOnResult = resultIdOf(callee) !== undefined;
  const hasReferences = isOnResult || message.length > 3;
  const resolve = hasReferences
    ? resolverOf(message, target, caller, results, resources)
    : undefined;
  const called = method
    ? { on: instance, method }
    : capabilityMethod(callee, target, caller, isOnResult ? resolve : undefined);
  const { args: decoded, weight } = decodeArgs(own(called.method), contract.limits, resolve);
  let args = decoded;
  const { method: checking, on } = called;
  // Only the rich form of a message contains values that are not complete.
  if (message.length > 3) {
    const validate = (): unknown[] => checking.validate(args);
    args = validateComplete(args, validate, checking.validatesWhileRunning);
  } else args = checking.validate(args);
  const bound = checking.bind?.(args, on, resources) ?? args;
  resources?.checkBound(bound, checking);
  return { called, args: bound, sent: decoded.length, weight };
}

/**
 * Makes a call independent of its frame: a callee that is a result becomes the address of that capability.
 *
 * @param results - results of the calls that it takes as arguments; these calls have all ended
 * @throws RpcError `METHOD_NOT_FOUND` for a result that is not a capability, `UNSUPPORTED` if the contract has none;
 *   the error of a call that it takes
 */
export function independentCall(
  message: CallMessage,
  target: Target,
  caller: unknown,
  results: EarlierResults | undefined,
): CallMessage {
  const [id, callee, ...args] = message;
  const resolve = resolverOf(message, target, caller, results);
  return [id, resolvedCallee(callee, target.contract, resolve), ...args] as CallMessage;
}

/**
 * Prepares a call as `prepare` does, for a message that is used several times. Each use gets its own copy of the
 * arguments, because a method may change them.
 *
 * @param isReused - called before the arguments are decoded; returns whether the message is used again, or throws why
 *   the method cannot be used. A copy costs more time than parsing the message.
 */
export function prepareReusedCall(
  message: CallMessage,
  target: Target,
  caller: unknown,
  isReused: (method: CompiledMethod) => boolean = () => true,
): PreparedCall {
  const own = (method: CompiledMethod): CallMessage =>
    isReused(method) ? structuredClone(message) : message;
  return prepare(message, target, caller, undefined, undefined, own);
}

/** Returns the error for a call that may have run. The call must not run twice, so it gets no result. */
export function forgotten(id: number): RpcError {
  const message = `Call ${id} may have run, but its answer is not stored`;
  return rejection('DISCONNECTED', message, { maybeExecuted: true });
}

export function encodeCallFailure(id: number, error: unknown, contract: CompiledContract): string {
  return encodeFailure(id, addHint(error), contract.exposeErrorDetails);
}

type Methods = Record<string, ((...args: unknown[]) => unknown) | undefined>;

/**
 * @param args - already validated
 * @param around - returns the function that runs instead of the method
 * @returns the method's result, or the result that replaces it
 * @throws the method's error, or the error that replaces it
 */
export function invoke(
  { on, method: { name } }: BoundMethod,
  target: Target,
  args: unknown[],
  caller: unknown,
  around?: (run: Run, caller: unknown) => Run,
): unknown {
  const method = (on as Methods)[name];
  if (!method) throw new RpcError('METHOD_NOT_FOUND', `The object has no method ${name}`);
  const run = uncheckedMethod(method);
  return runClassCode(name, target, caller, around?.(run, caller) ?? run, on, args);
}
