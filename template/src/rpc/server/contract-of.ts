/** Finds the contract of an object, for what is not given it. Imports contract. */
import type { CompiledContract } from './contract.ts';

/** By the prototype of the objects. */
const contracts = new WeakMap<object, CompiledContract>();

/** Takes note of the contract of all objects of a class. */
export function rememberContract(prototype: object, contract: CompiledContract): void {
  contracts.set(prototype, contract);
}

/** Not known only of an object that wires its handlers itself and has just been made. */
export function contractOf(instance: object): CompiledContract | undefined {
  let object: object | null = instance;
  while (object && !contracts.has(object)) object = Object.getPrototypeOf(object) as object | null;
  return object ? contracts.get(object) : undefined;
}
