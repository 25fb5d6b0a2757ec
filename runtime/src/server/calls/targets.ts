/** Finds the target of a call (the object or a capability), and the values of the references in the call. */
import type {
  EarlierResults,
  CompiledContract,
  CompiledMethod,
  Target,
} from '../contract/types.ts';
import { type Callee, type CallMessage, resultIdOf } from '../../wire/messages.ts';
import type { Resolve } from '../../wire/values/rich-decoder.ts';
import { FEATURE_REFERENCES } from '../../wire/features.ts';
import { missingFeature } from './missing-feature.ts';
import { CALL } from '../../wire/values/rich-encoder.ts';
import type { CallResourceMap } from './call-resources.ts';
import { explanations } from '../diagnostics/explanations.ts';
import { badMessage, rejection } from '../base/rejection.ts';

/** A method, and the object or capability that it is called on. */
export interface BoundMethod {
  on: object;
  method: CompiledMethod;
}

/**
 * Returns the called method of the object; `undefined` for a call on a capability.
 *
 * @throws RpcError `METHOD_NOT_FOUND`
 */
export function objectMethod(
  callee: Callee,
  contract: CompiledContract,
): CompiledMethod | undefined {
  if (typeof callee !== 'string') return undefined;
  const { methods } = contract;
  return methods.get(callee) ?? missing(callee, contract, methods);
}

/**
 * Returns the called method; `undefined` for a call on a result, whose class is not known yet.
 *
 * @throws RpcError `METHOD_NOT_FOUND` for a method that the object lacks
 */
export function knownMethod(
  callee: Callee,
  contract: CompiledContract,
): CompiledMethod | undefined {
  const ofObject = objectMethod(callee, contract);
  if (ofObject) return ofObject;
  const [name, className] = callee as string[];
  return contract.capabilities.get(className as string)?.methods.get(name as string);
}

/**
 * Makes a callee independent of its frame: a reference to a result becomes the address of the capability.
 *
 * @throws RpcError `METHOD_NOT_FOUND` for a result that is not a capability, `UNSUPPORTED` if the contract has none
 */
export function resolvedCallee(
  callee: Callee,
  contract: CompiledContract,
  resolve: Resolve,
): Callee {
  if (resultIdOf(callee) === undefined) return callee;
  const [name, ...target] = callee as [string, ...unknown[]];
  const { referenceOf } = contract;
  if (!referenceOf) throw missingFeature('capabilities');
  const [, ...reference] = referenceOf(resolve([CALL, ...target])) ?? missing(name);
  return [name, ...(reference as [string, string])];
}

/**
 * Returns the called method of a capability, and a new instance of the capability.
 *
 * @param caller - the caller who makes the call
 * @param resolve - the function from `resolverOf`, for a call on a result
 * @throws RpcError `METHOD_NOT_FOUND`, `FORBIDDEN` for a capability that does not exist or was revoked, `UNSUPPORTED`
 *   if the contract has no capabilities
 */
export function capabilityMethod(
  callee: Callee,
  target: Target,
  caller: unknown,
  resolve?: Resolve,
): BoundMethod {
  const { contract } = target;
  const [name, ...parts] = callee as [string, ...unknown[]];
  const { targets: of } = contract;
  if (!of) throw missingFeature('capabilities');
  const on = resolve ? resolve([CALL, ...parts]) : of.make(parts, target, caller);
  // The result of a call can be any value.
  const methods = of.methodsOf(on);
  return { on: on as object, method: methods?.get(name) ?? missing(name, contract, methods) };
}

/**
 * @param contract - decides whether the message may name another method
 * @param methods - the methods of the target; `undefined` if the target has no contract
 */
function missing(
  name: string,
  contract?: CompiledContract,
  methods?: ReadonlyMap<string, CompiledMethod>,
): never {
  const called = name.slice(0, 100);
  const near =
    contract?.exposeErrorDetails && methods && explanations?.nearest(called, methods.keys());
  const hint = near ? `: did you mean ${near}?` : '';
  throw rejection('METHOD_NOT_FOUND', `The contract lists no method ${called}${hint}`);
}

/**
 * Returns a function that resolves the references in a call.
 *
 * @param caller - the caller who makes the call
 * @param results - the results of the calls that this call refers to, all of them ended
 * @param resources - the resources of the call; left out where references that end with the call are not possible
 * @throws the error of a call that this call refers to
 */
export function resolverOf(
  message: CallMessage,
  target: Target,
  caller: unknown,
  results?: EarlierResults,
  resources?: CallResourceMap,
): Resolve {
  const resolve = resolverWithin(target, caller, resources);
  return results?.resolver(message, resolve) ?? resolve;
}

/** Resolves the references that do not depend on other calls. */
function resolverWithin(
  target: Target,
  caller: unknown,
  resources: CallResourceMap | undefined,
): Resolve {
  const { instance, contract } = target;
  return ([tag, ...parts]) => {
    const read = contract.references.get(tag);
    if (read) return read(parts, { instance, contract, caller, resources });
    const known = FEATURE_REFERENCES.get(tag);
    if (!known) badMessage('Malformed value');
    throw missingFeature(known);
  };
}

/**
 * Returns the token of the capability that a call is made on: its class, number and address as text. Returns `undefined`
 * for a call on the object.
 */
export function capabilityTokenOf(callee: Callee): string | undefined {
  return typeof callee === 'string' ? undefined : JSON.stringify(callee.slice(1));
}
