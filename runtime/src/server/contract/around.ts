/** Composes the hooks that surround calls, the hook `around` of features and the option `onError`, into one function. */
import { isThenable } from '../../wire/values/tags.ts';
import type { ContractOptions } from './options.ts';
import type { Around } from './types.ts';

/**
 * @param around - the hooks, outermost first
 * @returns one function that applies all hooks; `undefined` if there are none
 */
export function composeAround(around: readonly Around[]): Around | undefined {
  if (around.length < 2) return around[0];
  return around.reduceRight((inner, outer) => (call, run) => outer(call, () => inner(call, run)));
}

/** Makes a hook that replaces the errors which the code of the class throws by the results of `onError`. */
export function replaceErrorsBy(onError: NonNullable<ContractOptions['onError']>): Around {
  return ({ kind, method }, run) => {
    if (kind !== 'run') return run();
    return settle(run, undefined, (error) => {
      let instead: unknown;
      try {
        instead = onError(error, { method });
      } catch (failure) {
        // The original error is not sent, because `onError` might have hidden it from the client.
        console.error(failure);
        instead = new Error(`${method} failed`);
      }
      throw instead === undefined ? error : instead;
    });
  };
}

/** Runs a function, and handles its result or error: at once, or when the promise that it returns settles. */
export function settle(
  run: () => unknown,
  ended: ((result: unknown) => unknown) | undefined,
  failed: (error: unknown) => never,
): unknown {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    return failed(error);
  }
  if (isThenable(result)) return Promise.resolve(result).then(ended, failed);
  return ended ? ended(result) : result;
}
