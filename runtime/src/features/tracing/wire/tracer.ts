/**
 * The interface of tracers, which make spans of calls at both ends. A tracer is a function of the application, or of
 * the platform.
 */
import { shownClient } from '../../../wire/shown-client.ts';
import type { TraceContext } from './trace-context.ts';

/** The values of a span's attributes. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A call for which a span can be made. */
export interface TracedCall {
  /** The name of the span: the class or, at a client, the binding, a point and the method, such as `Room.post`. */
  readonly name: string;
  /**
   * - `client`: this end waits for the answer of the other end
   * - `server`: this end answers
   * - `internal`: an alarm
   */
  readonly kind: 'client' | 'server' | 'internal';
  /** The attributes by the semantic conventions of OpenTelemetry for RPC, and attributes of this package. */
  readonly attributes: SpanAttributes;
  /** The span of the other end in which the call was made. Default: the active span of this end. */
  readonly parent?: TraceContext | undefined;
}

/** The span of a call. */
export interface CallSpan {
  /**
   * The trace that is sent with the call, so that spans of the other end become children of this span. Default: nothing
   * is sent.
   */
  readonly context?: TraceContext | undefined;
  /** Called once, when the call has ended. */
  end(ended: EndedSpan): void;
}

/** The end of a call. */
export interface EndedSpan {
  /** `ok`; or the `code` of an `RpcError`; or the name of any other error. */
  readonly outcome: string;
  /** The value that was thrown; left out if the outcome is `ok`. */
  readonly error?: unknown;
}

/**
 * Starts a span, and runs a function in it.
 *
 * @param run - the function, which the tracer must call once, before it returns. The tracer passes it the span, or
 *   `undefined` if there is no span. The code that the function calls is in the span.
 * @returns the value that `run` has returned
 */
export type Tracer = <Result>(
  call: TracedCall,
  run: (span: CallSpan | undefined) => Result,
) => Result;

/**
 * Runs a function in the span of a tracer. Whatever the tracer does, the function's result is returned, or its error is
 * thrown. An error of the tracer is printed to the console.
 */
export function inSpan<Result>(
  tracer: Tracer,
  call: TracedCall,
  run: (span: CallSpan | undefined) => Result,
): Result {
  const once = new RunOnce(run);
  try {
    tracer(call, (span) => once.start(span));
  } catch (error) {
    console.error(error);
  }
  once.start(undefined);
  if (once.failure) throw once.failure.error;
  return once.result as Result;
}

/** A function that runs once, and its result or error. */
class RunOnce<Result> {
  result: Result | undefined;
  failure: { readonly error: unknown } | undefined;
  #run: ((span: CallSpan | undefined) => Result) | undefined;

  constructor(run: (span: CallSpan | undefined) => Result) {
    this.#run = run;
  }

  start(span: CallSpan | undefined): void {
    const run = this.#run;
    this.#run = undefined;
    try {
      this.result = run ? run(span) : this.result;
    } catch (error) {
      this.failure = { error };
    }
  }
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

/** A call, which is described when a tracer asks for it: most tracers ask only for calls that are sampled. */
export class DescribedCall implements TracedCall {
  readonly name: string;
  readonly kind: TracedCall['kind'];
  readonly parent: TraceContext | undefined;
  readonly #about: readonly [kind: string, object: string, id?: number, client?: string];

  /**
   * @param target - the class, or the binding
   * @param about - the kind of the call, the name of the object, the number of the call, and the id of the client
   */
  constructor(
    kind: TracedCall['kind'],
    target: string,
    method: string,
    about: readonly [kind: string, object: string, id?: number, client?: string],
    parent?: TraceContext,
  ) {
    this.name = `${target}.${method || OTHER}`;
    this.kind = kind;
    this.parent = parent;
    this.#about = about;
  }

  /** The attributes by the semantic conventions of OpenTelemetry, and attributes of this package. */
  get attributes(): SpanAttributes {
    const [kind, object, id, client] = this.#about;
    const attributes: Record<string, string | number> = {
      'rpc.system.name': 'lumenize-rpc',
      'rpc.method': this.name,
      'lumenize_rpc.object': object,
      'lumenize_rpc.kind': kind,
    };
    if (id !== undefined) attributes['lumenize_rpc.id'] = id;
    if (client !== undefined) attributes['lumenize_rpc.client'] = shownClient(client);
    return attributes;
  }
}

/** The part of a platform's or an SDK's span that tells how a call has ended. */
interface EndableSpan<ErrorCode> {
  setAttributes(attributes: Record<string, string | number | boolean>): unknown;
  recordException(exception: Error | string): void;
  setStatus(status: { code: ErrorCode; message: string }): unknown;
}

/**
 * Writes into a span how its call has ended.
 *
 * @param errorCode - the code of the status of a call that has failed
 */
export function recordEnd<ErrorCode>(
  span: EndableSpan<ErrorCode>,
  ended: EndedSpan,
  errorCode: ErrorCode,
): void {
  span.setAttributes(attributesOf(ended));
  if (!('error' in ended)) return;
  const { error } = ended;
  const message = messageOf(error);
  span.recordException(error instanceof Error ? error : message);
  span.setStatus({ code: errorCode, message });
}

/** Returns the attributes that say how a call has ended. */
function attributesOf({ outcome, ...failure }: EndedSpan): SpanAttributes {
  if (!('error' in failure)) return { 'rpc.response.status_code': 'OK' };
  return { 'rpc.response.status_code': outcome, 'error.type': outcome };
}

/** Returns the message of a thrown value, for the status of a span. */
function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    // A proxy that was thrown can throw from any of its traps.
    return '';
  }
}
