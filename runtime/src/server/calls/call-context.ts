/** Runs calls, subscriptions and the code of the class inside of the hooks that surround them: `around` of `Feature`. */
import { isThenable } from '../../wire/values/tags.ts';
import { runAsCaller } from '../base/caller.ts';
import type { Connection } from '../contract/connection.ts';
import type { Around, CallContext, CompiledContract, Target } from '../contract/types.ts';

/** The data that all calls of a frame have in common. */
export type FrameArrival = Required<Pick<CallContext, 'arrivedAt' | 'bytesIn'>> &
  Pick<CallContext, 'isReplayed' | 'metadata'>;

/**
 * Runs a call, or the start of a subscription, of a client.
 *
 * @param callee - the callee as received, so it can be any value
 * @param arrival - left out for a subscription
 * @returns the result of `run`; a promise of it if a hook that surrounds the call has awaited something
 * @throws the error of `run`, or of a hook
 */
export function surround<Result>(
  kind: 'call' | 'subscription',
  id: number,
  callee: unknown,
  target: Target,
  connection: Connection,
  arrival: Partial<FrameArrival>,
  run: () => Result | Promise<Result>,
): Result | Promise<Result> {
  const { instance, contract } = target;
  const { around } = contract;
  if (!around) return run();
  const method = methodName(callee, contract);
  const { caller } = connection;
  // Naming the properties takes less time than a spread.
  const { arrivedAt, bytesIn, metadata, isReplayed } = arrival;
  return surroundBy(
    around,
    { kind, id, method, caller, connection, instance, arrivedAt, bytesIn, metadata, isReplayed },
    run,
  );
}

/** Runs a function inside of the hooks that surround it, and returns the function's result. */
export function surroundBy<Result>(
  around: Around,
  context: CallContext,
  run: () => Result | Promise<Result>,
): Result | Promise<Result> {
  let hasRun = false;
  let result: Result | Promise<Result> | undefined;
  const ended = around(context, () => {
    hasRun = true;
    return (result = run());
  });
  // A feature can surround the answer, and cannot replace it.
  if (isThenable(ended)) {
    return Promise.resolve(ended).then(() => {
      checkRan(hasRun, context);
      return result as Result | Promise<Result>;
    });
  }
  checkRan(hasRun, context);
  return result as Result | Promise<Result>;
}

/** @throws TypeError for a hook that has not called `run` */
function checkRan(hasRun: boolean, { method }: CallContext): void {
  if (!hasRun) throw new TypeError(`A feature's around did not run ${method || 'a call'}`);
}

/**
 * Runs code of the class on behalf of a caller: a method, the snapshot of a feed, or the constructor of a capability.
 *
 * @param method - the name of the method, or of the class of the capability
 * @returns the result, or its replacement
 * @throws the error of the code, or its replacement
 */
export function runClassCode(
  method: string,
  { instance, contract: { around } }: Target,
  caller: unknown,
  run: (...args: unknown[]) => unknown,
  on?: object,
  args?: unknown[],
): unknown {
  if (!around) return runAsCaller(caller, run, on, args);
  return around({ kind: 'run', method, caller, instance }, () =>
    runAsCaller(caller, run, on, args),
  );
}

/** Returns only names that the contract lists, so that a client cannot report any number of names. */
function methodName(callee: unknown, { methods, capabilities }: CompiledContract): string {
  if (typeof callee === 'string') return methods.has(callee) ? callee : '';
  const [name] = Array.isArray(callee) ? (callee as unknown[]) : [];
  const classes = [...capabilities.values()];
  return typeof name === 'string' && classes.some((one) => one.methods.has(name)) ? name : '';
}
