/**
 * Makes methods validate their own arguments, for calls through native Workers RPC.
 */
import type { CompiledMethod } from '../contract/types.ts';
import { isThenable } from '../../wire/values/tags.ts';
import { checkEventsOf } from '../base/brands.ts';
import { findSparse, rememberIncomplete, validateComplete } from '../schemas/array-holes.ts';

type Method = (...args: unknown[]) => unknown;

/** From a method that validates its arguments to the original method. */
const originals = new WeakMap<Method, Method>();

/**
 * Wraps a method so that it validates its arguments.
 *
 * @param onRun - called before each run, and again when the promise that the method returns settles
 */
function checked(
  method: Method,
  { validate, bind, checkOutput }: CompiledMethod,
  onRun?: (instance: object) => void,
): Method {
  const withCheck = function (this: object, ...args: unknown[]): unknown {
    rememberIncomplete(args, { sparse: findSparse(args), late: [] });
    const valid = validateComplete(args, () => validate(args));
    onRun?.(this);
    const result = Reflect.apply(method, this, bind?.(valid, this, undefined) ?? valid);
    // Methods of the class get the feeds here to which they append.
    checkEventsOf(result, checkOutput);
    if (onRun && isThenable(result))
      void result.then(
        () => onRun(this),
        () => onRun(this),
      );
    return result;
  };
  originals.set(withCheck, method);
  return withCheck;
}

/** Returns the original of a wrapped method, for arguments that are already validated; or the method itself. */
export function uncheckedMethod(method: Method): Method {
  return originals.get(method) ?? method;
}

/**
 * Overrides methods with ones that validate their arguments.
 *
 * @param prototype - the prototype of a subclass of the class that has the methods
 * @param onRun - as for `checked`, but not called for `readonly` methods
 */
export function checkOnNativeCalls(
  prototype: object,
  methods: Iterable<CompiledMethod>,
  onRun?: (instance: object) => void,
): void {
  const parent = Object.getPrototypeOf(prototype) as Record<string, Method>;
  for (const method of methods) {
    const { name, readonly } = method;
    // A handler of the subclass, such as `fetch`, is no method of a contract, but an invalid contract may list it.
    if (Object.hasOwn(prototype, name)) continue;
    const value = checked(parent[name] as Method, method, readonly ? undefined : onRun);
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}
