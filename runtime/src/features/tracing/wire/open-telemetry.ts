/** Spans of the OpenTelemetry API, which the application passes: the package does not depend on it. */
import type { TraceContext } from './trace-context.ts';
import {
  type CallSpan,
  type EndedSpan,
  recordEnd,
  type TracedCall,
  type Tracer,
} from './tracer.ts';

/** The part of `@opentelemetry/api` that is used. `Context` and `State` are its own types. */
export interface OpenTelemetryApi<Context = never, State = never> {
  readonly context: { active(): Context };
  createTraceState(text?: string): State;
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { kind: number }, parent: Context): OpenTelemetrySpan<State>;
      startActiveSpan(
        name: string,
        options: { kind: number },
        parent: Context,
        run: (span: OpenTelemetrySpan<State>) => unknown,
      ): unknown;
    };
    setSpanContext(parent: Context, span: OpenTelemetrySpanContext<State>): Context;
  };
}

/** Identifies a span. */
export interface OpenTelemetrySpanContext<State> {
  traceId: string;
  spanId: string;
  traceFlags: number;
  isRemote?: boolean | undefined;
  traceState?: State | undefined;
}

/** The part of a span that is used. */
export interface OpenTelemetrySpan<State> {
  spanContext(): OpenTelemetrySpanContext<State>;
  isRecording(): boolean;
  setAttributes(attributes: Record<string, string | number | boolean>): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(exception: Error | string): void;
  end(): void;
}

/** The options of a span, with the numbers of `SpanKind`. */
const KINDS = { internal: { kind: 0 }, server: { kind: 1 }, client: { kind: 2 } } as const;

/** The number of `SpanStatusCode.ERROR`. */
const ERROR = 2;

const NO_TRACE = '0'.repeat(32);

/**
 * Makes the spans of `traceCalls` with an OpenTelemetry SDK, in a client or in an object. The SDK needs a context
 * manager, so that code which a method awaits is in the span of the method. In Workers, use
 * `AsyncLocalStorageContextManager` and the compatibility flag `nodejs_compat`.
 *
 * @param api - the module `@opentelemetry/api`
 * @example
 * import * as api from '@opentelemetry/api';
 * const counter = createRpcClient<Counter>('COUNTER', 'main', { tracing: traceCalls(openTelemetry(api)) });
 */
export function openTelemetry<Context, State extends { serialize(): string }>({
  trace,
  context,
  createTraceState,
}: OpenTelemetryApi<Context, State>): Tracer {
  return (call, run) => {
    const { name, kind, parent } = call;
    const active = context.active();
    const outer = parent
      ? trace.setSpanContext(active, remoteSpan(parent, createTraceState))
      : active;
    const options = KINDS[kind];
    // The tracer is requested for each span, because the application can set the provider of tracers later.
    const tracer = trace.getTracer('lumenize-rpc');
    // While a client waits for an answer, it runs nothing that could belong to the span.
    if (kind === 'client') return runIn(tracer.startSpan(name, options, outer), call, run);
    return tracer.startActiveSpan(name, options, outer, (span) =>
      runIn(span, call, run),
    ) as ReturnType<typeof run>;
  };
}

function runIn<State extends { serialize(): string }, Result>(
  span: OpenTelemetrySpan<State>,
  call: TracedCall,
  run: (span: CallSpan) => Result,
): Result {
  // Attributes that are set later cost nothing in a span that is not sampled.
  if (span.isRecording()) span.setAttributes(call.attributes);
  return run(new SdkSpan(span));
}

class SdkSpan<State extends { serialize(): string }> implements CallSpan {
  readonly #span: OpenTelemetrySpan<State>;

  constructor(span: OpenTelemetrySpan<State>) {
    this.#span = span;
  }

  get context(): TraceContext | undefined {
    return contextOf(this.#span.spanContext());
  }

  end(ended: EndedSpan): void {
    const span = this.#span;
    if (span.isRecording()) recordEnd(span, ended, ERROR);
    span.end();
  }
}

/** Returns the span of the other end, as OpenTelemetry describes it. */
function remoteSpan<State>(
  { traceparent, tracestate }: TraceContext,
  createTraceState: (text: string) => State,
): OpenTelemetrySpanContext<State> {
  // All parts of the only version have fixed lengths.
  const remote = {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53), 16),
    isRemote: true,
  };
  return tracestate ? { ...remote, traceState: createTraceState(tracestate) } : remote;
}

/** @returns `undefined` for the span of an API without an SDK */
function contextOf({
  traceId,
  spanId,
  traceFlags,
  traceState,
}: OpenTelemetrySpanContext<{ serialize(): string }>): TraceContext | undefined {
  if (traceId === NO_TRACE) return undefined;
  const flags = traceFlags.toString(16).padStart(2, '0');
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    tracestate: traceState?.serialize() || undefined,
  };
}
