import { FRAME_SIZE, RpcError, decodeAnswer, decodeCursor, encodeArgs, encodeSubscribe, isId, limitExceeded, malformed, requireText, toBase64 } from "./wire.js";
import { copyOfError, internalsOf } from "./client-core.js";
// src/features/subscriptions/client/reader.ts
/** One loop over a subscription: the items that have arrived for it, and its position. */
/** Matches the text of a call on a result: its callee has the id of a call after the name of the method. */
const ON_RESULT = /^\["(\\.|[^"])*",\d/;
var Reader = class {
	/** Whether the object has confirmed the subscription on the current connection. */
	isBegun = false;
	/** How many times the reader has tried to subscribe. */
	#attempts = 0;
	/** The items that have arrived, and that the loop has not taken. */
	#items = [];
	#epoch;
	/** The property of rows that is their cursor. */
	#key;
	/** The number of the last event that has arrived; for a live value, how many values have arrived. */
	#last = 0;
	/** The last event that was acknowledged; for a live value, how many values were. */
	#acknowledged = 0;
	#window = 16;
	/** The last live value, as text. */
	#text;
	/** The call that was subscribed to last, as text. */
	#called = "";
	#end;
	/** Wakes the calls of `take` that wait for an item. */
	#waiting = [];
	#invocation;
	#connection;
	#left;
	/** @param left - called when the loop has ended */
	constructor(connection, invocation, after, left) {
		this.#connection = connection;
		this.subscriptionId = connection.add(this);
		this.#invocation = invocation;
		this.cursor = after;
		this.#left = left;
	}
	/** Subscribes, unless that was done when a connection opened: a port opens within the tick. */
	start() {
		if (this.#attempts === 0) this.begin();
	}
	/**
	* Subscribes, or subscribes again from the position of the loop. Items that the loop has not taken arrive
	* again.
	*
	* @param waits - whether to wait for a call that returns the target and has not been sent
	* @returns false if the target depends on such a call
	*/
	begin(waits = true) {
		if (this.#end) return true;
		if (this.#items.splice(0).length > 0) this.#text = "";
		this.isBegun = false;
		try {
			const attempt = ++this.#attempts;
			const retry = () => void (attempt === this.#attempts && this.begin());
			const text = this.#invocation(waits ? retry : void 0);
			this.#called = text ?? "";
			if (text && this.#connection.begin(encodeSubscribe(this.subscriptionId, this.cursor, text))) this.cursor ??= 0;
			return text !== void 0;
		} catch (thrown) {
			this.stop({ thrown });
			return true;
		}
	}
	/**
	* @returns the next item
	* @throws the error that has ended the subscription
	*/
	async take() {
		for (;;) {
			const item = this.#items.shift();
			if (item) {
				const { value, cursor } = item;
				this.cursor = cursor;
				this.#acknowledge();
				return {
					done: false,
					value
				};
			}
			if (this.#end) {
				this.#left();
				if ("thrown" in this.#end) throw this.#end.thrown;
				return {
					done: true,
					value: void 0
				};
			}
			await new Promise((resolve) => this.#waiting.push(resolve));
		}
	}
	/** Ends the loop, and drops the items that it has not taken. */
	stop(end) {
		this.#items = [];
		this.#finish(end);
		this.#left();
	}
	/** Receives a message about this subscription. A malformed message ends the loop. */
	receive(message) {
		try {
			this.handle(message);
		} catch (thrown) {
			const malformedMessage = new RpcError("BAD_MESSAGE", "Malformed message");
			this.stop({ thrown: thrown instanceof RpcError ? thrown : malformedMessage });
		}
		this.#wake();
	}
	/** @throws any error for a malformed message */
	handle(message) {
		const [kind] = message;
		if (kind === "subscribed") this.#begun(message);
		else if (kind === "value") this.#value(message);
		else if (kind === "complete") this.#complete(message);
		else if (this.isBegun) this.#next(message);
	}
	#begun(message) {
		const [, , cursor, window = cursor ? 64 : 16] = message;
		this.isBegun = true;
		this.#last = this.#acknowledged = 0;
		this.#epoch = cursor ? "" : void 0;
		this.#window = requireId(window);
		this.#key = void 0;
		if (Array.isArray(cursor)) this.#key = requireText(cursor[0]);
		else if (cursor !== void 0) {
			const { event, epoch } = decodeCursor(cursor) ?? malformed();
			this.#last = this.#acknowledged = event;
			this.#epoch = epoch;
			if (message.length > 4) this.#push(message.slice(3), cursor);
			else this.cursor = cursor;
		}
	}
	#next(message) {
		const [kind, , number, epoch] = message;
		if (kind === "epoch") {
			this.#epoch = requireText(epoch);
			if (number !== this.#last && (number === 0 || requireId(number))) this.begin();
			return;
		}
		const event = requireId(number);
		if (kind === "window") {
			this.#window = event;
			return this.#acknowledge();
		}
		if (event > this.#last + 1) this.begin();
		if (event !== this.#last + 1) return;
		this.#last += this.#push(message.slice(2), `${event}.${this.#epoch}`);
	}
	#value(message) {
		if (this.#epoch !== void 0) malformed();
		this.#last++;
		const text = JSON.stringify(message, bytesAsText);
		if (text === this.#text) return;
		this.#text = text;
		this.#items = [];
		this.#push(message.slice(1));
	}
	/** @returns the number of items in the message: rows arrive in lists */
	#push(tail, cursor) {
		const answer = decodeTail(tail, this.#connection.resolve);
		if ("thrown" in answer) malformed();
		const key = this.#key;
		const values = key ? answer.result : [answer.result];
		for (const value of values) {
			const place = key && value[key];
			if (key && typeof place !== "number") requireText(place);
			this.#items.push({
				value,
				cursor: key ? JSON.stringify(place) : cursor
			});
		}
		return values.length;
	}
	#complete(message) {
		if (message[1] < 0) {
			if (!ON_RESULT.test(this.#called)) malformed();
			this.cursor ||= void 0;
			this.begin();
			return;
		}
		const end = decodeTail(message.slice(1));
		if ("result" in end && message.length > 2) malformed();
		const isExpired = end.thrown?.code === "CURSOR_EXPIRED";
		const isOfFeed = this.#epoch !== void 0 && this.#key === void 0;
		if (isExpired && this.isBegun && isOfFeed) this.begin();
		else this.#finish(end);
	}
	#wake() {
		for (const resolve of this.#waiting.splice(0)) resolve();
	}
	#finish(end) {
		this.#end = end;
		this.#connection.leave(this);
		this.#wake();
	}
	/** Acknowledges the items that the loop has taken, when they are half of the window. */
	#acknowledge() {
		const taken = this.#last - this.#items.length;
		if (taken - this.#acknowledged < this.#window / 2) return;
		const count = this.#epoch === void 0 ? taken - this.#acknowledged : taken;
		this.#acknowledged = taken;
		this.#connection.tell(`["ack",${this.subscriptionId},${count}]`);
	}
};
/** Decodes the end of a message that has the form of an answer. Its first element replaces the call's id. */
function decodeTail(tail, make) {
	return decodeAnswer(tail, make);
}
/** Requires a number of an event, or of how many there can be. */
function requireId(number) {
	return isId(number) ? number : malformed();
}
/** Converts bytes to Base64, so that equal values have equal text, however their bytes were sent. */
function bytesAsText(_, part) {
	const bytes = Array.isArray(part) && part[1];
	return bytes instanceof ArrayBuffer ? ["ArrayBuffer", toBase64(bytes)] : part;
}
// src/features/subscriptions/client/readers.ts
/** Connects all loops of one client to its session and its connection. */
/** The kinds of messages about subscriptions. */
const OURS = /* @__PURE__ */ new Set([
	"subscribed",
	"next",
	"window",
	"epoch",
	"value",
	"complete"
]);
var Readers = class {
	#session;
	#readers = /* @__PURE__ */ new Map();
	#last = 0;
	/** The ends of subscriptions while there was no connection: the object waits for the readers of streams. */
	#untold = [];
	/** Whether the object has sent a message about subscriptions on the current connection. */
	#isKnown = false;
	constructor(session) {
		this.#session = session;
		this.resolve = session.resolve;
		const { opened, received, lost, isAwaiting } = session;
		session.isAwaiting = () => this.#readers.size > 0 || isAwaiting();
		session.opened = () => {
			this.#isKnown = false;
			for (const message of this.#untold.splice(0)) this.tell(message);
			const later = [...this.#readers.values()].filter((reader) => !reader.begin(false));
			opened();
			for (const reader of later) reader.begin();
		};
		session.lost = (error, ...details) => {
			if (error) for (const reader of this.#readers.values()) stop(reader, error);
			lost(error, ...details);
		};
		session.received = (frame) => void this.#receive(frame, received);
	}
	/** @returns its number */
	add(reader) {
		this.#readers.set(++this.#last, reader);
		return this.#last;
	}
	begin(message) {
		if (message.length + 2 > 4194304) limitExceeded("frameSize", FRAME_SIZE);
		const isSent = this.tell(message);
		this.#session.connection.open();
		return isSent;
	}
	tell(message) {
		const session = this.#session;
		const { isDuplex } = session.connection;
		if (isDuplex) session.send([message]);
		return isDuplex;
	}
	leave({ subscriptionId, cursor }) {
		const message = `["unsubscribe",${subscriptionId}]`;
		if (!this.#readers.delete(subscriptionId) || this.tell(message)) return;
		if (cursor !== void 0) this.#untold.push(message);
	}
	async #receive(messages, received) {
		const [[kind, thrown] = []] = messages;
		const refusal = kind === "error" && refusalIn(thrown);
		const isMalformed = refusal && refusal.code === "BAD_MESSAGE";
		if (refusal && !(isMalformed && this.#isKnown)) {
			for (const [n, reader] of this.#readers) {
				if (reader.isBegun) continue;
				if (isMalformed) this.#readers.delete(n);
				stop(reader, refusal);
			}
			if (isMalformed) return;
		}
		const ours = [];
		const others = messages.filter((message) => !OURS.has(message[0]) || !ours.push(message));
		if (ours.length > 0) this.#isKnown = true;
		received(others);
		for (let turn = 0; turn < 5; turn++) await void 0;
		for (const message of ours) {
			const [, id] = message;
			this.#readers.get(typeof id === "number" && Math.abs(id))?.receive(message);
		}
	}
};
/** Stops a loop with an error of its own, since code that catches an error can change it. */
function stop(reader, error) {
	reader.stop({ thrown: copyOfError(error) });
}
/** The error of a rejected frame. */
function refusalIn(thrown) {
	try {
		const error = decodeTail(structuredClone([
			0,
			"error",
			thrown
		])).thrown;
		if (error instanceof RpcError) return error;
	} catch {}
}
const all = /* @__PURE__ */ new WeakMap();
function readersOf(session) {
	const readers = all.get(session) ?? new Readers(session);
	all.set(session, readers);
	return readers;
}
// src/features/subscriptions/client/subscribe.ts
/**
* Returns the methods of a client that its contract lists by `live`, `events`, `stream` or `rows`, as subscriptions: a
* method returns an async iterable.
*
* A live value arrives at once, then whenever it has changed. A slow loop misses values, but not the newest. The events
* of a feed each arrive once and in order while the loop runs, even after lost connections, hibernation and restarts of
* the object. So do rows. The items of a stream each arrive once and in order, even after lost connections, as long as
* the object keeps the stream in its memory. When you leave the loop, the subscription ends, and so does the source of
* the items: the `finally` of a generator runs.
*
* A loop rejects with what the method threw, or with an `RpcError`: `CURSOR_EXPIRED` if the feed no longer has
* the next event, `DISCONNECTED` if the object was stopped with a stream in its memory, `CLOSED` if the client
* was closed, `ABORTED` if the signal was aborted, or the error that has ended its connection for good.
*
* @param client - from `createRpcClient`, or a capability
* @param options - `after`, a cursor, and `signal`, an `AbortSignal` that ends the loops
* @throws TypeError for a client whose `transport` is `'http'`
* @example
* for await (const message of subscribe(room).messages()) print(message);
*/
function subscribe(client, options = {}) {
	const [session, , , calleeOf] = internalsOf(client);
	if (!session.transport.isDuplex) throw new TypeError("Subscriptions need a WebSocket");
	const methods = new Proxy({}, { get: (_, name) => typeof name === "symbol" || name === "then" ? void 0 : (...args) => {
		const rest = encodeArgs(args, session.referenceOf);
		const invocation = (retry) => {
			const callee = calleeOf ? calleeOf(name, retry) : name;
			return callee && JSON.stringify(callee) + rest;
		};
		return new Readable(session, invocation, options, methods, name + rest);
	} });
	return methods;
}
/**
* Returns text that is the same for subscriptions to the same method with the same arguments.
*
* @param methods - from `subscribe`
* @returns `undefined` for a value that none of the methods has returned
*/
function subscriptionKeyOf(subscription, methods) {
	const { methods: origin, key } = Object(subscription);
	return origin === methods ? key : void 0;
}
var Readable = class {
	#session;
	#invocation;
	#options;
	/** What `subscribe` has returned. */
	methods;
	key;
	#readers = /* @__PURE__ */ new Set();
	/** The reader of the loop that started last. */
	#reader;
	constructor(session, invocation, options, methods, key) {
		this.#session = session;
		this.#invocation = invocation;
		this.#options = options;
		this.methods = methods;
		this.key = key;
	}
	get cursor() {
		return this.#reader?.cursor || this.#options.after;
	}
	[Symbol.asyncIterator]() {
		const { after, signal } = this.#options;
		let reader;
		const abort = () => {
			const cause = signal?.reason;
			reader?.stop({ thrown: new RpcError("ABORTED", "The subscription was aborted", { cause }) });
		};
		const left = () => {
			signal?.removeEventListener("abort", abort);
			this.#readers.delete(reader);
		};
		const begin = async () => {
			this.#session.admit();
			const made = reader = new Reader(readersOf(this.#session), this.#invocation, after, left);
			this.#readers.add(this.#reader = made);
			if (signal?.aborted) abort();
			signal?.addEventListener("abort", abort);
			const item = made.take();
			await void 0;
			made.start();
			return item;
		};
		return {
			next: () => reader ? reader.take() : begin(),
			return: async () => {
				reader?.stop({});
				return {
					done: true,
					value: void 0
				};
			}
		};
	}
	async [Symbol.asyncDispose]() {
		for (const reader of this.#readers) reader.stop({});
	}
};
export { Reader, decodeTail, readersOf, requireId, subscribe, subscriptionKeyOf };
