/** Spans of a client's calls. A bundle contains this file only if you import it. */
import type { Session } from '../../../client/session.ts';
import type { EncodedMessage } from '../../../wire/encoded-message.ts';
import { CALLS_IN_FLIGHT, FRAME_SIZE } from '../../../wire/limits.ts';
import { outcomeOf } from '../../../wire/outcome.ts';
import { reportCalls } from '../../reports/client/report-calls.ts';
import { encodeTraces, TRACE, type TraceContext, tracesIn } from '../wire/trace-context.ts';
import { endSpan, inSpan, tracedCall, type Tracer } from '../wire/tracer.ts';

/** The beginning of a call, or of the start of a subscription. */
const BEGINNING = /^\[(?:(\d+)|"subscribe",(\d+)),/;

/** The beginning of a frame with traces. */
const TRACES = /^\[\["trace"(?:,\[-?\d+(?:,"(?:[^"\\]|\\.)*")+\])+\],/;

/**
 * Makes a span of each call of a client, and of the start of each subscription, and sends it to the object with the
 * call: spans of an object with `use: [traceCalls(…)]` become its children. A call that is sent again after a lost
 * connection has one span. A call of a callback is a span, too. To an object without the feature, the trace is sent in vain.
 *
 * @param tracer - starts spans: `openTelemetry(api)`, or a function of your own. If it throws, the console shows the
 *   error, and the call is made without a span.
 * @returns what the option `tracing` of `createRpcClient` takes
 * @example
 * import * as api from '@opentelemetry/api';
 * const counter = createRpcClient<Counter>('COUNTER', 'main', { tracing: traceCalls(openTelemetry(api)) });
 */
export function traceCalls(
  tracer: Tracer,
): (session: Session, binding: string, instance: string) => void {
  return (session, binding, instance) => {
    const { send, lost, connection } = session;
    const { read } = connection;
    /** The spans to send, by the ids of calls, and by the negative numbers of subscriptions. */
    const traces = new Map<number, TraceContext>();
    /** The spans of the object in which it calls functions, by the numbers of the calls. */
    const callbackTraces = new Map<number, TraceContext>();
    const traceOf = (message: EncodedMessage): [number, TraceContext][] => {
      const [, call, subscription] = BEGINNING.exec(String(message)) ?? [];
      const id = call ? Number(call) : -Number(subscription);
      const context = traces.get(id);
      return context ? [[id, context]] : [];
    };
    session.send = (messages) => {
      if (traces.size === 0) return send.call(session, messages);
      const size = messages.reduce((sum, { length }) => sum + length + 1, 2);
      const message = encodeTraces(messages.flatMap(traceOf), FRAME_SIZE - size);
      send.call(session, message ? [message, ...messages] : messages);
    };
    session.lost = (error, isFinal, unread, ...rest) => {
      // The session looks for the first call.
      const frame = typeof unread === 'string' ? unread.replace(TRACES, '[') : unread;
      lost(error, isFinal, frame, ...rest);
    };
    connection.read = (frame) => {
      const messages = read(frame);
      for (const message of messages ?? []) {
        if (message[0] !== TRACE) continue;
        // A client makes no more calls of functions at a time.
        if (callbackTraces.size >= CALLS_IN_FLIGHT) callbackTraces.clear();
        for (const [callId, context] of tracesIn(message)) callbackTraces.set(callId, context);
      }
      return messages;
    };
    session.aroundCallback = (callId, run) => {
      const attributes = { 'lumenize_rpc.object': instance, 'lumenize_rpc.kind': 'callback' };
      const parent = callbackTraces.get(callId);
      callbackTraces.delete(callId);
      const about = tracedCall('server', binding, 'callback', attributes, parent);
      return inSpan(tracer, about, async (span) => {
        try {
          const result = await run();
          endSpan(span, { outcome: 'ok' });
          return result;
        } catch (error) {
          endSpan(span, { outcome: outcomeOf(error), error });
          throw error;
        }
      });
    };
    reportCalls(({ kind, method, object, id = 0, client }) => {
      const key = kind === 'call' ? id : -id;
      const attributes: Record<string, string | number> = {
        'lumenize_rpc.object': object,
        'lumenize_rpc.kind': kind,
        'lumenize_rpc.id': id,
      };
      if (client !== undefined) attributes['lumenize_rpc.client'] = client;
      const about = tracedCall('client', binding, method, attributes);
      const span = inSpan(tracer, about, (started) => started);
      if (!span) return undefined;
      if (span.context) traces.set(key, span.context);
      return ({ outcome, ...report }) => {
        traces.delete(key);
        const failure = 'error' in report && { error: report.error };
        endSpan(span, { outcome, ...failure });
      };
    })(session, binding, instance);
  };
}
