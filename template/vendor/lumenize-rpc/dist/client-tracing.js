import { FRAME_SIZE, encodeTraces, endSpan, inSpan, outcomeOf, tracedCall, tracesIn } from "./wire.js";
import { reportCalls } from "./client-reports.js";
// src/features/tracing/client/trace-calls.ts
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
function traceCalls(tracer) {
	return (session, binding, instance) => {
		const { send, lost, connection } = session;
		const { read } = connection;
		/** The spans to send, by the ids of calls, and by the negative numbers of subscriptions. */
		const traces = /* @__PURE__ */ new Map();
		/** The spans of the object in which it calls functions, by the numbers of the calls. */
		const callbackTraces = /* @__PURE__ */ new Map();
		const traceOf = (message) => {
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
			const frame = typeof unread === "string" ? unread.replace(TRACES, "[") : unread;
			lost(error, isFinal, frame, ...rest);
		};
		connection.read = (frame) => {
			const messages = read(frame);
			for (const message of messages ?? []) {
				if (message[0] !== "trace") continue;
				if (callbackTraces.size >= 1e4) callbackTraces.clear();
				for (const [callId, context] of tracesIn(message)) callbackTraces.set(callId, context);
			}
			return messages;
		};
		session.aroundCallback = (callId, run) => {
			const attributes = {
				"lumenize_rpc.object": instance,
				"lumenize_rpc.kind": "callback"
			};
			const parent = callbackTraces.get(callId);
			callbackTraces.delete(callId);
			const about = tracedCall("server", binding, "callback", attributes, parent);
			return inSpan(tracer, about, async (span) => {
				try {
					const result = await run();
					endSpan(span, { outcome: "ok" });
					return result;
				} catch (error) {
					endSpan(span, {
						outcome: outcomeOf(error),
						error
					});
					throw error;
				}
			});
		};
		reportCalls(({ kind, method, object, id = 0, client }) => {
			const key = kind === "call" ? id : -id;
			const attributes = {
				"lumenize_rpc.object": object,
				"lumenize_rpc.kind": kind,
				"lumenize_rpc.id": id
			};
			if (client !== void 0) attributes["lumenize_rpc.client"] = client;
			const about = tracedCall("client", binding, method, attributes);
			const span = inSpan(tracer, about, (started) => started);
			if (!span) return void 0;
			if (span.context) traces.set(key, span.context);
			return ({ outcome, ...report }) => {
				traces.delete(key);
				const failure = "error" in report && { error: report.error };
				endSpan(span, {
					outcome,
					...failure
				});
			};
		})(session, binding, instance);
	};
}
export { traceCalls };
