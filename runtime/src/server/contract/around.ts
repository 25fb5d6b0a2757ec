/** What surrounds calls: the options `onCall` and `onError`, and the hook `around` of features, as one function. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { RpcError } from '../../wire/errors.ts';
import { encodeFailure, type Frame } from '../../wire/messages.ts';
import { isThenable } from '../../wire/values/tags.ts';
import type { CallReport, ContractOptions } from './options.ts';
import type { Around, CallContext } from './types.ts';

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
  const report = (call: CallContext, outcome: string, bytesOut: () => number): void => {
    const { method, arrivedAt = 0, bytesIn } = call;
    const duration = performance.now() - arrivedAt;
    const sizes = bytesIn === undefined ? {} : { bytesIn, bytesOut: bytesOut() };
    try {
      const result: unknown = onCall({ method, duration, outcome, ...sizes } satisfies CallReport);
      if (isThenable(result)) void result.then(undefined, complain);
    } catch (error) {
      complain(error);
    }
  };
  return (call, run) => {
    if (call.kind === 'run') return run();
    const ended = (answer: unknown): unknown => {
      report(call, 'ok', () => byteLengthOf(answer as EncodedMessage));
      return answer;
    };
    const failed = (thrown: unknown): never => {
      report(call, outcomeOf(thrown), () =>
        byteLengthOf(encodeFailure(call.id ?? 0, thrown, exposeErrorDetails)),
      );
      throw thrown;
    };
    let answer: unknown;
    try {
      answer = run();
    } catch (thrown) {
      return failed(thrown);
    }
    return isThenable(answer) ? answer.then(ended, failed) : ended(answer);
  };
}

/** Replaces the errors that the code of the class throws, by `onError`. */
export function replaceErrorsBy(onError: NonNullable<ContractOptions['onError']>): Around {
  return ({ kind, method }, run) => {
    if (kind !== 'run') return run();
    const replaced = (error: unknown): never => {
      let instead: unknown;
      try {
        instead = onError(error, { method });
      } catch (failure) {
        // The original error is not sent, because `onError` might have hidden it from the client.
        console.error(failure);
        instead = new Error(`${method} failed`);
      }
      throw instead === undefined ? error : instead;
    };
    let result: unknown;
    try {
      result = run();
    } catch (error) {
      return replaced(error);
    }
    return isThenable(result) ? Promise.resolve(result).catch(replaced) : result;
  };
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

function complain(error: unknown): void {
  console.error(error);
}
