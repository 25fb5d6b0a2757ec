/** Which errors of a query are worth another attempt. */
import { hasWindow } from '../client/client-store.ts';
import { RpcError } from '../wire/errors.ts';
import type { QueryError } from './types.ts';

const MAX_RETRIES = 3;

/** The codes of errors that can be over a while later. A call that has timed out has been tried all the time. */
const PASSING = /^(DISCONNECTED|UNAVAILABLE)$/;

/** Returns whether to try again. A server that renders a page does not wait for it, as in TanStack Query itself. */
export function retry(failureCount: number, error: QueryError): boolean {
  const isPassing = error instanceof RpcError && PASSING.test(error.code);
  return isPassing && failureCount < MAX_RETRIES && hasWindow();
}
