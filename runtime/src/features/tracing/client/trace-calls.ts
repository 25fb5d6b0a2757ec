/** Spans of a client's calls. A bundle contains this file only if you import it. */
import type { Session } from '../../../client/session.ts';
import type { EncodedMessage } from '../../../wire/encoded-message.ts';
import { CALLS_IN_FLIGHT, FRAME_SIZE } from '../../../wire/limits.ts';
import { outcomeOf } from '../../../wire/outcome.ts';
import { isCall, observeCalls } from '../../reports/client/observe-calls.ts';
import { encodeTraces, readTracesIn, TRACE, type TraceContext } from '../wire/trace-context.ts';
import { DescribedCall, endSpan, inSpan, type Tracer } from '../wire/tracer.ts';

/** The beginning of a message that subscribes. */
const SUBSCRIBE = '["subscribe",';

/** Matches the beginning of a frame with traces. */
const TRACES = /^\[\["trace"(?:,\[-?\d+(?:,"(?:[^"\\]|\\.)*")+\])+\],/;

/**
 * Makes a span of each call of a client, and of the start of each subscription, and sends it to the object with the
 * call: spans of an object with `use: [traceCalls(…)]` become its children. A call that is sent again after a lost
 * connection has one span. A call of a callback is a span, too. An object without the feature does not use the trace.
 *
 * @param tracer - starts spans: `openTelemetry(api)`, or a function of your own. If it throws, the console shows the
 *   error, and the call is made without a span.
 * @returns the value of the option `tracing` of `createRpcClient`
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
    session.send = (messages) => {
      if (traces.size === 0) return send.call(session, messages);
      const entries: [number, TraceContext][] = [];
      let size = 2;
      for (const message of messages) {
        size += message.length + 1;
        const id = keyOf(message);
        const context = traces.get(id);
        if (context) entries.push([id, context]);
      }
      const message = encodeTraces(entries, FRAME_SIZE - size);
      send.call(session, message ? [message, ...messages] : messages);
    };
    session.lost = (error, isFinal, unread, ...rest) => {
      // The traces are removed, because the session looks for the first call at the beginning of the frame.
      const frame = typeof unread === 'string' ? unread.replace(TRACES, '[') : unread;
      lost(error, isFinal, frame, ...rest);
    };
    connection.read = (frame) => {
      const messages = read(frame);
      for (const message of messages ?? []) {
        if (message[0] !== TRACE) continue;
        // A client never has more calls of functions at a time, so more entries would be left over from earlier calls.
        if (callbackTraces.size >= CALLS_IN_FLIGHT) callbackTraces.clear();
        readTracesIn(message, (callId, context) => callbackTraces.set(callId, context));
      }
      return messages;
    };
    session.aroundCallback = (callId, run) => {
      const parent = callbackTraces.get(callId);
      callbackTraces.delete(callId);
      const about = new DescribedCall(
        'server',
        binding,
        'callback',
        ['callback', instance],
        parent,
      );
      return inSpan(tracer, about, async (span) => {
        try {
          const result = await run();
          endSpan(span, OK);
          return result;
        } catch (error) {
          endSpan(span, { outcome: outcomeOf(error), error });
          throw error;
        }
      });
    };
    observeCalls(session, (kind, id, method) => {
      const key = kind === 'call' ? id : -id;
      const about = [kind, instance, id, session.transport.clientId?.()] as const;
      const described = new DescribedCall('client', binding, method, about);
      const span = inSpan(tracer, described, (started) => started);
      if (!span) return undefined;
      const { context } = span;
      if (context) traces.set(key, context);
      return (ended) => {
        traces.delete(key);
        if ('thrown' in ended) {
          endSpan(span, { outcome: outcomeOf(ended.thrown), error: ended.thrown });
        } else endSpan(span, OK);
      };
    });
  };
}

const OK = { outcome: 'ok' };

/** Returns the id of a call, or the negative number of a subscription; 0 for any other message. */
function keyOf(message: EncodedMessage): number {
  const text = typeof message === 'string' ? message : message.text;
  if (isCall(message)) return Number.parseInt(text.slice(1, 17), 10);
  return text.startsWith(SUBSCRIBE) ? -Number.parseInt(text.slice(SUBSCRIBE.length), 10) : 0;
}
