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
import { RpcError } from '../../wire/errors.ts';
import { resultIdOf, type CallMessage, encodeFailure, encodeResult } from '../../wire/messages.ts';
import { isThenable } from '../../wire/values/tags.ts';
import { decodeArgs } from './arguments.ts';
import { type BoundMethod, capabilityMethod, objectMethod, resolverOf } from './targets.ts';
import { runAsCaller } from '../base/caller.ts';
import { uncheckedMethod } from './native-calls.ts';
import type { ClientJournal } from '../journal/client-journal.ts';
import { withFilledHoles } from '../schemas/array-holes.ts';
import type { CallResourceMap } from './call-resources.ts';
import type { Connection } from '../contract/connection.ts';
import { plainText } from './results/plain-results.ts';
import { checkCallable, checkNotStreamed, addHint } from './results/unsendable.ts';

/** A call that may run. */
export interface AdmittedCall {
  message: CallMessage;
  /** The client's journal entry, if the answer is recorded in one. */
  journal: ClientJournal | undefined;
  /** What ends with the call; `undefined` if its arguments cannot contain references. */
  resources: CallResourceMap | undefined;
}

/**
 * @param results - results of the calls that it takes as arguments; these calls have all ended
 * @returns the answer; a promise of it if the method returns a promise
 */
export function runCall(
  { message, journal, resources }: AdmittedCall,
  target: Target,
  connection: Connection,
  results: EarlierResults | undefined,
): EncodedMessage | Promise<EncodedMessage> {
  const id = message[0];
  const { contract } = target;
  const { caller } = connection;
  let prepared: PreparedCall;
  try {
    prepared = prepare(message, target, caller, results, resources);
    checkCallable(prepared.called.method);
  } catch (error) {
    resources?.end();
    connection.countRejection();
    return encodeCallFailure(id, error, contract);
  }
  connection.countCall();
  const { called, args } = prepared;
  const writing = called.method.readonly ? undefined : journal;
  let answer: EncodedMessage;
  try {
    const result = invoke(called, contract, args, caller);
    if (isThenable(result)) {
      writing?.begin(id);
      const late = lateAnswer(id, called.method, result, contract, connection);
      return resources ? late.then((encoded) => joinMessages([encoded, ...resources.end()])) : late;
    }
    answer = encodeAnswer(id, called.method, result, contract, connection);
  } catch (error) {
    answer = encodeCallFailure(id, error, contract);
  }
  if (resources) answer = joinMessages([answer, ...resources.end()]);
  writing?.storeAnswer(id, answer);
  return answer;
}

async function lateAnswer(
  id: number,
  method: CompiledMethod,
  result: PromiseLike<unknown>,
  contract: CompiledContract,
  connection: Connection,
): Promise<EncodedMessage> {
  try {
    return encodeAnswer(id, method, await result, contract, connection);
  } catch (error) {
    return encodeCallFailure(id, error, contract);
  }
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
  if (text) return `[${id},${text}]`;
  return connection.encode(
    (referenceOf) => encodeResult(id, result, referenceOf, feedback),
    contract,
  );
}

/** A call whose target and arguments are known and valid. */
export interface PreparedCall {
  called: BoundMethod;
  args: unknown[];
}

/**
 * Finds the method that is called, and decodes and validates its arguments.
 *
 * @param message - decoding may modify it, so it cannot be used again
 * @param results - results of the calls that it takes as arguments; these calls have all ended
 * @param scope - of the call; left out where references that end with it are not possible
 * @throws RpcError for a method that is not in the contract, an invalid capability, or invalid arguments
 */
function prepare(
  message: CallMessage,
  target: Target,
  caller: unknown,
  results?: EarlierResults,
  scope?: CallResourceMap,
): PreparedCall {
  const callee = message[1];
  const { instance, contract } = target;
  const method = objectMethod(callee, contract);
  const isOnResult = resultIdOf(callee) !== undefined;
  const hasReferences = isOnResult || message.length > 3;
  const resolve = hasReferences ? resolverOf(message, target, caller, results, scope) : undefined;
  const called = method
    ? { on: instance, method }
    : capabilityMethod(callee, target, caller, isOnResult ? resolve : undefined);
  let args = decodeArgs(message, contract.limits, resolve);
  const { method: checking, on } = called;
  // Only the rich form of a message contains arrays with holes.
  if (message.length > 3) {
    const validate = (): unknown[] => checking.validate(args);
    args = withFilledHoles(args, validate, checking.validatesWhileRunning);
  } else args = checking.validate(args);
  const bound = checking.bind?.(args, on, scope) ?? args;
  scope?.checkBound(bound, checking);
  return { called, args: bound };
}

/**
 * Like `begin`, for a message that is used several times. Each time gets its own copy of the arguments,
 * because a method may change them.
 */
export function prepareReusedCall(
  message: CallMessage,
  target: Target,
  caller: unknown,
): PreparedCall {
  return prepare(structuredClone(message), target, caller);
}

export function encodeCallFailure(id: number, error: unknown, contract: CompiledContract): string {
  return encodeFailure(id, addHint(error), contract.exposeErrorDetails);
}

/**
 * Runs code of the class on behalf of a caller, and with `onError`: the `snapshot` of a feed, or the constructor of a
 * capability.
 *
 * @param name - of the method, or of the class of the capability
 * @throws the function's error, or the error that `onError` replaces it with
 */
export function runWithOnError(
  name: string,
  { onError }: CompiledContract,
  caller: unknown,
  run: () => unknown,
): unknown {
  try {
    return runAsCaller(caller, run);
  } catch (error) {
    if (!onError) throw error;
    return throwReplacement(error, name, onError);
  }
}

/**
 * Replaces an error by what `onError` returns for it.
 *
 * @param method - name of the method that failed; for a constructor, the class of the capability
 * @throws the replacement that `onError` returns, or the error itself
 */
export function throwReplacement(
  error: unknown,
  method: string,
  onError: NonNullable<CompiledContract['onError']>,
): never {
  let instead: unknown;
  try {
    instead = onError(error, { method });
  } catch (failure) {
    // The original error is not sent, because `onError` might have hidden it from the client.
    console.error(failure);
    instead = new Error(`${method} failed`);
  }
  throw instead === undefined ? error : instead;
}

type Methods = Record<string, ((...args: unknown[]) => unknown) | undefined>;

/**
 * @param args - already validated
 * @returns the method's result
 * @throws the method's error, or the error that `onError` replaces it with
 */
export function invoke(
  { on, method: { name } }: BoundMethod,
  contract: CompiledContract,
  args: unknown[],
  caller: unknown,
): unknown {
  const method = (on as Methods)[name];
  if (!method) throw new RpcError('METHOD_NOT_FOUND', `The object has no method ${name}`);
  const { onError } = contract;
  if (!onError) return runAsCaller(caller, uncheckedMethod(method), on, args);
  const run = (): unknown => Reflect.apply(uncheckedMethod(method), on, args);
  const result = runWithOnError(name, contract, caller, run);
  if (!isThenable(result)) return result;
  return Promise.resolve(result).catch((error: unknown) => throwReplacement(error, name, onError));
}
