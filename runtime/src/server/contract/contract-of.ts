/**
 * Finds the contract of an object, for code that does not receive it as a parameter. It also detects two copies of the
 * package in one program, as a monorepo can have them. Each copy keeps its own state of an object, so a function of one
 * copy throws for an object that the other copy serves.
 */
import type { CompiledContract } from './types.ts';

/** Identifies this copy of the package in compiled contracts and feeds. */
export const PACKAGE_COPY = {};

/** The key of the contract, on the prototype of the objects. Behind a port, it is on the object itself. */
const CONTRACT = Symbol.for('lumenize-rpc.contract');

/**
 * Stores the contract of an object, or of all objects with a prototype.
 *
 * @throws TypeError for an object or a contract of another copy of the package
 */
export function rememberContract(target: object, contract: CompiledContract): void {
  if (contractIn(target) === contract) return;
  checkCopy(target);
  if (contract['~copy'] !== PACKAGE_COPY)
    throw foreign('The contract must be compiled by compileContract of the same');
  Object.defineProperty(target, CONTRACT, { value: contract, configurable: true });
}

/**
 * Returns the contract; `undefined` only for a class that calls the handlers itself, before it first calls a handler.
 */
export function contractOf(instance: object): CompiledContract | undefined {
  const contract = contractIn(instance);
  return contract?.['~copy'] === PACKAGE_COPY ? contract : undefined;
}

/** @throws TypeError for an object that another copy serves */
export function checkCopy(instance: object): void {
  if (contractIn(instance) !== contractOf(instance))
    throw foreign('The object is served by another');
}

function contractIn(target: object): CompiledContract | undefined {
  return (target as { [CONTRACT]?: CompiledContract })[CONTRACT];
}

function foreign(problem: string): TypeError {
  return new TypeError(`${problem} copy of lumenize-rpc: install one copy (npm ls lumenize-rpc)`);
}
