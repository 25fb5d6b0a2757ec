/** Keeps what is refused cheap. Imports wire/. */
import { RpcError, type RpcErrorCode, type RpcErrorDetails } from '../wire/errors.ts';

/** V8's property, which the types of Workers do not have. */
const engine = Error as ErrorConstructor & { stackTraceLimit: number };

/**
 * An error without a stack, for what a client can ask for again and again. A stack takes a third of
 * the time of a refused call, and what the runtime reports is sent without one.
 */
export function refusal(code: RpcErrorCode, message: string, details?: RpcErrorDetails): RpcError {
  const { stackTraceLimit } = engine;
  engine.stackTraceLimit = 0;
  const error = new RpcError(code, message, details);
  engine.stackTraceLimit = stackTraceLimit;
  return error;
}
