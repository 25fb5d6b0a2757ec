import { READS_BYTES, asText, bufferOf, frameOf, readAndFree, unreadableReference, wholeFrame, writeWithBytes } from "./wire.js";
// src/features/bytes/client/bytes.ts
/**
* Sends large buffers as bytes, in binary frames. A bundle contains this file only if you import it.
*/
/**
* Sends buffers of more than 1 024 bytes as bytes, in arguments and results, if the object has `use: [bytes]`. Otherwise
* they are sent as Base64 text, which is 33 % larger and slower to write and to read. The received values are equal.
*
* @param session - passed by `createRpcClient`
* @example
* const files = createRpcClient<Files>('FILES', 'main', { bytes });
* await files.store('photo', await file.arrayBuffer());
*/
function bytes(session) {
	const { resolve = unreadableReference, changed, connection, transport } = session;
	/** True if the object reads binary frames; `undefined` until its answer has arrived on this connection. */
	let isRead;
	/** The messages of the frames that wait for this answer: the first frame with bytes, and all frames after it. */
	let waiting = [];
	session.changed = (state, detail) => {
		if (state === "open") {
			isRead = void 0;
			waiting = [];
		}
		changed?.(state, detail);
	};
	connection.read = (arrived) => {
		const messages = readAndFree(wholeFrame(arrived));
		if (!messages) return void 0;
		const answer = messages.find(([kind]) => kind === "bytes");
		if (answer || !transport.isDuplex) isRead = answer && answer.length === 1;
		if (isRead !== void 0) for (const held of waiting.splice(0)) session.send(held);
		return messages;
	};
	session.write = (encode, referenceOf) => isRead === false ? encode(referenceOf) : writeWithBytes(encode, referenceOf);
	session.resolve = (reference, call) => reference[0] === "Bytes" && call ? bufferOf(reference, call.message) : resolve(reference, call);
	session.send = (messages) => {
		const isUnknown = isRead === void 0;
		const waits = isUnknown && (waiting.length > 0 || messages.some((message) => typeof message !== "string"));
		if (waits && waiting.push(messages) > 1) return;
		const now = waits ? [] : isRead ? messages : messages.map(asText);
		transport.send(frameOf(isUnknown || !transport.isDuplex ? [READS_BYTES, ...now] : now));
	};
}
export { bytes };
