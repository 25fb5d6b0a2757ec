/**
 * Methods that check their arguments by themselves, for callers that do not come by the wire: native
 * Workers RPC. Imports checked-items, contract-entry and wire/.
 */
import { isThenable } from '../wire/tags.ts';
import { readItems } from './checked-items.ts';
import type { CompiledMethod } from './contract-entry.ts';

type Method = (...args: unknown[]) => unknown;

/** From a method that checks its arguments to the one that it checks them for. */
const originals = new WeakMap<Method, Method>();

/**
 * A method that checks its arguments first, for callers that do not come by the wire.
 *
 * @param onRun - told of each run, before it and, if that is later, after it
 */
function checked(
  method: Method,
  { name, check, items }: CompiledMethod,
  onRun?: (instance: object) => void,
): Method {
  const withCheck = function (this: object, ...args: unknown[]): unknown {
    check(args);
    onRun?.(this);
    const result = Reflect.apply(method, this, items ? readItems(name, args, items) : args);
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

/** What `checked` was given, for a caller that has checked already; any other method as it is. */
export function unchecked(method: Method): Method {
  return originals.get(method) ?? method;
}

/**
 * Overrides methods with ones that check first.
 *
 * @param prototype - of a subclass of the class that has the methods
 * @param onRun - told of each run of a method that is not `readonly`
 */
export function checkOnNativeCalls(
  prototype: object,
  methods: Iterable<CompiledMethod>,
  onRun?: (instance: object) => void,
): void {
  const parent = Object.getPrototypeOf(prototype) as Record<string, Method | undefined>;
  for (const method of methods) {
    const { name, readonly } = method;
    // What the subclass has of its own is no method of a contract, although one with a mistake may list it.
    if (Object.hasOwn(prototype, name)) continue;
    const value = checked(parent[name] ?? (() => {}), method, readonly ? undefined : onRun);
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}
