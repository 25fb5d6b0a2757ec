/** The one error class of the runtime. */

/**
 * The codes of an `RpcError`: when each occurs, whether to try again, and whether the method may have run.
 * `maybeExecuted` means the property with that name. "If not run" means: if `maybeExecuted` is false, or the method is
 * a `read`.
 */
export type RpcErrorCode =
  /**
   * The contract does not list the method, or lists it as a call and the client has subscribed to it. Retry: no:
   * correct the contract, or deploy it. Executed: no, unless `maybeExecuted`.
   */
  | 'METHOD_NOT_FOUND'
  /**
   * An argument does not match its schema; `path` leads to the part that does not match. Retry: no: correct the
   * argument. Executed: no.
   */
  | 'INVALID_ARGUMENTS'
  /** A value cannot be sent; `path` leads to the value. Retry: no: send another type. Executed: only for a result. */
  | 'UNSERIALIZABLE'
  /**
   * No answer arrived within `timeout`; `cause` is the last failure to connect. The message contains the address.
   * Retry: yes, if not run. Executed: `maybeExecuted`.
   */
  | 'TIMEOUT'
  /**
   * The signal of the call was aborted; `cause` is the signal's reason. Retry: yes, if not run. Executed:
   * `maybeExecuted`.
   */
  | 'ABORTED'
  /**
   * The connection was lost, and the call could not be sent again, or its answer is not stored. Or a client that was
   * never connected has tried to connect for some seconds. Retry: yes, if not run. Executed: `maybeExecuted`.
   */
  | 'DISCONNECTED'
  /**
   * The client was closed, or a callback ended with its call.
   * Retry: with a new client, if not run.
   * Executed: `maybeExecuted`.
   */
  | 'CLOSED'
  /**
   * A call exceeds a limit, which the message names. Retry: with less data, or later if the limit is a number of calls.
   * Executed: no, unless `maybeExecuted`, or a result or an item was too large.
   */
  | 'LIMIT_EXCEEDED'
  /**
   * A feed no longer has the events after the cursor.
   * Retry: without a cursor, after loading the state.
   * Executed: no.
   */
  | 'CURSOR_EXPIRED'
  /**
   * The other end has another version, or a proxy changed a message.
   * Retry: no.
   * Executed: `maybeExecuted`.
   */
  | 'BAD_MESSAGE'
  /**
   * The object lacks a feature that the call or the subscription needs; the message says what to write. Retry: no:
   * correct the contract, or deploy it. Executed: no.
   */
  | 'UNSUPPORTED'
  /**
   * The server answered 401.
   * Retry: after a login, with `client.reconnect()`.
   * Executed: `maybeExecuted`.
   */
  | 'UNAUTHORIZED'
  /**
   * A hook, `cors` or `closeClients` rejected the client, a capability was revoked, or the client id belongs to another
   * user. Retry: no. Executed: `maybeExecuted`.
   */
  | 'FORBIDDEN'
  /**
   * The server answered 404: the path names no binding, or the prefix differs.
   * Retry: no: correct the binding or the prefix.
   * Executed: `maybeExecuted`.
   */
  | 'NOT_FOUND'
  /**
   * The server answered 408, 426, 429 or 5xx, WebSockets are blocked, or the object could not use its storage.
   * Retry: later, if not run.
   * Executed: `maybeExecuted`.
   */
  | 'UNAVAILABLE'
  /**
   * The server answered with another status, or with text that is not of this protocol.
   * Retry: no: correct `baseUrl`.
   * Executed: `maybeExecuted`.
   */
  | 'BAD_RESPONSE';

/** The properties that an `RpcError` can have besides its code and message. */
export interface RpcErrorDetails {
  /** The path to the value in the arguments or the result, such as `[0].items[2].sku`. */
  path?: string | undefined;
  /** True if the method may have run although there is no answer. */
  maybeExecuted?: boolean | undefined;
  /** The HTTP status, if there was one. */
  status?: number | undefined;
  /** The error that caused this error. */
  cause?: unknown;
}

/**
 * An error that the runtime itself reports. An error that a method throws is not an `RpcError`: it arrives with its own
 * class and message.
 *
 * @example
 * try { await counter.increment(-1) }
 * catch (error) {
 *   if (error instanceof RpcError && error.code === 'INVALID_ARGUMENTS') show(error.path);
 * }
 */
export interface RpcError extends Error {
  /** What happened. The package's page `docs/errors.md` has a section for each code, with what to do. */
  readonly code: RpcErrorCode;
  readonly path?: string;
  readonly maybeExecuted?: boolean;
  readonly status?: number;
}

/**
 * Matches the codes of an object that lacks a method or a feature. During a deployment, the next version of the object
 * may have it.
 */
export const MISSING = /^(METHOD_NOT_FOUND|UNSUPPORTED)$/;

export interface RpcErrorClass {
  new (code: RpcErrorCode, message: string, details?: RpcErrorDetails): RpcError;
  readonly prototype: RpcError;
}

const CLASS = Symbol.for('lumenize-rpc.error');

/** All copies of the package in a program share one class, so that `instanceof` works for the errors of each copy. */
export const RpcError: RpcErrorClass = ((globalThis as { [CLASS]?: RpcErrorClass })[CLASS] ??=
  class Reported extends Error {
    declare readonly code: RpcErrorCode;

    constructor(code: RpcErrorCode, message: string, { cause, ...details }: RpcErrorDetails = {}) {
      super(message, cause === undefined ? undefined : { cause });
      Object.assign(this, { code }, details);
    }

    override get name(): string {
      return 'RpcError';
    }
  });
