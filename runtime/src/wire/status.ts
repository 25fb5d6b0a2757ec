/** The HTTP status of each error code, for every response that stands for an error. */
import type { RpcErrorCode } from './errors.ts';

// The statuses with which an object and the router respond. They are constants, so that the bundle of a Worker does not
// contain the table.
export const FORBIDDEN_STATUS = 403;
export const NOT_FOUND_STATUS = 404;
export const LIMIT_EXCEEDED_STATUS = 429;
/** This status is used when a Worker runs locally: an object does not answer, and the response says why. */
export const FAILED_STATUS = 501;
export const UNAVAILABLE_STATUS = 503;

/**
 * The HTTP status of a response that reports an error. The answers of calls do not need it: they contain the code, and
 * their response has the status 200. A client reads a status in `client/failures.ts`, which has fewer cases: most codes
 * never arrive as a status.
 */
export const HTTP_STATUS: Readonly<Record<RpcErrorCode, number>> = {
  BAD_MESSAGE: 400,
  INVALID_ARGUMENTS: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: FORBIDDEN_STATUS,
  NOT_FOUND: NOT_FOUND_STATUS,
  METHOD_NOT_FOUND: 404,
  CURSOR_EXPIRED: 410,
  LIMIT_EXCEEDED: LIMIT_EXCEEDED_STATUS,
  // This is the status that nginx logs for a client that has left.
  ABORTED: 499,
  UNSERIALIZABLE: 500,
  UNSUPPORTED: 501,
  BAD_RESPONSE: 502,
  CLOSED: 503,
  DISCONNECTED: 503,
  UNAVAILABLE: UNAVAILABLE_STATUS,
  // 408 would be wrong: after a 408, a browser sends the request again by itself.
  TIMEOUT: 504,
};
