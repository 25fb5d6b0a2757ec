/**
 * Runs the calls of a frame against an object, whichever way the frame came.
 * Imports contract and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import {
  decodeFrame,
  encodeError,
  encodeFrameError,
  encodeResult,
  isId,
  readCall,
} from '../wire/messages.ts';
import type { CompiledContract } from './contract.ts';

/**
 * Runs every call of a frame, in order; one that fails leaves its neighbours alone.
 *
 * @param frame - the text that arrived
 * @param instance - the object whose methods are called
 * @param contract - which methods, and how their arguments are checked
 * @param answer - takes each answer: before this returns for a method that returned a value, later
 *   for one that returned a promise
 * @returns a promise of the last late answer, or `undefined` if there is none to wait for
 */
export function runFrame(
  frame: string,
  instance: object,
  contract: CompiledContract,
  answer: (message: string) => void,
): Promise<unknown> | undefined {
  let messages: unknown[][];
  try {
    messages = decodeFrame(frame);
  } catch (error) {
    answer(encodeFrameError(error));
    return undefined;
  }
  const late: Promise<void>[] = [];
  for (const message of messages) {
    const unfinished = runCall(message, instance, contract, answer);
    if (unfinished) late.push(unfinished);
  }
  return late.length > 0 ? Promise.all(late) : undefined;
}

function runCall(
  message: unknown[],
  instance: object,
  contract: CompiledContract,
  answer: (message: string) => void,
): Promise<void> | undefined {
  const [id] = message;
  if (!isId(id)) {
    answer(
      encodeFrameError(new RpcError('BAD_MESSAGE', 'A message begins with the id of its call')),
    );
    return undefined;
  }
  const fail = (error: unknown): void => answer(encodeError(id, error));
  const succeed = (result: unknown): void => answer(encodeResult(id, result));
  try {
    const [, method, args = []] = readCall(message);
    const result = callMethod(instance, contract, method, args);
    if (isThenable(result)) return Promise.resolve(result).then(succeed).catch(fail);
    succeed(result);
  } catch (error) {
    fail(error);
  }
  return undefined;
}

function callMethod(
  instance: object,
  contract: CompiledContract,
  method: string,
  args: unknown[],
): unknown {
  const entry = contract.methods.get(method);
  if (!entry) {
    throw new RpcError('METHOD_NOT_FOUND', `The contract lists no method named ${method}`);
  }
  entry.check(args);
  return (instance as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined | null)?.then === 'function';
}
