/** The classes that `capability` has made, and the compiled form of each class. */

/** A class made by `capability`. */
export type CapabilityClass = new (...args: never[]) => object;

const compiledByClass = new WeakMap<CapabilityClass, unknown>();

/**
 * Stores the compiled form of a class.
 *
 * @param compiled - the data of the class that a contract needs
 */
export function rememberCapability(Class: CapabilityClass, compiled: unknown): void {
  compiledByClass.set(Class, compiled);
}

/** Returns the compiled form of a class; `undefined` for a class that `capability` has not made. */
export function rememberedCapability(Class: CapabilityClass): unknown {
  return compiledByClass.get(Class);
}

/** The key that marks the classes that `capability` has made, in any copy of the package. */
export const CAPABILITY_CLASS = Symbol.for('lumenize-rpc.capability');

/** Returns whether `capability` of this copy of the package has made a class. */
export function isCapability(schema: unknown): schema is CapabilityClass {
  return compiledByClass.has(schema as CapabilityClass);
}
