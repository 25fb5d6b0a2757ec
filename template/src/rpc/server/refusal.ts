/** Keeps what is refused cheap, for the object and for its other clients. Imports wire/. */
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

/**
 * Lets an object receive what its other clients have sent. While the next frame of one socket is
 * there before the last is done, the Workers runtime reads no other socket; it does when it waits
 * for a timer. `waitUntil` keeps the event under way until then: after its end no timer goes off, and
 * the object would be blocked until the runtime resets it.
 */
export function turnToOthers(ctx: DurableObjectState): void {
  ctx.waitUntil(ctx.blockConcurrencyWhile(() => scheduler.wait(0)));
}
