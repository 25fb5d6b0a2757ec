/** The one error class of the runtime. Imports nothing. */

/**
 * Every code that an `RpcError` can carry, with what it means for the caller.
 *
 * - `METHOD_NOT_FOUND`: the contract lists no such method.
 * - `INVALID_ARGUMENTS`: an argument failed its schema; `path` says which part. The method did not run.
 * - `UNSERIALIZABLE`: a value cannot cross the wire; `path` says which part.
 * - `TIMEOUT`: no answer within the call's timeout; `maybeExecuted` says whether it had been sent. The
 *   message has the address and the last failure to connect, which is the `cause`.
 * - `ABORTED`: the call's `AbortSignal` was aborted; `cause` is its reason.
 * - `DISCONNECTED`: the connection was lost; `maybeExecuted` says whether the call had been sent.
 * - `CLOSED`: the client was disposed.
 * - `LIMIT_EXCEEDED`: something is larger, deeper or more than the limits allow.
 * - `CURSOR_EXPIRED`: a feed does not hold what came after a cursor any more, or never did.
 * - `BAD_MESSAGE`: what arrived is not a frame of this protocol.
 * - `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND`: the server refused with 401, 403 or 404.
 * - `UNAVAILABLE`: the server answered 429 or 5xx.
 * - `BAD_RESPONSE`: the server answered something else that is not ours.
 */
export type RpcErrorCode =
  | 'METHOD_NOT_FOUND'
  | 'INVALID_ARGUMENTS'
  | 'UNSERIALIZABLE'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'DISCONNECTED'
  | 'CLOSED'
  | 'LIMIT_EXCEEDED'
  | 'CURSOR_EXPIRED'
  | 'BAD_MESSAGE'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'UNAVAILABLE'
  | 'BAD_RESPONSE';

/** What an `RpcError` may say beyond its code and message. */
export interface RpcErrorDetails {
  /** Where in the arguments or the result, such as `[0].items[2].sku`. */
  path?: string | undefined;
  /** Whether the method may have run although there is no answer. */
  maybeExecuted?: boolean | undefined;
  /** The HTTP status, where there was one. */
  status?: number | undefined;
  cause?: unknown;
}

/**
 * What the runtime itself reports; errors that a method throws arrive as themselves.
 *
 * @example
 * try { await counter.increment(-1) }
 * catch (error) {
 *   if (error instanceof RpcError && error.code === 'INVALID_ARGUMENTS') show(error.path);
 * }
 */
export class RpcError extends Error {
  declare readonly code: RpcErrorCode;
  declare readonly path?: string;
  declare readonly maybeExecuted?: boolean;
  declare readonly status?: number;

  constructor(code: RpcErrorCode, message: string, { cause, ...details }: RpcErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { code }, details);
  }

  override get name(): string {
    return 'RpcError';
  }
}
