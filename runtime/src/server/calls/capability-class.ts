/** Registers a class of capabilities with the contract that its methods have. */
import {
  CAPABILITY_CLASS,
  type CapabilityClass,
  rememberCapability,
} from '../base/capability-classes.ts';
import { checkListed, compileMethods } from '../contract/compile-contract.ts';
import type { Contract } from '../contract/entries.ts';
import { contractOf } from '../contract/contract-of.ts';
import type {
  ArgumentSchema,
  CompiledCapability,
  CompiledMethod,
  Feature,
} from '../contract/types.ts';
import { checkOnNativeCalls } from './native-calls.ts';

/** The data with which a class of capabilities is registered. */
export interface CapabilityDefinition {
  /** The name of the class in messages and in the storage. */
  readonly name: string;
  /** A schema for each argument of the constructor after the object. */
  readonly address: readonly ArgumentSchema[];
  readonly contract: object;
  readonly feature: Feature;
  /** Returns the object that a capability belongs to. */
  readonly objectOf: (capability: object) => object;
}

/**
 * Registers a class of capabilities. Its methods then validate their arguments also in calls through native Workers RPC.
 *
 * @param Class - a subclass of the class that has the methods
 * @throws TypeError for the mistakes that `compileContract` rejects, and for a name that is not a method of the class
 */
export function registerCapability(
  Class: CompiledCapability['Class'],
  { name, address, contract, feature, objectOf }: CapabilityDefinition,
): CompiledCapability {
  const { methods, internal, capabilities, features } = compileMethods(contract as Contract);
  checkListed(Class, methods.keys());
  for (const method of internal.keys()) {
    throw new TypeError(
      `The capability ${name} lists ${method} as internal: only the contract of an object can`,
    );
  }
  const { methods: constructors } = compileMethods({ [name]: address });
  const constructor = constructors.get(name) as CompiledMethod;
  const compiled: CompiledCapability = {
    name,
    Class,
    address,
    checkAddress: (values) => void constructor.validate([...values]),
    methods,
    capabilities,
    features: new Set([...features, feature]),
  };
  checkOnNativeCalls(Class.prototype as object, methods.values(), (capability) => {
    const object = objectOf(capability);
    contractOf(object)?.afterChange?.(object);
  });
  Object.defineProperty(Class, 'name', { value: name });
  Object.defineProperty(Class, CAPABILITY_CLASS, { value: true });
  Object.defineProperty(Class, '~feature', { value: feature });
  rememberCapability(Class as unknown as CapabilityClass, compiled);
  return compiled;
}
