/**
 * Makes methods validate their own arguments, for calls through native Workers RPC. For features that surround calls, it
 * surrounds these calls and the alarm of the class, too.
 */
import type { CallContext, CompiledContract, CompiledMethod } from '../contract/types.ts';
import { isThenable } from '../../wire/values/tags.ts';
import { checkEventsOf } from '../base/brands.ts';
import { findSparse, rememberIncomplete, validateComplete } from '../schemas/array-holes.ts';
import { surroundBy } from './call-context.ts';

type Method = (...args: unknown[]) => unknown;

/** The original method of each method that validates its arguments. */
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
    // The class obtains its feeds by calling this method, so that events which it appends are checked.
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
 * Overrides methods with methods that validate their arguments.
 *
 * @param prototype - the prototype of a subclass of the class that has the methods
 * @param onRun - the function for `checked`, which is not called for `readonly` methods
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

/** The part of `AsyncLocalStorage` that is used here. */
interface AsyncContext {
  run<Result>(store: true, run: () => Result): Result;
  getStore(): true | undefined;
}

/**
 * The context of class code; `undefined` unless a tool wraps a class. To enter it takes longer than the rest of a call.
 */
let classCode: AsyncContext | undefined;

function makeContext(): AsyncContext | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): { AsyncLocalStorage: new () => AsyncContext } };
  };
  const module = process?.getBuiltinModule?.('node:async_hooks');
  return module && new module.AsyncLocalStorage();
}

/** Runs code of the class. The methods that this code calls count as a part of it. */
export function inClassCode<Result>(run: () => Result): Result {
  return classCode ? classCode.run(true, run) : run();
}

/** V8's members, which the types of browsers lack. */
const engine = Error as unknown as {
  captureStackTrace(holder: object, above: object): void;
  stackTraceLimit: number;
  prepareStackTrace: unknown;
};

/**
 * Returns whether a function or a constructor was called by other code, and not by the runtime. Applications and their
 * tools change the length and the format of stacks, so the function sets both.
 */
function hasCaller(called: object): boolean {
  const { stackTraceLimit, prepareStackTrace } = engine;
  engine.stackTraceLimit = 1;
  engine.prepareStackTrace = undefined;
  const callers: { stack?: string } = {};
  engine.captureStackTrace(callers, called);
  const stack = callers.stack ?? '';
  engine.prepareStackTrace = prepareStackTrace;
  engine.stackTraceLimit = stackTraceLimit;
  return /^ +at /m.test(stack);
}

/**
 * Returns whether code of the class calls a method, and not the runtime. The runtime's call has no caller on the stack,
 * unless a tool wraps the class.
 *
 * @param called - the function that the caller has called
 */
function isOwnCall(called: object): boolean {
  return hasCaller(called) && (!classCode || classCode.getStore() === true);
}

/**
 * Called when an object is constructed. A tool that wraps the class, as Vitest and Sentry do, constructs the object in
 * place of the runtime. The context needs the compatibility flag `nodejs_compat`.
 */
function expectTools(_instance: object, Class: object): void {
  if (!classCode && hasCaller(Class)) classCode = makeContext();
}

/** The prototypes whose methods are surrounded. */
const surrounded = /* @__PURE__ */ new WeakSet();

/**
 * Surrounds the listed methods in native calls, and the alarm of the class. A method that the class itself calls is a part
 * of the code that calls it.
 *
 * @param prototype - see `checkOnNativeCalls`
 */
function surroundNativeCalls(prototype: object, contract: CompiledContract): void {
  const { around, methods, internal } = contract;
  if (!around || surrounded.has(prototype)) return;
  surrounded.add(prototype);
  const members = prototype as Record<string, Method | undefined>;
  const surround = (kind: CallContext['kind'], name: string): void => {
    const method = members[name];
    // The runtime looks for the method `alarm`, so a class without this method must not get it.
    if (!method) return;
    const value = function (this: object, ...args: unknown[]): unknown {
      const run = (): unknown => Reflect.apply(method, this, args);
      // A relay that shares the alarm with the class calls it in place of the runtime.
      if (kind !== 'alarm' && isOwnCall(value)) return run();
      const context: CallContext = { kind, method: name, caller: undefined, instance: this };
      return surroundBy(around, context, () => inClassCode(run));
    };
    originals.set(value, uncheckedMethod(method));
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  };
  for (const name of [...methods.keys(), ...internal.keys()]) surround('native', name);
  surround('alarm', 'alarm');
}

/** The hooks of a feature that surrounds native calls, and whose `around` runs the code of the class by `inClassCode`. */
export const nativeCalls = { onDefine: surroundNativeCalls, onConstruct: expectTools } as const;
