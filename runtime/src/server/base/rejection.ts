/** Creates errors without a stack, so that rejecting a request is cheap. */
import { RpcError, type RpcErrorCode, type RpcErrorDetails } from '../../wire/errors.ts';

/** V8's property, which the types of Workers lack. */
const engine = Error as ErrorConstructor & { stackTraceLimit: number };

/**
 * Creates an error without a stack, for requests that a client can repeat at will. Collecting a stack takes a third of
 * the time of a rejected call, and the library's errors are sent without a stack.
 */
export function rejection(
  code: RpcErrorCode,
  message: string,
  details?: RpcErrorDetails,
): RpcError {
  const { stackTraceLimit } = engine;
  engine.stackTraceLimit = 0;
  const error = new RpcError(code, message, details);
  engine.stackTraceLimit = stackTraceLimit;
  return error;
}

/** @throws RpcError `BAD_MESSAGE` for a message that our client never sends */
export function badMessage(problem: string): never {
  throw rejection('BAD_MESSAGE', problem);
}

/** Returns a copy of an error that says whether the call may have run. */
export function withMaybeExecuted(error: RpcError, maybeExecuted: boolean): RpcError {
  return rejection(error.code, error.message, { ...error, maybeExecuted });
}
