import { READS_BYTES, bytesBehind, frameOf, free, readAnyFrame, unread, wholeOf, writeWithBytes } from "./wire.js";
// src/features/bytes/client.ts
/**
* Bytes after the text: frames with large buffers are binary. A bundle contains this file only if you import it.
*/
/**
* Sends buffers of more than 1 024 bytes as bytes, in arguments and results. Without this option they are sent
* as Base64 text, which is a third larger and takes both ends longer to write and to read. The values are the
* same.
*
* @param session - passed by `createRpcClient`
* @example
* const files = createRpcClient<Files>('FILES', 'main', { bytes });
* await files.store('photo', await file.arrayBuffer());
*/
function bytes(session) {
	const { make = unread, changed, connection, transport } = session;
	let isTold = false;
	session.changed = (state, detail) => {
		if (state === "open") isTold = false;
		changed?.(state, detail);
	};
	connection.read = (arrived) => {
		const frame = wholeOf(arrived);
		const messages = readAnyFrame(frame);
		if (messages) free(frame);
		return messages;
	};
	session.write = writeWithBytes;
	session.make = (reference, call) => reference[0] === "Bytes" && call ? bytesBehind(reference, call.message) : make(reference, call);
	session.send = (messages) => {
		transport.send(frameOf(isTold ? messages : [READS_BYTES, ...messages]));
		isTold = !!transport.isDuplex;
	};
}
export { bytes };
