/** What makes spans of calls, at both ends: a function of the application, or of the platform. */
import type { TraceContext } from './trace-context.ts';

/** The values of a span's attributes. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A call that a span can be made of. */
export interface TracedCall {
  /** The name of the span: the class or, at a client, the binding, a point and the method, such as `Room.post`. */
  readonly name: string;
  /**
   * - `client`: this end waits for the answer of the other end
   * - `server`: this end answers
   * - `internal`: an alarm
   */
  readonly kind: 'client' | 'server' | 'internal';
  /** By the semantic conventions of OpenTelemetry for RPC, and some of the package's own. */
  readonly attributes: SpanAttributes;
  /** The span of the other end in which the call was made. Default: what is active at this end. */
  readonly parent?: TraceContext | undefined;
}

/** The span of a call. */
export interface CallSpan {
  /** What is sent with the call, so that spans of the other end become its children. Default: nothing is sent. */
  readonly context?: TraceContext | undefined;
  /** Called once, when the call has ended. */
  end(ended: EndedSpan): void;
}

/** How a call has ended. */
export interface EndedSpan {
  /** `ok`; or the `code` of an `RpcError`; or the name of any other error. */
  readonly outcome: string;
  /** What was thrown; left out if the outcome is `ok`. */
  readonly error?: unknown;
}

/**
 * Starts a span, and runs a function in it.
 *
 * @param run - has to be called once, before the tracer returns. What it calls is in the span. `undefined` is no span.
 * @returns what `run` has returned
 */
export type Tracer = <Result>(
  call: TracedCall,
  run: (span: CallSpan | undefined) => Result,
) => Result;

/**
 * Runs a function in the span of a tracer, and returns what it returns, or throws what it throws, whatever the tracer
 * does. An error of the tracer is printed to the console.
 */
export function inSpan<Result>(
  tracer: Tracer,
  call: TracedCall,
  run: (span: CallSpan | undefined) => Result,
): Result {
  let ran: (() => Result) | undefined;
  const runOnce = (span: CallSpan | undefined): void => {
    if (ran) return;
    try {
      const result = run(span);
      ran = () => result;
    } catch (error) {
      ran = () => {
        throw error;
      };
    }
  };
  try {
    tracer(call, runOnce);
  } catch (error) {
    console.error(error);
  }
  if (!ran) runOnce(undefined);
  return (ran as unknown as () => Result)();
}

/** Ends a span. An error of the tracer is printed to the console. */
export function endSpan(span: CallSpan | undefined, ended: EndedSpan): void {
  try {
    span?.end(ended);
  } catch (error) {
    console.error(error);
  }
}

/** The name of a span in place of a method that no contract lists. */
const OTHER = '_OTHER';

/**
 * Describes a call by the semantic conventions.
 *
 * @param target - the class, or the binding
 * @param own - further attributes, to which those of the conventions are added
 */
export function tracedCall(
  kind: TracedCall['kind'],
  target: string,
  method: string,
  own: Record<string, string | number>,
  parent?: TraceContext,
): TracedCall {
  const name = `${target}.${method || OTHER}`;
  // Not by a spread, which takes longer than all the rest.
  own['rpc.system.name'] = 'lumenize-rpc';
  own['rpc.method'] = name;
  return { name, kind, attributes: own, parent };
}

/** The attributes that say how a call has ended. */
export function attributesOf({ outcome, ...failure }: EndedSpan): SpanAttributes {
  if (!('error' in failure)) return { 'rpc.response.status_code': 'OK' };
  return { 'rpc.response.status_code': outcome, 'error.type': outcome };
}

/** The message of what was thrown, for the status of a span. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    // A proxy that was thrown can throw from any of its traps.
    return '';
  }
}
