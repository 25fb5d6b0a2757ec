/**
 * Runs one call: its arguments checked, its method as its caller, its answer as text.
 * Imports arguments, callee, caller, checked, contract, entry, passed, peer, results,
 * rewritten-error, seals, unsendable and wire/.
 */
import { joined, type Said } from '../wire/bytes.ts';
import { RpcError } from '../wire/errors.ts';
import { calledResult, type CallMessage, encodeFailure, encodeResult } from '../wire/messages.ts';
import { isThenable } from '../wire/tags.ts';
import { decodeArgs } from './arguments.ts';
import { type Called, calledBy, methodOf, resolverOf, type Target } from './callee.ts';
import { callAs } from './caller.ts';
import { unchecked } from './checked.ts';
import type { CompiledContract } from './contract.ts';
import type { Entry } from './entry.ts';
import { bindItems, type Passed } from './passed.ts';
import type { Peer } from './peer.ts';
import type { Results } from './results.ts';
import { rewrite } from './rewritten-error.ts';
import { referencesOf } from './seals.ts';
import { checkWhole, withHint } from './unsendable.ts';

/** A call that may run. */
export interface Admitted {
  message: CallMessage;
  /** Where its answer is taken down, if it has to be. */
  entry: Entry | undefined;
  /** The functions and streams among its arguments; nothing for a call that can have none. */
  passed: Passed | undefined;
}

/**
 * @param results - of the calls that it takes as arguments, all of them ended
 * @returns its answer; a promise of it for a method that returns one
 */
export function runCall(
  { message, entry, passed }: Admitted,
  target: Target,
  peer: Peer,
  results: Results | undefined,
): Said | Promise<Said> {
  const [id] = message;
  const { contract } = target;
  const { caller } = peer;
  let beginning: Begun;
  try {
    beginning = begin(message, target, caller, results, passed);
  } catch (error) {
    passed?.end();
    peer.countRefusal();
    return failureText(id, error, contract);
  }
  peer.countCall();
  const { called, args } = beginning;
  const journal = called.method.readonly ? undefined : entry;
  let answer: Said;
  try {
    const result = invoke(called, contract, args, caller);
    if (isThenable(result)) {
      journal?.begin(id);
      const late = lateAnswer(id, called.method.name, result, contract, peer);
      return passed ? late.then((said) => joined([said, ...passed.end()])) : late;
    }
    answer = written(id, called.method.name, result, contract, peer);
  } catch (error) {
    answer = failureText(id, error, contract);
  }
  if (passed) answer = joined([answer, ...passed.end()]);
  journal?.note(id, answer);
  return answer;
}

async function lateAnswer(
  id: number,
  method: string,
  result: PromiseLike<unknown>,
  contract: CompiledContract,
  peer: Peer,
): Promise<Said> {
  try {
    return written(id, method, await result, contract, peer);
  } catch (error) {
    return failureText(id, error, contract);
  }
}

/** @throws RpcError `UNSERIALIZABLE` for what cannot be sent, or only item by item */
function written(
  id: number,
  method: string,
  result: unknown,
  contract: CompiledContract,
  peer: Peer,
): Said {
  checkWhole(result, method);
  return peer.write((of) => encodeResult(id, result, of), referencesOf(contract));
}

/** A call that only has to be made. */
export interface Begun {
  called: Called;
  args: unknown[];
}

/**
 * Finds what is called, and takes the arguments out of the message.
 *
 * @param message - is taken apart
 * @param results - of the calls that it takes, all of them ended
 * @param passed - takes functions and streams among the arguments; none, where there can be none
 * @throws RpcError for a method that is not in the contract, a capability that is none, or arguments that
 *   the method does not take
 */
function begin(
  message: CallMessage,
  target: Target,
  caller: unknown,
  results?: Results,
  passed?: Passed,
): Begun {
  const [, callee] = message;
  const { instance, contract } = target;
  const method = methodOf(callee, contract);
  const isOnResult = calledResult(callee) !== undefined;
  const hasReferences = isOnResult || message.length > 3;
  const resolve = hasReferences ? resolverOf(message, target, caller, results, passed) : undefined;
  const called = method
    ? { on: instance, method }
    : calledBy(callee, target, caller, isOnResult ? resolve : undefined);
  const args = decodeArgs(message, contract.limits, resolve);
  const { method: checking, on } = called;
  checking.check(args);
  return { called, args: passed?.bind(args, checking, on) ?? bindItems(args, checking) };
}

/**
 * The same, for a call that is begun several times, each time with arguments of its own: the message is left as it
 * is, and a method may change what it is given.
 */
export function beginAgain(message: CallMessage, target: Target, caller: unknown): Begun {
  return begin(structuredClone(message), target, caller);
}

export function failureText(id: number, error: unknown, contract: CompiledContract): string {
  return encodeFailure(id, withHint(error), contract.exposeErrorDetails);
}

type Methods = Record<string, ((...args: unknown[]) => unknown) | undefined>;

/**
 * @param args - checked already
 * @returns what the method returns
 * @throws what the method throws, or what `onError` makes of it
 */
export function invoke(
  { on, method: { name } }: Called,
  contract: CompiledContract,
  args: unknown[],
  caller: unknown,
): unknown {
  const method = (on as Methods)[name];
  if (!method) throw new RpcError('METHOD_NOT_FOUND', `The object has no method ${name}`);
  const { onError } = contract;
  if (!onError) return callAs(caller, unchecked(method), on, args);
  try {
    const result = callAs(caller, unchecked(method), on, args);
    if (!isThenable(result)) return result;
    return Promise.resolve(result).catch((error: unknown) => rewrite(error, name, onError));
  } catch (error) {
    return rewrite(error, name, onError);
  }
}
