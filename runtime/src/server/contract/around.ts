/** What surrounds calls: the options `onCall` and `onError`, and the hook `around` of features, as one function. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { RpcError } from '../../wire/errors.ts';
import { encodeFailure, type Frame } from '../../wire/messages.ts';
import { isThenable } from '../../wire/values/tags.ts';
import type { CallReport, ContractOptions } from './options.ts';
import type { Around } from './types.ts';

/**
 * @param around - outermost first
 * @returns one function that surrounds by all; `undefined` for none
 */
export function composeAround(around: readonly Around[]): Around | undefined {
  if (around.length < 2) return around[0];
  return around.reduceRight((inner, outer) => (call, run) => outer(call, () => inner(call, run)));
}

/** Reports calls, and subscriptions that have begun, to `onCall`. */
export function reportTo(
  onCall: NonNullable<ContractOptions['onCall']>,
  exposeErrorDetails: boolean,
): Around {
  return (call, run) => {
    const { kind, id = 0, method, arrivedAt = 0, bytesIn } = call;
    if (kind === 'run') return run();
    const report = (outcome: string, encode: () => EncodedMessage): void => {
      const duration = performance.now() - arrivedAt;
      const sizes = bytesIn === undefined ? {} : { bytesIn, bytesOut: byteLengthOf(encode()) };
      try {
        const told: unknown = onCall({ method, duration, outcome, ...sizes } satisfies CallReport);
        if (isThenable(told)) void told.then(undefined, console.error);
      } catch (error) {
        console.error(error);
      }
    };
    return settle(
      run,
      (answer) => {
        report('ok', () => answer as EncodedMessage);
        return answer;
      },
      (thrown) => {
        report(outcomeOf(thrown), () => encodeFailure(id, thrown, exposeErrorDetails));
        throw thrown;
      },
    );
  };
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
function settle(
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

/** @returns the size in bytes */
export function byteLengthOf(sent: Frame | EncodedMessage): number {
  if (sent instanceof ArrayBuffer) return sent.byteLength;
  const text = `${sent}`;
  return sent.length - text.length + new TextEncoder().encode(text).length;
}

/** The outcome of a call that threw a value. */
function outcomeOf(thrown: unknown): string {
  if (thrown instanceof RpcError) return thrown.code;
  return thrown instanceof Error ? thrown.name : 'Error';
}
