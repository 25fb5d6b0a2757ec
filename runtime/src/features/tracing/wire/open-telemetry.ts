/** Spans of the OpenTelemetry API, which the application passes: the package does not depend on it. */
import type { TraceContext } from './trace-context.ts';
import { attributesOf, messageOf, type Tracer } from './tracer.ts';

/** The part of `@opentelemetry/api` that is used. `Context` and `State` are its own types. */
export interface OpenTelemetryApi<Context = never, State = never> {
  readonly context: { active(): Context };
  createTraceState(text?: string): State;
  readonly trace: {
    getTracer(name: string): {
      startActiveSpan(
        name: string,
        options: { kind: number; attributes: Record<string, string | number | boolean> },
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
  setAttributes(attributes: Record<string, string | number | boolean>): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(exception: Error | string): void;
  end(): void;
}

/** The numbers of `SpanKind`. */
const KINDS = { internal: 0, server: 1, client: 2 } as const;

/** The number of `SpanStatusCode.ERROR`. */
const ERROR = 2;

const NO_TRACE = '0'.repeat(32);

/**
 * Makes spans by an OpenTelemetry SDK: for `traceCalls` of both ends. So that what a method awaits is in its span, too,
 * the SDK needs a context manager; in Workers `AsyncLocalStorageContextManager`, and the compatibility flag
 * `nodejs_compat`.
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
    const options = { kind: KINDS[kind], attributes: { ...call.attributes } };
    // Asked for each time: the application can set the provider of tracers later.
    const tracer = trace.getTracer('lumenize-rpc');
    return tracer.startActiveSpan(name, options, outer, (span) =>
      run({
        context: contextOf(span.spanContext()),
        end(ended) {
          span.setAttributes({ ...attributesOf(ended) });
          if ('error' in ended) {
            const { error } = ended;
            const message = messageOf(error);
            span.recordException(error instanceof Error ? error : message);
            span.setStatus({ code: ERROR, message });
          }
          span.end();
        },
      }),
    ) as ReturnType<typeof run>;
  };
}

/** The span of the other end, as OpenTelemetry describes it. */
function remoteSpan<State>(
  { traceparent, tracestate }: TraceContext,
  createTraceState: (text: string) => State,
): OpenTelemetrySpanContext<State> {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
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
