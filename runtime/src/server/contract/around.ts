/** What surrounds calls: the hook `around` of features, and the option `onError`, as one function. */
import { isThenable } from '../../wire/values/tags.ts';
import type { ContractOptions } from './options.ts';
import type { Around } from './types.ts';

/**
 * @param around - outermost first
 * @returns one function that surrounds by all; `undefined` for none
 */
export function composeAround(around: readonly Around[]): Around | undefined {
  if (around.length < 2) return around[0];
  return around.reduceRight((inner, outer) => (call, run) => outer(call, () => inner(call, run)));
}

/** Replaces the errors that the code of the class throws, by `onError`. */
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

/** Runs a function, and handles how it ends: at once, or when the promise that it returns settles. */
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
