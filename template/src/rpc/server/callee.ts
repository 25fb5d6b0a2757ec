/**
 * What a call is made on, the object or a capability, and what the references in it stand for. Imports
 * contract, passed, refusal, results, seals and wire/.
 */
import { type Callee, type CallMessage, calledResult } from '../wire/messages.ts';
import type { Resolve } from '../wire/rich-decoder.ts';
import { CALL, CAPABILITY, FUNCTION, STREAM } from '../wire/rich-encoder.ts';
import type { CompiledContract } from './contract.ts';
import type { CompiledMethod } from './contract-entry.ts';
import type { Passed } from './passed.ts';
import { refusal } from './refusal.ts';
import type { Results } from './results.ts';
import { makeCapability, placeIn, takeCapability } from './seals.ts';

/** A method, and what it is called on. */
export interface Called {
  on: object;
  method: CompiledMethod;
}

/**
 * The method of the object that is called; `undefined` for what is called on a capability.
 *
 * @throws RpcError `METHOD_NOT_FOUND`
 */
export function methodOf(
  callee: Callee,
  { methods }: CompiledContract,
): CompiledMethod | undefined {
  return typeof callee === 'string' ? (methods.get(callee) ?? missing(callee)) : undefined;
}

/**
 * Whether what is called changes nothing; not known, and so `false`, of what a result will be.
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
 * What is called, when the call is known whose result it is on: as it can be called at any time.
 *
 * @throws RpcError `METHOD_NOT_FOUND` for a result that is no capability
 */
export function lasting(callee: Callee, resolve: Resolve): Callee {
  if (calledResult(callee) === undefined) return callee;
  const [name, ...target] = callee as [string, ...unknown[]];
  const [, ...reference] = takeCapability(resolve([CALL, ...target])) ?? missing(name);
  return [name, ...(reference as [string, string])];
}

/** Whose calls are made. */
export interface Target {
  instance: object;
  contract: CompiledContract;
}

/**
 * The method of a capability that is called, and the capability, made anew.
 *
 * @param caller - whose call it is
 * @param resolve - from `resolverOf`, for what is called on a result
 * @throws RpcError `METHOD_NOT_FOUND`, or `FORBIDDEN` for a capability that is none
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
  // The result of a call may be anything.
  const method = placeIn(on)?.capability.methods.get(name);
  return { on: on as object, method: method ?? missing(name) };
}

function missing(name: string): never {
  throw refusal('METHOD_NOT_FOUND', `The contract lists no method ${name.slice(0, 100)}`);
}

/**
 * What gives the values of the references in a call.
 *
 * @param caller - whose call it is
 * @param results - of the calls that it takes, all of them ended
 * @param passed - takes functions and streams; none, where nothing can be sent later
 * @throws what a call threw that it takes
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

/** Of what does not depend on other calls. */
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
