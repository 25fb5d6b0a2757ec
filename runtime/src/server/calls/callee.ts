/**
 * The target of a call, the object or a capability, and the values of the references in the call. Imports
 * contract, nearest, passed, refusal, results, seals and wire/.
 */
import { type Callee, type CallMessage, calledResult } from '../../wire/messages.ts';
import type { Resolve } from '../../wire/rich-decoder.ts';
import { CALL, CAPABILITY, FUNCTION, STREAM } from '../../wire/rich-encoder.ts';
import type { CompiledContract } from '../contract/contract.ts';
import type { CompiledMethod } from '../contract/contract-entry.ts';
import type { Passed } from './passed.ts';
import { nearest } from '../schemas/nearest.ts';
import { refusal } from './refusal.ts';
import type { Results } from './results.ts';
import { makeCapability, placeIn, takeCapability } from '../../features/capabilities/seals.ts';

/** A method, and the object or capability that it is called on. */
export interface Called {
  on: object;
  method: CompiledMethod;
}

/**
 * Returns the called method of the object; `undefined` for a call on a capability.
 *
 * @throws RpcError `METHOD_NOT_FOUND`
 */
export function methodOf(callee: Callee, contract: CompiledContract): CompiledMethod | undefined {
  if (typeof callee !== 'string') return undefined;
  const { methods } = contract;
  return methods.get(callee) ?? missing(callee, contract, methods);
}

/**
 * Whether the called method is `readonly`. `false` for a call on a result, whose class is not known yet.
 *
 * @throws RpcError `METHOD_NOT_FOUND`
 */
export function isReadonly(callee: Callee, contract: CompiledContract): boolean {
  const ofObject = methodOf(callee, contract);
  if (ofObject) return ofObject.readonly;
  const [name, className] = callee as string[];
  const { methods } = contract.capabilities.get(className as string) ?? {};
  return methods?.get(name as string)?.readonly === true;
}

/**
 * Makes a callee independent of its frame: a reference to a result becomes the address of that capability.
 *
 * @throws RpcError `METHOD_NOT_FOUND` for a result that is not a capability
 */
export function lasting(callee: Callee, resolve: Resolve): Callee {
  if (calledResult(callee) === undefined) return callee;
  const [name, ...target] = callee as [string, ...unknown[]];
  const [, ...reference] = takeCapability(resolve([CALL, ...target])) ?? missing(name);
  return [name, ...(reference as [string, string])];
}

/** An object and its contract. */
export interface Target {
  instance: object;
  contract: CompiledContract;
}

/**
 * Returns the called method of a capability, and a new instance of the capability.
 *
 * @param caller - who makes the call
 * @param resolve - from `resolverOf`, for a call on a result
 * @throws RpcError `METHOD_NOT_FOUND`, or `FORBIDDEN` for a capability that does not exist or was revoked
 */
export function calledBy(
  callee: Callee,
  { instance, contract }: Target,
  caller: unknown,
  resolve?: Resolve,
): Called {
  const [name, ...parts] = callee as [string, ...unknown[]];
  const on = resolve
    ? resolve([CALL, ...parts])
    : makeCapability(parts, instance, contract, caller);
  // The result of a call can be any value.
  const methods = placeIn(on)?.capability.methods;
  return { on: on as object, method: methods?.get(name) ?? missing(name, contract, methods) };
}

/**
 * @param contract - decides whether the message may name another method
 * @param methods - the methods that there are, unless the target is not an object with a contract
 */
function missing(
  name: string,
  contract?: CompiledContract,
  methods?: ReadonlyMap<string, CompiledMethod>,
): never {
  const called = name.slice(0, 100);
  const near = contract?.exposeErrorDetails && methods && nearest(called, methods.keys());
  const hint = near ? `: did you mean ${near}?` : '';
  throw refusal('METHOD_NOT_FOUND', `The contract lists no method ${called}${hint}`);
}

/**
 * Returns a function that resolves the references in a call.
 *
 * @param caller - who makes the call
 * @param results - the results of the calls that this call refers to, all of them ended
 * @param passed - receives functions and streams; left out where the call cannot pass them
 * @throws the error of a call that this call refers to
 */
export function resolverOf(
  message: CallMessage,
  target: Target,
  caller: unknown,
  results?: Results,
  passed?: Passed,
): Resolve {
  const resolve = resolverWithin(target, caller, passed);
  return results?.resolver(message, resolve) ?? resolve;
}

/** Resolves the references that do not depend on other calls. */
function resolverWithin(
  { instance, contract }: Target,
  caller: unknown,
  passed: Passed | undefined,
): Resolve {
  return (reference) => {
    const [name, ...parts] = reference;
    if (name === CAPABILITY) return makeCapability(parts, instance, contract, caller);
    if (passed || (name !== FUNCTION && name !== STREAM))
      return passed?.take(reference) ?? refuse();
    return refuse('Functions and streams as arguments need a WebSocket');
  };
}

function refuse(problem = 'Malformed value'): never {
  throw refusal('BAD_MESSAGE', problem);
}
