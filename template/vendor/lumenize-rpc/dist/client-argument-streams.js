import { ArgumentHandle, RpcError, STREAM, STREAM_SIZE, TO_REFERENCE, builtInName, encodeItem, encodeRich, freeFrame, isId, limitExceeded, unreadableReference } from "./wire.js";
// src/features/argument-streams/client/sources.ts
/** Reads the items of an iterable or a `ReadableStream` that is passed as an argument. */
/** The maximum length in bytes of an item with bytes of a `ReadableStream`. Longer items are split. */
const PIECE = 65536;
/** @throws TypeError for a `ReadableStream` that is already being read, and for a value that is not iterable */
function sourceOf(value) {
	if ("getReader" in value) return sourceOfStream(value);
	const { [Symbol.asyncIterator]: iterate, [Symbol.iterator]: list } = value;
	return (iterate ?? list).call(value);
}
function sourceOfStream(stream) {
	const reader = stream.getReader();
	/** The bytes of a chunk that have not been returned. */
	let rest;
	return {
		return: () => reader.cancel(),
		async next() {
			const { done, value } = rest ? { value: rest } : await reader.read();
			rest = void 0;
			const bytes = builtInName(value) === "Uint8Array" && value;
			if (!bytes || bytes.length <= PIECE) return {
				done,
				value
			};
			rest = bytes.subarray(PIECE);
			return { value: bytes.subarray(0, PIECE) };
		}
	};
}
// src/features/argument-streams/client/stream.ts
/**
* Streams as arguments of calls: the object takes their items as its method reads them. A bundle contains this
* file only if you import it.
*/
/** The initial and the lowest limit of the characters in flight. */
const LEAST = 262144;
/** The step by which that limit changes. It is also the size of a frame of items, so that other frames come between. */
const STEP = 65536;
/** The number of microtasks to wait for the next item before the items are sent. */
const PATIENCE = 10;
function stream(iterable) {
	return new ArgumentHandle((call) => {
		const session = call.session;
		if (!session.transport.isDuplex) throw new RpcError("UNSERIALIZABLE", "A stream needs a WebSocket");
		return new Outgoing(lineOf(session), iterable)[TO_REFERENCE](call);
	});
}
/** Returns the streams of a session. The first stream makes the session send items. */
function lineOf(session) {
	const before = session.streams;
	if (before) return before;
	const { resolve = unreadableReference, received, connection } = session;
	const send = session.send.bind(session);
	const known = /* @__PURE__ */ new Map();
	const line = {
		session,
		streams: known,
		used: /* @__PURE__ */ new WeakSet(),
		last: 0,
		tell: (messages) => connection.isDuplex && send(messages)
	};
	session.streams = line;
	session.resolve = (reference, of) => reference[0] === "Stream" && of ? known.get(reference[1]) : resolve(reference, of);
	session.send = (messages) => {
		send(messages);
		for (const outgoing of known.values()) outgoing.go();
	};
	session.received = (messages) => received(messages.filter((message) => isOther(message, line)));
	return line;
}
/** Handles a message. Returns whether it belongs to another module. */
function isOther([kind, streamId, i], { streams: known, tell }) {
	const outgoing = known.get(streamId);
	if (kind === "stop") outgoing?.stop();
	else if (kind !== "ack") return true;
	else if (isId(streamId) && (i === 0 || isId(i))) {
		if (!outgoing?.acknowledge(i)) tell([`["end",${streamId}]`]);
	}
	return false;
}
/** One stream that is an argument. */
var Outgoing = class {
	#line;
	#value;
	#streamId = 0;
	#call;
	/** The iterator, until it has ended. */
	#source;
	#timeout = 0;
	/** The messages that are not acknowledged, whether they are sent or not. */
	#messages = [];
	/** The size of these messages, in characters plus bytes. */
	#size = 0;
	/** The time of `performance.now()` when each of these messages was sent. */
	#times = [];
	/** At this size no further item is read. It adapts to the connection, so that other calls do not wait. */
	#limit = LEAST;
	/** The shortest time from sending an item to its acknowledgement, in milliseconds. */
	#fastest = Infinity;
	/** The number of these messages that were sent on the current connection. */
	#sent = 0;
	/** The identity of the frame that carried the call on that connection. */
	#frame;
	/** The number of the last acknowledged item. */
	#acknowledged = 0;
	#wake = () => {};
	constructor(line, value) {
		this.#line = line;
		this.#value = value;
	}
	/** @throws TypeError for a stream that was passed before */
	[TO_REFERENCE](call) {
		if (!this.#call) this.#begin(call);
		return [STREAM, this.#streamId];
	}
	#begin(call) {
		const { streams: known, used } = this.#line;
		const source = sourceOf(this.#value);
		if (used.has(source)) throw new TypeError("A stream can be passed only once: make a new one for this call");
		used.add(source);
		this.#source = source;
		this.#call = call;
		this.#timeout = call.deadline - performance.now();
		this.#streamId = ++this.#line.last;
		known.set(this.#streamId, this);
		const { onSettled } = call;
		call.onSettled = () => {
			onSettled?.();
			if (this.#source) this.#line.tell([`["end",${this.#streamId}]`]);
			this.stop();
		};
		this.#run(call, source);
	}
	/** Sends the messages that have not been sent, if the call was sent. */
	go() {
		const { frame } = this.#call;
		if (frame !== this.#frame) this.#sent = 0;
		this.#frame = frame;
		this.#wake();
		if (!frame) return;
		while (this.#sent < this.#messages.length) {
			const first = this.#sent;
			for (let size = 0; size < STEP && this.#sent < this.#messages.length; this.#sent++) {
				size += this.#messages[this.#sent].length;
				this.#times[this.#sent] = performance.now();
			}
			this.#line.tell(this.#messages.slice(first, this.#sent));
		}
	}
	/** @returns whether the client still has the items after `i` */
	acknowledge(i) {
		if (i < this.#acknowledged) return false;
		let time;
		for (; this.#acknowledged < i && this.#sent > 0; this.#acknowledged++, this.#sent--) {
			const { length, frame } = this.#messages.shift();
			this.#size -= length;
			freeFrame(frame);
			time = this.#times.shift();
		}
		if (time) this.#adapt(performance.now() - time);
		this.#extend();
		this.#wake();
		return true;
	}
	/** Ends the stream: the method needs no more items. */
	stop() {
		this.#line.streams.delete(this.#streamId);
		this.#messages = [];
		this.#leave();
		this.#wake();
	}
	#leave() {
		const source = this.#source;
		this.#source = void 0;
		(async () => source?.return?.())().catch(() => {});
	}
	async #run(call, source) {
		let i = 0;
		while (this.#source) {
			if (this.#messages.length >= 64 || this.#size >= this.#limit || !call.sentAt) {
				await new Promise((resolve) => this.#wake = resolve);
				continue;
			}
			let message;
			try {
				const { done, value } = await source.next();
				if (!this.#source) return;
				if (done) message = `["end",${this.#streamId},${i}]`;
				else message = this.#line.session.write((referenceOf) => encodeItem(this.#streamId, i + 1, value, referenceOf));
				if (message.length > 1048576) limitExceeded("the size of an item", STREAM_SIZE);
				if (done) this.#source = void 0;
				else i++;
			} catch (error) {
				if (!this.#source) return;
				message = `["end",${this.#streamId},${i},"error",${textOf(error)}]`;
				this.#leave();
			}
			this.#size += message.length;
			this.#extend();
			this.#goSoon(this.#messages.push(message));
		}
	}
	/** @param took - the time from sending an item to its acknowledgement, in milliseconds */
	#adapt(took) {
		this.#fastest = Math.min(this.#fastest, took);
		const waiting = this.#limit * (1 - this.#fastest / took);
		if (waiting < STEP) this.#limit = Math.min(this.#limit + STEP, STREAM_SIZE);
		else if (waiting > 2 * STEP) this.#limit = Math.max(this.#limit - STEP, LEAST);
	}
	/** Restarts the timeout of the call. */
	#extend() {
		this.#call.deadline = performance.now() + this.#timeout;
	}
	/** Sends items that become ready within a few microtasks in one frame. */
	async #goSoon(count) {
		for (let turn = 0; turn < PATIENCE; turn++) await void 0;
		if (count === this.#messages.length) this.go();
	}
};
/** Returns a thrown value as text, without parts that cannot be sent; `undefined` if the value cannot be read. */
function textOf(thrown) {
	try {
		return encodeRich(thrown, void 0, true);
	} catch {
		return "[[]]";
	}
}
export { stream };
