/** What `onError` makes of an error. Imports contract. */
import type { CompiledContract } from './contract.ts';

/**
 * @param method - whose error it is; of a constructor, the class of the capability
 * @throws what is sent instead, or the error itself
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
    // What the method threw may be what `onError` would have kept from the client.
    console.error(failure);
    instead = new Error(`${method} failed`);
  }
  throw instead === undefined ? error : instead;
}
