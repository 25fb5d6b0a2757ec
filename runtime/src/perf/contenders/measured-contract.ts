/** Reads the class and the contract out of a class that `lumenizeRpcDO` has returned. */
import { contractOf } from '../../server/contract/contract-of.ts';
import type { Contract } from '../../server/contract/entries.ts';
import type { ContractOptions } from '../../server/contract/options.ts';
import type { CompiledContract, MethodDefinition } from '../../server/contract/types.ts';
import type { ObjectClass } from './measured-class.ts';

/** A class without RPC, and the contract and the options that it had. */
interface Definition {
  Class: ObjectClass;
  contract: Contract;
  options: ContractOptions;
}

/** @throws TypeError for a class that `lumenizeRpcDO` has not returned */
export function definitionOf(Wrapped: ObjectClass): Definition {
  const Class = Object.getPrototypeOf(Wrapped) as ObjectClass;
  const prototype = Wrapped.prototype as object;
  const compiled = contractOf(prototype);
  if (!compiled || compiled === contractOf(Class.prototype as object)) {
    throw new TypeError(
      `contenderClasses: ${Wrapped.name} has no contract of its own. Pass the class that lumenizeRpcDO returned`,
    );
  }
  const entries = [...compiled.methods].map(([name, method]) => [
    name,
    // A compiled method keeps its definition.
    entryOf(method as unknown as MethodDefinition),
  ]);
  return {
    Class,
    contract: Object.fromEntries(entries) as Contract,
    options: optionsOf(compiled),
  };
}

function entryOf({ kind, feature, plain, key, ...rest }: MethodDefinition): object {
  const { input, readonly, returns, output, title, description } = rest;
  const entry = { input, readonly, returns, output, title, description };
  if (kind === 'call') return { ...entry, plain: Boolean(plain) };
  return { '~entry': kind, '~feature': feature, ...entry, ...(key !== undefined && { key }) };
}

function optionsOf({ limits, journalAge, callbackTimeout, ...more }: CompiledContract) {
  const { hibernate, journal, streamTimeout, exposeErrorDetails } = more;
  const times = { journalAge, callbackTimeout, streamTimeout };
  return { ...times, limits, hibernate, journal, exposeErrorDetails } satisfies ContractOptions;
}
