/** Applies `onError` to an error. */
import type { CompiledContract } from '../contract/compiled.ts';

/**
 * @param method - name of the method that failed; for a constructor, the class of the capability
 * @throws the replacement that `onError` returns, or the error itself
 */
export function rewrite(
  error: unknown,
  method: string,
  onError: NonNullable<CompiledContract['onError']>,
): never {
  let instead: unknown;
  try {
    instead = onError(error, { method });
  } catch (failure) {
    // The original error is not sent, because `onError` might have hidden it from the client.
    console.error(failure);
    instead = new Error(`${method} failed`);
  }
  throw instead === undefined ? error : instead;
}
