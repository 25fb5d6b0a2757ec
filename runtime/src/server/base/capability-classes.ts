/** The classes that `capability` has made, and what it has compiled for each. */

/** A class made by `capability`. */
export type CapabilityClass = new (...args: never[]) => object;

const compiledByClass = new WeakMap<CapabilityClass, unknown>();

/** @param compiled - what the contract needs of the class */
export function rememberCapability(Class: CapabilityClass, compiled: unknown): void {
  compiledByClass.set(Class, compiled);
}

/** What was remembered of a class; `undefined` for any other class. */
export function rememberedCapability(Class: CapabilityClass): unknown {
  return compiledByClass.get(Class);
}

/** The key that marks the classes that `capability` has made, in any copy of the package. */
export const CAPABILITY_CLASS = Symbol.for('lumenize-rpc.capability');

/** Whether `capability` of this copy of the package has made a class. */
export function isCapability(schema: unknown): schema is CapabilityClass {
  return compiledByClass.has(schema as CapabilityClass);
}
