import { RpcError, byteLengthOf, decodeAnswer, decodeRich, frameLength, outcomeOf, shownClient, tell } from "./wire.js";
import { resultPartOf } from "./client-core.js";
// src/features/reports/client/observe-calls.ts
/** Tells reports and traces when calls and the starts of subscriptions of a client begin and end. */
/** Observes the calls of a session. A subscription ends when it has begun or was rejected. */
function observeCalls(session, begin) {
	const { call: make, send, lost, connection } = session;
	const { read } = connection;
	/** The subscriptions that have not begun, by their numbers. */
	const starts = /* @__PURE__ */ new Map();
	session.call = (method, ...rest) => {
		const promise = make.call(session, method, ...rest);
		const [call] = resultPartOf(promise);
		const end = begin("call", call.id, nameOf(method));
		if (!end) return promise;
		const { onSettled } = call;
		const settled = () => {
			onSettled?.();
			end(call.outcome, call.sentAt ? call.message || void 0 : void 0);
		};
		if (call.outcome) settled();
		else call.onSettled = settled;
		return promise;
	};
	session.send = (messages) => {
		for (const message of messages) if (!isCall(message)) noteSent(message);
		send.call(session, messages);
	};
	const noteSent = (message) => {
		const [, kind] = /^\["(subscribe|unsubscribe)",/.exec(String(message)) ?? [];
		if (!kind) return;
		const [, id, , callee] = JSON.parse(String(message));
		if (kind === "unsubscribe") {
			const thrown = new RpcError("ABORTED", "The loop has ended before the subscription began");
			endStart(id, { thrown });
		} else if (!starts.has(id)) {
			const end = begin("subscription", id, String(Array.isArray(callee) ? callee[0] : callee));
			if (end) starts.set(id, (ended) => end(ended, message));
		}
	};
	const endStart = (id, ended) => {
		const end = starts.get(id);
		starts.delete(id);
		end?.(ended);
	};
	const endStarts = (thrown) => {
		for (const id of starts.keys()) endStart(id, { thrown });
	};
	connection.read = (frame) => {
		const messages = read(frame);
		if (starts.size > 0) messages?.forEach(noteReceived);
		return messages;
	};
	const noteReceived = (message) => {
		const [kind, id, ...tail] = message;
		if (kind === "subscribed") endStart(id, { result: void 0 });
		else if (kind === "complete") endStart(id, readable(() => decodeAnswer([id, ...tail])));
		else if (kind === "error") {
			const { thrown } = readable(() => ({ thrown: decodeRich(id) }));
			endStarts(thrown);
		}
	};
	session.lost = (error, ...rest) => {
		if (error) endStarts(error);
		lost(error, ...rest);
	};
}
/** Returns whether a message is a call, which begins with a digit. All other messages begin with the name of their kind. */
function isCall(message) {
	return (typeof message === "string" ? message : message.text)[1] !== "\"";
}
/** Returns the name of a method of the object or of a capability. */
function nameOf(method) {
	return String(method.name ?? method);
}
/** Returns the outcome in a message; for a malformed message its error, which the session handles. */
function readable(read) {
	try {
		return read();
	} catch (thrown) {
		return { thrown };
	}
}
// src/features/reports/client/report-calls.ts
/**
* Reports each call of a client when it is made and when it has settled. A call that is sent again after a lost
* connection is one call. The report of a subscription ends when the subscription has begun.
*
* @param onCall - called when a call is made. The function that it returns is called with the report when the call has
*   settled, before the code that awaits it continues. If one of them throws or rejects, the console shows the error, and
*   nothing else changes.
* @returns the value of the option `onCall` of `createRpcClient`
* @example
* const counter = createRpcClient<Counter>('COUNTER', 'main', {
*   onCall: reportCalls(() => ({ method, outcome, duration }) => console.log(method, outcome, duration)),
* });
*/
function reportCalls(onCall) {
	return (session, binding, instance) => {
		const { connection, transport } = session;
		/** The sizes of the answers that have arrived, by the ids of their calls. */
		const sizes = /* @__PURE__ */ new Map();
		observeCalls(session, (kind, id, method) => {
			const startedAt = performance.now();
			const start = {
				binding,
				object: instance,
				kind,
				method,
				id
			};
			const { clientId } = transport;
			if (clientId) start.client = shownClient(clientId());
			const onEnd = tell(onCall, start);
			if (typeof onEnd !== "function") return void 0;
			if (kind === "call") sizes.set(id, 0);
			return (ended, sent) => {
				const duration = performance.now() - startedAt;
				const failure = "thrown" in ended && { error: ended.thrown };
				const outcome = failure ? outcomeOf(failure.error) : "ok";
				const report = {
					...start,
					duration,
					outcome,
					...failure
				};
				const bytesIn = kind === "call" && sizes.get(id);
				if (bytesIn) report.bytesIn = bytesIn;
				if (bytesIn !== false) sizes.delete(id);
				if (sent) report.bytesOut = byteLengthOf(sent);
				tell(onEnd, report);
			};
		});
		const { read } = connection;
		connection.read = (frame) => {
			if (sizes.size === 0) return read(frame);
			const size = sizeOf(frame);
			const messages = read(frame);
			const answered = (messages ?? []).filter((message) => sizes.has(message[0]));
			for (const message of answered) sizes.set(message[0], size / answered.length);
			return messages;
		};
	};
}
/** Returns the size of a frame in bytes. */
function sizeOf(frame) {
	if (typeof frame === "string") return byteLengthOf(frame);
	return (Array.isArray(frame) ? frame : [frame]).reduce((sum, part) => sum + frameLength(part), 0);
}
export { isCall, observeCalls, reportCalls };
