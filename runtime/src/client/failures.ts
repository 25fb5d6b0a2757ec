/** The errors of calls and connections. */
import { RpcError, type RpcErrorCode } from '../wire/errors.ts';
import type { Call } from './call.ts';

const CODES: Record<number, RpcErrorCode> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'UNAVAILABLE',
  // A 426 answers the request that asks for the reason, and says nothing about the upgrade itself.
  426: 'UNAVAILABLE',
  429: 'UNAVAILABLE',
};

/**
 * Returns the error of a client that the server has rejected.
 *
 * @param status - the HTTP status
 * @param text - the text of the response, or the reason of a close
 * @param url - the URL that answered
 */
export function rejectionOf(status: number, text: string, url: string): RpcError {
  const code = CODES[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'BAD_RESPONSE');
  const message = `The server answered ${status}${text && `: ${text.slice(0, 200)}`} (${url})`;
  return new RpcError(code, message, { status });
}

/**
 * Returns the message of an error without the address that `rejectionOf` has added, for readers who must not see it.
 */
export function messageWithoutAddress({ message, status }: RpcError): string {
  return status === undefined ? message : message.replace(/ \(https?:[^ ]*\)$/, '');
}

/** Returns the error of a connection that was lost or could not be opened, or of a request without a response. */
export function connectionError(reason: unknown, cause?: unknown): RpcError {
  return new RpcError('DISCONNECTED', String(reason), { cause });
}

/** Returns whether another attempt would fail in the same way. */
export function isPermanent({ status, code }: RpcError): boolean {
  // An error without a status is not permanent. A proxy sends 408 for a connection that was idle or slow.
  return (status as number) >= 400 && code !== 'UNAVAILABLE';
}

/**
 * Returns a separate error for each call, since the frames of its caller are added to its stack.
 *
 * @param maybeExecuted - whether the call may have run, unless the error itself says that no call has run
 */
export function copyOfError(error: RpcError, maybeExecuted?: boolean): RpcError {
  return new RpcError(error.code, error.message, { maybeExecuted, ...error, cause: error.cause });
}

/**
 * Returns the error of a call that was aborted or has timed out.
 *
 * @param cause - the reason of the signal, or the last failure to connect
 * @param reason - only for a call that has timed out: the state of the connection
 */
export function unfinishedError(
  { method, sentAt, timeout }: Call,
  cause: unknown,
  reason?: string,
): RpcError {
  const name = (method as { name?: string }).name ?? method;
  return new RpcError(
    reason ? 'TIMEOUT' : 'ABORTED',
    name + (reason ? ` timed out after ${timeout} ms: ${reason}` : ' was aborted'),
    { cause, maybeExecuted: !!sentAt },
  );
}
