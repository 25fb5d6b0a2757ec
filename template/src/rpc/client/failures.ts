/** How calls and connections fail, as errors. Imports call and wire/. */
import { RpcError, type RpcErrorCode } from '../wire/errors.ts';
import type { Call } from './call.ts';

const CODES: Record<number, RpcErrorCode> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'UNAVAILABLE',
};

/**
 * @param status - of HTTP
 * @param text - what the server said
 */
export function refusalOf(status: number, text: string): RpcError {
  const code = CODES[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'BAD_RESPONSE');
  const message = `The server answered ${status}${text && `: ${text.slice(0, 200)}`}`;
  return new RpcError(code, message, { status });
}

/** A connection that could not be made or has been lost, or a request that nobody answered. */
export function lostBy(reason: unknown, cause?: unknown): RpcError {
  return new RpcError('DISCONNECTED', String(reason), { cause });
}

/** Whether trying again would change nothing. */
export function isFinal({ status = 0 }: RpcError): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** An error of its own for each call, since each gets the frames of its own caller. */
export function copyOf(error: RpcError, maybeExecuted?: boolean): RpcError {
  return new RpcError(error.code, error.message, { ...error, cause: error.cause, maybeExecuted });
}

/**
 * The error of a call that is no longer waited for.
 *
 * @param cause - of an aborted call, the reason of its signal
 * @param trouble - of one that timed out, what is known of the connection
 */
export function unfinished(
  { method, sentAt, timeout }: Call,
  cause: unknown,
  trouble?: string,
): RpcError {
  const name = (method as { name?: string }).name ?? method;
  return new RpcError(
    trouble ? 'TIMEOUT' : 'ABORTED',
    name + (trouble ? ` timed out after ${timeout} ms: ${trouble}` : ' was aborted'),
    { cause, maybeExecuted: !!sentAt },
  );
}
