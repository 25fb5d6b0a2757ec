/** Returns the error of a call that must not succeed. */
import { RpcError } from '../../src/client.ts';

/** @returns the error with which a call rejects */
export async function failureOf(call: PromiseLike<unknown>): Promise<RpcError> {
  const result = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in result)) throw new Error(`It was answered: ${JSON.stringify(result.value)}`);
  if (!(result.error instanceof RpcError)) throw result.error;
  return result.error;
}
