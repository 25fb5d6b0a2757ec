import { ArgumentHandle, FRAME_SIZE, FUNCTION, RpcError, decodeAnswer, encodeRich, encodeTail, isId, limitExceeded, unreadableReference } from "./wire.js";
// src/features/callbacks/client/callback.ts
/** The size in characters after which a frame of answers is sent, long before it has too many messages. */
const FRAME = 6e4;
/** The maximum size of an answer, in characters plus bytes. An answer has to fit into a frame after other answers. */
const MAX_SIZE = FRAME_SIZE / 2;
/**
* Marks a function as an argument of a call, where the contract has `callback(…)`. The object can call the function until
* the call that passed it ends, or for as long as the object keeps its token. The object receives the value that the
* function returns or throws. If the function returns a promise, the promise is awaited. If you mark one function twice,
* the object receives one function.
*
* @param fn - the function
* @returns an argument, or a part of an argument, for a call over a WebSocket or a port. Over HTTP, the call rejects with
*   `UNSERIALIZABLE`.
* @example
* await table.load(csv, callback((percent) => show(percent)));
*/
function callback(fn) {
	return markedFor(fn);
}
function markedFor(run) {
	return new ArgumentHandle((call) => {
		const session = call.session;
		if (!session.transport.isDuplex) throw new RpcError("UNSERIALIZABLE", "A callback needs a WebSocket");
		return (session.functions ??= takeOf(session))(run, call);
	});
}
/** Makes a session handle calls of its functions. */
function takeOf(session) {
	const { resolve = unreadableReference, received, isAwaiting } = session;
	const known = /* @__PURE__ */ new Map();
	const isOther = listener(session, known);
	let last = 0;
	session.resolve = (reference, call) => {
		const one = known.get(reference[0] === "Function" && call && reference[1]);
		return one ? markedFor(one.run) : resolve(reference, call);
	};
	session.isAwaiting = () => known.size > 0 || isAwaiting();
	session.received = (messages) => received(messages.filter(isOther));
	return (run, call) => {
		const { onSettled } = call;
		const one = known.get(run) ?? {
			functionId: ++last,
			run,
			holders: /* @__PURE__ */ new Set()
		};
		known.set(run, one).set(one.functionId, one);
		one.holders.add(call);
		call.onSettled = () => {
			onSettled?.();
			release(known, one, call);
		};
		return [FUNCTION, one.functionId];
	};
}
function release(known, one, holder) {
	if (!one?.holders.delete(holder) || one.holders.size > 0) return;
	known.delete(one.functionId);
	known.delete(one.run);
}
/** @returns a function that handles a message, and returns whether the message belongs to another module */
function listener(session, known) {
	/** The answers that have not been sent, and their size. */
	let messages = [];
	let size = 0;
	const flush = () => {
		if (session.connection.isDuplex) session.send(messages);
		messages = [];
		size = 0;
	};
	const answer = async (callId, rest, run) => {
		let message;
		try {
			if (!run) throw new RpcError("CLOSED", "The client dropped this callback");
			const read = decodeAnswer(rest, session.resolve);
			const args = rest.length > 1 ? read.result : [];
			if (!Array.isArray(args)) throw new RpcError("BAD_MESSAGE", "Arguments must be an array");
			const call = () => run(...args);
			const { aroundCallback } = session;
			const result = await (aroundCallback ? aroundCallback(callId, call) : call());
			message = fitting(session.write((referenceOf) => returned(callId, encodeTail(result, referenceOf))));
		} catch (error) {
			message = failure(callId, error);
		}
		if (size > FRAME) flush();
		if (!size) Promise.resolve().then(flush);
		messages.push(message);
		size += message.length;
	};
	return ([kind, callId, ...rest]) => {
		const one = known.get(callId);
		if (kind === "call") {
			if (isId(callId)) answer(callId, rest, known.get(rest[0])?.run);
		} else if (kind === "keep") {
			if (typeof rest[0] === "string") one?.holders.add(rest[0]);
		} else if (kind === "drop") release(known, one, rest[0]);
		else return true;
		return false;
	};
}
/** Returns the answer of a callback that threw. Parts that cannot be sent are left out. */
function failure(callId, thrown) {
	try {
		return fitting(returned(callId, `,"error",${encodeRich(thrown, void 0, true)}`));
	} catch {
		return returned(callId, ",\"error\",[[]]");
	}
}
function returned(callId, rest) {
	return `["return",${callId}${rest}]`;
}
/** @throws RpcError `LIMIT_EXCEEDED` */
function fitting(message) {
	return message.length > MAX_SIZE ? limitExceeded("frameSize", MAX_SIZE) : message;
}
export { callback };
