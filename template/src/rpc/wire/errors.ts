/**
 * The one error class of the runtime, and the form in which a thrown error crosses the wire.
 * Imports nothing.
 */

/**
 * Every code an `RpcError` can carry.
 *
 * - `METHOD_NOT_FOUND`: the contract does not list this method.
 * - `INVALID_ARGUMENTS`: an argument failed its schema; `path` says which part. The method did not run.
 * - `UNSERIALIZABLE`: a value cannot cross the wire; `path` says which part. Nothing was sent.
 * - `TIMEOUT`: no answer within the call's timeout. The method may have run.
 * - `DISCONNECTED`: the connection was lost; `maybeExecuted` says whether the call had been sent.
 * - `CLOSED`: the client was disposed.
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
  | 'DISCONNECTED'
  | 'CLOSED'
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
  /** With `DISCONNECTED`: whether the method may have run. */
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
  readonly code: RpcErrorCode;
  declare readonly path?: string;
  declare readonly maybeExecuted?: boolean;
  declare readonly status?: number;

  constructor(code: RpcErrorCode, message: string, { cause, ...details }: RpcErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    for (const [key, value] of Object.entries(details)) {
      if (value !== undefined) Object.defineProperty(this, key, { value, enumerable: true });
    }
  }

  static {
    Object.defineProperty(this.prototype, 'name', { value: 'RpcError', configurable: true });
  }
}

/** A thrown error as it crosses the wire. */
export interface WireError {
  name: string;
  message: string;
  stack?: string | undefined;
  code?: RpcErrorCode | undefined;
  path?: string | undefined;
}

/** The classes that an error's name may select; any other name arrives as a plain `Error`. */
const BUILT_IN_ERRORS = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((Class) => [
    Class.name,
    Class,
  ]),
);

/** The wire form of whatever a method threw. */
export function errorToWire(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) };
  const { name, message, stack } = thrown;
  if (!(thrown instanceof RpcError)) return { name, message, stack };
  return { name, message, stack, code: thrown.code, path: thrown.path };
}

/** The error that a wire form stands for. */
export function errorFromWire({ name, message, stack, code, path }: WireError): Error {
  const error = code
    ? new RpcError(code, message, { path })
    : new (BUILT_IN_ERRORS.get(name) ?? Error)(message);
  if (error.name !== name) {
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
  }
  if (stack) error.stack = stack;
  return error;
}
