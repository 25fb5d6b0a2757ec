/**
 * Runs one call: its arguments checked, its method as its caller, its answer as text.
 * Imports arguments, caller, contract, entry, peer, results and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { type CallMessage, encodeFailure, encodeResult } from '../wire/messages.ts';
import type { Resolve } from '../wire/rich-decoder.ts';
import { isThenable } from '../wire/tags.ts';
import { decodeArgs } from './arguments.ts';
import { callAs } from './caller.ts';
import { type CompiledContract, type CompiledMethod, unchecked } from './contract.ts';
import type { Entry } from './entry.ts';
import type { Limits } from './limits.ts';
import type { Peer } from './peer.ts';
import type { Results } from './results.ts';

/** A call that may run. */
export interface Admitted {
  message: CallMessage;
  method: CompiledMethod;
  /** Where its answer is taken down, if it has to be. */
  entry: Entry | undefined;
}

/**
 * @param results - of the calls that it takes as arguments, all of them ended
 * @returns the text of its answer; a promise of it for a method that returns one
 */
export function runCall(
  { message, method, entry }: Admitted,
  { instance, contract }: { instance: object; contract: CompiledContract },
  peer: Peer,
  results: Results | undefined,
): string | Promise<string> {
  const [id] = message;
  let args: unknown[];
  try {
    args = argsFor(method, message, contract.limits, results?.resolver(message));
  } catch (error) {
    peer.countRefusal();
    return failureText(id, error, contract);
  }
  peer.countCall();
  let answer: string;
  try {
    const result = invoke(instance, contract, method, args, peer.caller);
    if (isThenable(result)) {
      entry?.begin(id);
      return lateAnswer(id, result, contract);
    }
    answer = encodeResult(id, result);
  } catch (error) {
    answer = failureText(id, error, contract);
  }
  entry?.note(id, answer);
  return answer;
}

async function lateAnswer(
  id: number,
  result: PromiseLike<unknown>,
  contract: CompiledContract,
): Promise<string> {
  try {
    return encodeResult(id, await result);
  } catch (error) {
    return failureText(id, error, contract);
  }
}

/**
 * @param resolve - gives the value that a reference to another call stands for; none, if there are none
 * @throws RpcError for arguments that the method does not take
 */
export function argsFor(
  method: CompiledMethod,
  message: CallMessage,
  limits: Limits,
  resolve?: Resolve,
): unknown[] {
  const args = decodeArgs(message, limits, resolve);
  method.check(args);
  return args;
}

export function failureText(id: number, error: unknown, contract: CompiledContract): string {
  return encodeFailure(id, error, contract.exposeErrorDetails);
}

type Methods = Record<string, ((...args: unknown[]) => unknown) | undefined>;

/**
 * @param args - checked already
 * @returns what the method returns
 * @throws what the method throws, or what `onError` makes of it
 */
export function invoke(
  instance: object,
  contract: CompiledContract,
  { name }: CompiledMethod,
  args: unknown[],
  caller: unknown,
): unknown {
  const method = (instance as Methods)[name];
  if (!method) throw new RpcError('METHOD_NOT_FOUND', `The object has no method ${name}`);
  const { onError } = contract;
  if (!onError) return callAs(caller, unchecked(method), instance, args);
  try {
    const result = callAs(caller, unchecked(method), instance, args);
    if (!isThenable(result)) return result;
    return Promise.resolve(result).catch((error: unknown) => rewrite(error, name, onError));
  } catch (error) {
    return rewrite(error, name, onError);
  }
}

function rewrite(
  error: unknown,
  method: string,
  onError: NonNullable<CompiledContract['onError']>,
): never {
  let instead: unknown;
  try {
    instead = onError(error, { method });
  } catch (failure) {
    // What the method threw may be what `onError` would have kept from the client.
    console.error(failure);
    instead = new Error(`${method} failed`);
  }
  throw instead === undefined ? error : instead;
}
