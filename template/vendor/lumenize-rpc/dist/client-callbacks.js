import { FRAME_SIZE, FUNCTION, RpcError, decodeAnswer, encodeRest, encodeRich, exceeded, unread } from "./wire.js";
import { INSIDE } from "./client-core.js";
// src/client/callbacks.ts
/** The size in characters after which a frame of answers is sent, long before it has too many messages. */
const FRAME = 6e4;
/** The maximum size of an answer, in characters plus bytes: it has to fit into a frame after other answers. */
const MAX_SIZE = FRAME_SIZE / 2;
/**
* Allows functions as arguments of a client's calls, where the contract has `Type.Function`. The object can
* call a function until the call that passed it ends, or for as long as the object keeps its address. The
* object gets what the function returns, after it awaits a promise, or what it throws.
*
* @param session - passed by `createRpcClient`
* @example
* const table = createRpcClient<Table>('TABLE', 'main', { callbacks });
* await table.load(csv, (percent) => show(percent));
*/
function callbacks(session) {
	const { take, make = unread, received, isAwaiting, transport } = session;
	const known = /* @__PURE__ */ new Map();
	const isOther = listener(session, known);
	let last = 0;
	session.take = (value, call) => {
		const reference = take?.(value, call);
		const isFunction = typeof value === "function" && !value[INSIDE];
		if (reference || !isFunction || !call || !transport.isDuplex) return reference;
		const { onSettled } = call;
		const one = known.get(value) ?? {
			f: ++last,
			run: value,
			holders: /* @__PURE__ */ new Set()
		};
		known.set(value, one).set(one.f, one);
		one.holders.add(call);
		call.onSettled = () => {
			onSettled?.();
			release(known, one, call);
		};
		return [FUNCTION, one.f];
	};
	session.make = (reference, call) => known.get(reference[0] === "Function" && reference[1])?.run ?? make(reference, call);
	session.isAwaiting = () => known.size > 0 || isAwaiting();
	session.received = (messages) => received(messages.filter(isOther));
}
function release(known, one, holder) {
	if (!one?.holders.delete(holder) || one.holders.size > 0) return;
	known.delete(one.f);
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
	const answer = async (k, said, run) => {
		let message;
		try {
			if (!run) throw new RpcError("CLOSED", "The client has dropped this callback");
			const result = await run(...decodeAnswer(said, session.make).result ?? []);
			message = fitting(session.write((of) => returned(k, encodeRest(result, of))));
		} catch (error) {
			message = failure(k, error);
		}
		if (size > FRAME) flush();
		if (!size) Promise.resolve().then(flush);
		messages.push(message);
		size += message.length;
	};
	return ([kind, k, ...said]) => {
		const one = known.get(k);
		if (kind === "call") answer(k, said, known.get(said[0])?.run);
		else if (kind === "keep") one?.holders.add(said[0]);
		else if (kind === "drop") release(known, one, said[0]);
		else return true;
		return false;
	};
}
/** The answer of a callback that threw. Parts that cannot be sent are left out. */
function failure(k, thrown) {
	try {
		return fitting(returned(k, `,"error",${encodeRich(thrown, void 0, true)}`));
	} catch {
		return returned(k, ",\"error\",[[]]");
	}
}
function returned(k, rest) {
	return `["return",${k}${rest}]`;
}
/** @throws RpcError `LIMIT_EXCEEDED` */
function fitting(message) {
	return message.length > MAX_SIZE ? exceeded("frameSize", MAX_SIZE) : message;
}
export { callbacks };
