/** Spans of an object's calls: `tracing` and `traceCalls` for the option `use`. */
import {
  type Around,
  type CallContext,
  type Connection,
  type Featured,
  inClassCode,
  nativeCalls,
  type MessageContext,
  settle,
} from '../../server/feature.ts';
import { objectNameOf } from '../../wire/object-name.ts';
import { outcomeOf } from '../../wire/outcome.ts';
import { platformTracer } from './server/platform.ts';
import { encodeTraces, readTracesIn, TRACE, type TraceContext } from './wire/trace-context.ts';
import { DescribedCall, endSpan, inSpan, type TracedCall, type Tracer } from './wire/tracer.ts';

/**
 * Makes a span of each call of an object: of calls and subscriptions of clients, also if they are rejected, of calls
 * through native Workers RPC, of calls of callbacks, and of the alarm of the class. The span of a subscription ends
 * when the subscription has begun. A call that arrives again after a lost connection has one span. If the client has
 * the option `tracing`, the parent is the span of the client.
 *
 * @param tracer - starts spans: `openTelemetry(api)`, or a function of your own. If it throws, the console shows the
 *   error, and the call runs without a span.
 * @returns a feature for the option `use` of `lumenizeRpcDO`
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [traceCalls(openTelemetry(api))] });
 */
export function traceCalls(tracer: Tracer): Featured {
  const around: Around = (call, run) => {
    if (call.kind === 'run') return inClassCode(run);
    if (call.isReplayed) return run();
    return inSpan(tracer, describe(call), (span) => {
      if (!span) return run();
      call.announce?.((callId, connection) => {
        const context = tracingConnections.has(connection) && span.context;
        return context ? encodeTraces([[callId, context]], Infinity) : undefined;
      });
      return settle(
        run,
        (answer) => {
          endSpan(span, { outcome: 'ok' });
          return answer;
        },
        (error) => {
          endSpan(span, { outcome: outcomeOf(error), error });
          throw error;
        },
      );
    });
  };
  return {
    '~feature': {
      name: 'tracing',
      version: 1,
      messages: { [TRACE]: readTraces },
      around,
      ...nativeCalls,
    },
  };
}

/**
 * Makes a span of each call in the platform's own tracing, if the Worker has `observability.traces.enabled`. The span
 * has a name such as `Counter.increment`. The platform accepts no parent from another program, so the span of the
 * client is in the attribute `traceparent`. `traceCalls` lists the calls that have a span.
 *
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, contract, { use: [tracing] });
 */
export const tracing: Featured = /* @__PURE__ */ traceCalls(platformTracer);

/** The connections whose clients have sent a trace, so that they understand the message. */
const tracingConnections = /* @__PURE__ */ new WeakSet<Connection>();

function readTraces(message: unknown[], { frame, connection }: MessageContext): void {
  tracingConnections.add(connection);
  readTracesIn(message, (id, context) => frame.setMetadata(id, context));
}

/** The kind of the span for each kind of call whose span is not the span of a server. */
const SPAN_KINDS = { alarm: 'internal', callback: 'client' } as const;

function describe({ kind, method, id, connection, instance, metadata }: CallContext): TracedCall {
  const { class: name, object } = objectNameOf(instance);
  const spanKind = SPAN_KINDS[kind as keyof typeof SPAN_KINDS] ?? 'server';
  // By convention, the exported class has the name of the class without `Impl` at the end.
  const target = name.endsWith('Impl') ? name.slice(0, -4) : name;
  const about = [kind, object, id, connection?.client] as const;
  return new DescribedCall(spanKind, target, method, about, metadata as TraceContext);
}
