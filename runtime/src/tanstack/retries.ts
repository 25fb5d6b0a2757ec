/** Decides after which errors a query tries again. */
import { hasWindow } from '../client/client-store.ts';
import { RpcError } from '../wire/errors.ts';
import type { QueryError } from './types.ts';

const MAX_RETRIES = 3;

/**
 * The codes of temporary errors. `TIMEOUT` is not among them, because the client has tried during the whole timeout.
 */
const PASSING = /^(DISCONNECTED|UNAVAILABLE)$/;

/** Returns whether to try again. A server that renders a page does not try again, as in TanStack Query itself. */
export function retry(failureCount: number, error: QueryError): boolean {
  const isPassing = error instanceof RpcError && PASSING.test(error.code);
  return isPassing && failureCount < MAX_RETRIES && hasWindow();
}
