/** Finds the contract of an object, for code that does not receive it as a parameter. */
import type { CompiledContract } from './compiled.ts';
import { checkCompiled, checkCopy, claim } from './copies.ts';

/** By the prototype of the objects; by the object itself behind a port. */
const contracts = new WeakMap<object, CompiledContract>();

/**
 * Stores the contract of all objects with a prototype.
 *
 * @throws TypeError for an object or a contract of another copy of the package
 */
export function rememberContract(prototype: object, contract: CompiledContract): void {
  if (contracts.get(prototype) === contract) return;
  checkCopy(prototype);
  checkCompiled(contract);
  claim(prototype);
  contracts.set(prototype, contract);
}

/** Returns the contract; `undefined` only for a class that calls the handlers itself, before it first calls one. */
export function contractOf(instance: object): CompiledContract | undefined {
  let object: object | null = instance;
  while (object && !contracts.has(object)) object = Object.getPrototypeOf(object) as object | null;
  return object ? contracts.get(object) : undefined;
}
