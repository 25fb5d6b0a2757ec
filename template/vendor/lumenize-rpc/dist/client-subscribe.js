import { FRAME_SIZE, MISSING, RpcError, decodeAnswer, decodeCursor, decodeRich, encodeArgs, encodeCursor, encodeSubscribe, isId, limitExceeded, malformed, requireText, toBase64 } from "./wire.js";
import { Timer, copyOfError, internalsOf } from "./client-core.js";
// src/features/subscriptions/client/keyed-rows.ts
/**
* The rows of a live value whose rows have keys, as they have arrived. A row that has not changed stays the same object.
* A patch says which rows stay. If all rows arrive, they are compared with the previous rows as text.
*/
var KeyedRows = class {
	/** The value after the last patch. */
	value;
	#rows = [];
	#lists = /* @__PURE__ */ new Map();
	/** The names of the lists and their lengths. */
	#names;
	/**
	* @returns whether the value has changed
	* @throws any error for a malformed patch
	*/
	patch([parts, ...names], isWhole, resolve) {
		const before = this.#rows;
		const known = new Map(isWhole ? before.map((row) => [row.text, row]) : []);
		const rows = [];
		for (let index = 0; index < parts.length;) {
			const part = parts[index++];
			if (typeof part === "number") {
				const end = part + parts[index++];
				for (let place = part; place < end; place++) rows.push(before[place] ?? malformed());
			} else {
				const text = JSON.stringify(part);
				rows.push(known.get(text) ?? {
					text,
					value: decoded(part, resolve)
				});
			}
		}
		const named = JSON.stringify(names);
		const isNew = named !== this.#names || !isEqual(rows, before);
		this.#rows = rows;
		this.#names = named;
		const values = rows.map(({ value }) => value);
		this.value = names.length > 0 ? this.#byName(values, names) : values;
		return isNew;
	}
	/** Returns the lists by name. A list whose rows have all stayed remains the same array. */
	#byName(rows, [isMap, ...names]) {
		const lists = /* @__PURE__ */ new Map();
		let start = 0;
		for (let index = 0; index < names.length; index += 2) {
			const list = rows.slice(start, start += names[index + 1]);
			const old = this.#lists.get(names[index]);
			lists.set(names[index], old && isEqual(list, old) ? old : list);
		}
		this.#lists = lists;
		return isMap ? new Map(lists) : Object.fromEntries(lists);
	}
};
function decoded(part, resolve) {
	return Array.isArray(part) ? decodeRich(part, resolve) : part;
}
function isEqual(one, other) {
	return one.length === other.length && one.every((item, at) => item === other[at]);
}
// src/features/subscriptions/client/reader.ts
/** A loop over a subscription, with the items that have arrived for it, and its position. */
/** The time that a loop that has worked waits if the object no longer has its method, in milliseconds. */
const PATIENCE = 6e5;
/** The text of a live value that has arrived in rows. */
const PATCHED = "patch";
var Reader = class {
	/** True if the object has confirmed the subscription on the current connection. */
	isBegun = false;
	/** The kind of the last message. After `window`, a live value may not be the newest. */
	kind;
	/** Subscribes again. It does nothing after a later attempt, for example on a new connection. */
	#retry;
	/** The items that have arrived, and that the loop has not taken. */
	#items = [];
	#epoch;
	/** The property of rows that is their cursor. */
	#key;
	/** The number of the last event that has arrived; for a live value, the number of values that have arrived. */
	#last = 0;
	/** The number of the last acknowledged event; for a live value, the number of acknowledged values. */
	#acknowledged = 0;
	/** The window of the subscription; 0 until the object has confirmed the subscription for the first time. */
	#window = 0;
	/** The time since which the object lacks the method, in the time of `performance.now()`. */
	#missingSince;
	/** The last live value, as text. */
	#text;
	#rows = new KeyedRows();
	/** The number of the last patch of the rows; `undefined` if the object does not know which rows the client has. */
	#patched;
	#end;
	/** Wakes the calls of `take` that wait for an item. */
	#waiting = [];
	#invocation;
	#connection;
	#left;
	#missed;
	/**
	* @param left - called when the loop has ended
	* @param missed - called when events of a volatile feed may be missing
	*/
	constructor(connection, invocation, after, left, missed) {
		this.#connection = connection;
		this.subscriptionId = connection.add(this);
		this.#invocation = invocation;
		this.cursor = after;
		this.#left = left;
		this.#missed = missed;
	}
	/** Subscribes, unless the opening of a connection has done so already. A port opens within the tick. */
	start() {
		if (!this.#retry) this.begin();
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
			const retry = this.#retry = () => void (retry === this.#retry && this.begin());
			const text = this.#invocation(waits ? retry : void 0);
			if (text && this.#connection.begin(encodeSubscribe(this.subscriptionId, this.cursor, text))) this.cursor ??= 0;
			return text !== void 0;
		} catch (thrown) {
			this.stop({ thrown });
			return true;
		}
	}
	/** The number of items that have arrived and that the loop has not taken. */
	get length() {
		return this.#items.length;
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
		this.kind = kind;
		if (kind === "subscribed") this.#begun(message);
		else if (kind === "value") this.#value(message);
		else if (kind === "complete") this.#complete(message);
		else if (kind === "gap") this.#missed?.();
		else if (this.isBegun) {
			if (kind === "patch") this.#patch(message);
			else this.#next(message);
		}
	}
	#begun(message) {
		const [, , cursor, window = cursor ? 64 : 16] = message;
		this.isBegun = true;
		this.#last = this.#acknowledged = 0;
		this.#patched = void 0;
		this.#epoch = cursor ? "" : void 0;
		this.#window = requireId(window);
		this.#key = void 0;
		if (Array.isArray(cursor)) this.#key = requireText(cursor[0]);
		else if (cursor !== void 0) {
			const [event, epoch] = requireText(cursor).split(".");
			this.#missingSince = void 0;
			this.#last = this.#acknowledged = event === "0" ? 0 : requireId(Number(event));
			this.#epoch = requireText(epoch);
			this.after = cursor;
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
		this.#patched = void 0;
		this.#items = [];
		this.#push(message.slice(1));
	}
	/** Receives rows of a live value: all rows, or the rows that have changed. */
	#patch([, , number, ...patch]) {
		if (this.#epoch !== void 0 || !Array.isArray(patch[0])) malformed();
		const isWhole = number === 0;
		if (!isWhole && number !== this.#patched + 1) return void this.begin();
		this.#patched = number;
		this.#last++;
		if (!this.#rows.patch(patch, isWhole, this.#connection.resolve) && this.#text === PATCHED) return;
		this.#text = PATCHED;
		this.#missingSince = void 0;
		this.#items = [{
			value: this.#rows.value,
			cursor: void 0
		}];
	}
	/** @returns the number of items in the message, which can be several because rows arrive in lists */
	#push(tail, cursor) {
		this.#missingSince = void 0;
		const answer = decodeAnswer(tail, this.#connection.resolve);
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
			this.cursor ||= void 0;
			this.begin();
			return;
		}
		const end = decodeAnswer(message.slice(1));
		if ("result" in end && message.length > 2) malformed();
		const { code, message: reason } = end.thrown ?? {};
		const isOfFeed = this.#epoch !== void 0 && !this.#key;
		if (code === "CURSOR_EXPIRED" && this.isBegun && isOfFeed) return void this.begin();
		const now = performance.now();
		const waited = now - (this.#missingSince ??= now);
		const hasWorked = this.isBegun ? this.#last : this.#window;
		if (!MISSING.test(code) || !hasWorked || waited > PATIENCE) return this.#finish(end);
		if (!waited) console.warn(`Subscription waits: ${reason}`);
		this.isBegun = false;
		new Timer(this.#retry).watch(now + 500 + waited);
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
/** Requires a positive integer: the number of an event, or a window. */
function requireId(number) {
	return isId(number) ? number : malformed();
}
/** Converts bytes to Base64, so that equal values have equal text, however their bytes were sent. */
function bytesAsText(_, part) {
	const bytes = part?.[1];
	return bytes instanceof ArrayBuffer ? ["ArrayBuffer", toBase64(bytes)] : part;
}
// src/features/subscriptions/client/readers.ts
/** Connects all loops of one client to its session and its connection. */
/** The kinds of messages about subscriptions. */
const OURS = /* @__PURE__ */ new Set([
	"subscribed",
	"next",
	"window",
	"gap",
	"epoch",
	"value",
	"patch",
	"complete"
]);
function makeReaders(session) {
	const { resolve, connection, opened, received, rejectAll, isAwaiting } = session;
	const readers = /* @__PURE__ */ new Map();
	let last = 0;
	/**
	* The messages that end subscriptions, from a time without a connection. They are sent later, since the object keeps
	* streams.
	*/
	const untold = [];
	const tell = (message) => {
		if (!connection.isDuplex) return false;
		session.send([message]);
		return true;
	};
	session.isAwaiting = () => readers.size > 0 || isAwaiting();
	session.opened = () => {
		untold.splice(0).forEach(tell);
		const later = [...readers.values()].filter((reader) => !reader.begin(false));
		opened();
		for (const reader of later) reader.begin();
	};
	session.rejectAll = (error, onlySent, first) => {
		for (const reader of readers.values()) if (!onlySent || !reader.isBegun) reader.stop({ thrown: copyOfError(error) });
		rejectAll(error, onlySent, first);
	};
	session.received = async (messages) => {
		const ours = [];
		received(messages.filter((message) => !OURS.has(message[0]) || !ours.push(message)));
		for (let turn = 0; turn < 5; turn++) await void 0;
		for (const message of ours) {
			const [, id] = message;
			readers.get(typeof id === "number" && Math.abs(id))?.receive(message);
		}
	};
	return {
		resolve,
		tell,
		add(reader) {
			readers.set(++last, reader);
			return last;
		},
		begin(message) {
			if (message.length + 2 > 4194304) limitExceeded("frameSize", FRAME_SIZE);
			const isSent = tell(message);
			connection.open();
			return isSent;
		},
		leave({ subscriptionId, cursor }) {
			const message = `["unsubscribe",${subscriptionId}]`;
			if (readers.delete(subscriptionId) && !tell(message) && cursor !== void 0) untold.push(message);
		}
	};
}
function readersOf(session) {
	return session.subscriptions ??= makeReaders(session);
}
// src/features/subscriptions/client/subscribe.ts
/**
* Returns the methods that the contract lists by `live`, `events`, `stream` or `rows`, as subscriptions. Each method
* returns an async iterable.
*
* - A live value arrives at once, then whenever it has changed. A slow loop misses values, but not the newest value.
* - Each event of a feed, and each row of `rows`, arrives once and in order while the loop runs, even after lost
*   connections, hibernation and restarts of the object.
* - Each item of a stream arrives once and in order, even after lost connections, as long as the object keeps the stream
*   in its memory.
*
* When you leave the loop, the subscription ends, and so does the source of the items: the `finally` of a generator runs.
*
* A loop rejects with the error that the method threw, with the error that has ended its connection for good, or with one
* of these `RpcError`s:
*
* - `CURSOR_EXPIRED` if the feed no longer has the next event
* - `DISCONNECTED` if the object was stopped with a stream in its memory
* - `CLOSED` if the client was closed
* - `ABORTED` if the signal was aborted
*
* @param client - from `createRpcClient`, or a capability
* @param options - `after`, a cursor; `signal`, an `AbortSignal` that ends the loops; `onGap`, which is called once if
*   events of a volatile feed are missing
* @returns the methods
* @throws TypeError for a client whose `transport` is `'http'`
* @example
* for await (const message of subscribe(room).messages()) print(message);
*/
function subscribe(client, options = {}) {
	const [session, , , calleeOf] = internalsOf(client);
	if (!session.transport.isDuplex) throw new TypeError("Subscriptions need a WebSocket");
	const methods = new Proxy({}, { get: (_, name) => typeof name === "symbol" || name === "then" ? void 0 : (...args) => {
		const rest = encodeArgs(args, session.referenceOf);
		const invocation = (retry, end = rest) => {
			const callee = calleeOf ? calleeOf(name, retry) : name;
			return callee && JSON.stringify(callee) + end;
		};
		return readable(session, invocation, options, {
			methods,
			key: name + rest,
			invocation
		});
	} });
	return methods;
}
/**
* Returns text that identifies the method and the arguments of a subscription.
*
* @param methods - the result of `subscribe`
* @returns `undefined` for a value that none of the methods has returned
*/
function subscriptionKeyOf(subscription, methods) {
	const { methods: origin, key } = Object(subscription);
	return origin === methods ? key : void 0;
}
/** Returns whether the item that a loop received last is a snapshot, which replaces all earlier items. */
function isSnapshot(subscription) {
	const { cursor, reader } = subscription;
	return cursor === reader?.after;
}
function readable(session, invocation, { after, signal, onGap }, origin) {
	const readers = /* @__PURE__ */ new Set();
	let newest;
	const dispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
	return {
		...origin,
		session,
		get reader() {
			return newest;
		},
		get cursor() {
			return newest?.cursor || after;
		},
		async [dispose]() {
			for (const reader of readers) reader.stop({});
		},
		[Symbol.asyncIterator]() {
			let reader;
			const abort = () => {
				const cause = signal?.reason;
				const thrown = new RpcError("ABORTED", "Subscription aborted", { cause });
				reader?.stop({ thrown });
			};
			const left = () => {
				signal?.removeEventListener("abort", abort);
				readers.delete(reader);
			};
			const begin = async () => {
				session.admit();
				const made = new Reader(readersOf(session), invocation, after, left, onGap);
				readers.add(newest = reader = made);
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
	};
}
// src/features/subscriptions/client/selector.ts
/**
* Returns the chosen subscription, and a key that identifies its method, its arguments and its cursor; or `undefined` if
* there is nothing to read.
*/
function selectSubscription(client, read, { after, onGap } = {}) {
	if (!read) return;
	const methods = subscribe(client, {
		after,
		onGap
	});
	const subscription = read(methods);
	if (!subscription) return;
	const key = subscriptionKeyOf(subscription, methods);
	if (key === void 0) throw new TypeError("`read` must return a subscription of the methods that it receives");
	return [after === void 0 ? key : `${key} after ${after}`, subscription];
}
// src/features/subscriptions/client/text-reader.ts
/**
* A subscription to a feed whose events are passed on as text. While it runs, it can also fetch events from other
* positions. Such a question is one frame, which ends the subscription, subscribes under another number after the
* cursor, ends that subscription, and subscribes again. So there is never a second subscription, and the answer has its
* own number.
*/
/** The number of times that a subscription begins anew because its events are gone, before it ends. */
const MAX_EXPIRATIONS = 5;
var TextReader = class extends Reader {
	/** The duration of the last answer, in milliseconds. */
	delay = 0;
	/** True if the object has said that events of a volatile feed are missing. */
	isVolatile = false;
	#connection;
	#invocation;
	#listener;
	#last = 0;
	#epoch = "";
	#acknowledged = 0;
	#window = 64;
	#answers;
	/** True if a question has been sent, and its answer has not begun. */
	#isAsking = false;
	#answer;
	#questions = [];
	/** The questions that are answered next, which all have one cursor. */
	#asked = [];
	#answerEpoch = "";
	#expirations = 0;
	#askedAt = 0;
	#ended;
	/** @param invocation - the method and its arguments, as text */
	constructor(connection, invocation, listener) {
		super(connection, () => invocation, void 0, () => {});
		this.#connection = connection;
		this.#invocation = invocation;
		this.#listener = listener;
		this.#answers = new Answers(connection, this, (message) => this.#answered(message));
	}
	/**
	* Requests the events that the object has after a cursor; without a cursor, the end of the feed, or the snapshot
	* there. The listener receives the answer. One question is sent at a time.
	*
	* @param isWanted - returns whether the answer is still needed; called before the question is sent
	* @returns whether the object has the position; false for a question that was no longer wanted
	* @throws the error of the object
	*/
	ask(cursor, isWanted) {
		const question = {
			cursor,
			isWanted,
			...Promise.withResolvers()
		};
		if (this.#ended) question.reject(this.#ended.thrown);
		else this.#questions.push(question);
		queueMicrotask(() => this.#askNext());
		return question.promise;
	}
	/** Ends the subscription. */
	leave(thrown) {
		this.#ended = { thrown };
		super.stop({});
		this.#connection.leave(this.#answers);
		for (const { reject } of [...this.#asked, ...this.#questions]) reject(thrown);
	}
	stop({ thrown }) {
		if (!this.#ended) this.#listener.stop(thrown);
	}
	/** @param waits - false over a new connection, which carries no answers to earlier messages */
	begin(waits = true) {
		if (!waits) this.#listener.reconnected();
		this.#questions.unshift(...this.#asked.splice(0));
		this.#isAsking = false;
		this.#answer = void 0;
		this.#askedAt = Date.now();
		return super.begin(waits);
	}
	handle(message) {
		const [kind, , event, window = 64, ...rest] = message;
		if (this.#isAsking) return;
		if (kind === "gap") {
			this.isVolatile = true;
			this.cursor = void 0;
		} else if (kind === "complete") this.#refused(endIn(message).thrown ?? notFeed());
		else if (kind === "subscribed") {
			const position = decodeCursor(event);
			if (position) this.#begun({
				position,
				snapshot: textOf(rest)
			}, requireId(window));
			else this.stop({ thrown: notFeed() });
		} else if (!this.isBegun) return;
		else if (kind === "window") this.#window = requireId(event);
		else if (kind === "next") this.#take(requireId(event), textOf(message.slice(3)));
		else if (kind === "epoch") {
			this.#epoch = requireText(message[3]);
			if (event !== this.#last && (event === 0 || requireId(event))) this.begin();
		}
	}
	/** Receives a message about the question. */
	#answered(message) {
		const [kind, , cursor, , ...rest] = message;
		if (kind === "gap") return void (this.isVolatile = true);
		const isFirst = this.#isAsking;
		this.#isAsking = false;
		if (isFirst && kind === "complete") {
			const { thrown = notFeed() } = endIn(message);
			this.#answer = {
				events: [],
				thrown
			};
		} else if (isFirst) {
			const position = decodeCursor(cursor);
			if (!position) return this.stop({ thrown: notFeed() });
			this.#answer = {
				beginning: {
					position,
					snapshot: textOf(rest)
				},
				events: []
			};
			this.#answerEpoch = position.epoch;
		} else if (kind === "epoch") this.#answerEpoch = requireText(message[3]);
		else if (kind === "next") this.#answer?.events.push({
			epoch: this.#answerEpoch,
			text: textOf(message.slice(3))
		});
	}
	#askNext() {
		if (!this.isBegun || this.#ended) return;
		for (const { isWanted, resolve } of this.#questions) if (!isWanted()) resolve(false);
		const wanted = this.#questions.filter(({ isWanted }) => isWanted());
		const [first] = wanted;
		this.#asked = wanted.filter(({ cursor }) => cursor === first?.cursor);
		this.#questions = wanted.filter(({ cursor }) => cursor !== first?.cursor);
		if (!first) return;
		const ids = [this.subscriptionId, this.#answers.subscriptionId];
		const [end, endQuestion] = ids.map((id) => `["unsubscribe",${id}]`);
		const question = encodeSubscribe(ids[1], first.cursor, this.#invocation);
		const again = encodeSubscribe(ids[0], this.cursor, this.#invocation);
		this.isBegun = false;
		this.#isAsking = true;
		this.#askedAt = Date.now();
		this.#connection.tell([
			end,
			question,
			endQuestion,
			again
		].join());
	}
	#settle({ beginning, events, thrown }) {
		const asked = this.#asked.splice(0);
		const isThere = beginning && asked[0]?.cursor === encodeCursor(beginning.position);
		if (beginning) this.#listener.answered(!!isThere, beginning, events);
		for (const { resolve, reject } of asked) if (beginning || isExpired(thrown)) resolve(!!isThere);
		else reject(thrown);
	}
	#refused(thrown) {
		if (!isExpired(thrown) || ++this.#expirations > MAX_EXPIRATIONS) return this.stop({ thrown });
		this.cursor = void 0;
		this.begin();
	}
	#begun(beginning, window) {
		const { position, snapshot } = beginning;
		const goesOn = this.cursor === encodeCursor(position) && !snapshot;
		if (!goesOn && this.cursor && !snapshot) return void this.begin();
		const answer = this.#answer;
		this.#answer = void 0;
		this.#expirations = 0;
		this.isBegun = true;
		this.cursor = encodeCursor(position);
		this.#last = this.#acknowledged = position.event;
		this.#epoch = position.epoch;
		this.#window = window;
		this.delay = Date.now() - this.#askedAt;
		this.#listener.begun(goesOn ? void 0 : beginning);
		if (answer) this.#settle(answer);
		this.#askNext();
	}
	#take(event, text) {
		if (event > this.#last + 1) this.begin();
		if (event !== this.#last + 1) return;
		this.#last = event;
		const epoch = this.#epoch;
		this.cursor = encodeCursor({
			event,
			epoch
		});
		if (event - this.#acknowledged >= this.#window / 2) {
			this.#acknowledged = event;
			this.#connection.tell(`["ack",${this.subscriptionId},${event}]`);
		}
		this.#listener.take({
			epoch,
			text
		});
	}
};
/** Receives the answers to the questions of another reader. */
var Answers = class extends Reader {
	#asking;
	#receive;
	constructor(connection, asking, receive) {
		super(connection, () => void 0, void 0, () => {});
		this.#asking = asking;
		this.#receive = receive;
	}
	/** Sends nothing over a new connection, because the other reader sends its questions again. */
	begin() {
		return true;
	}
	stop(end) {
		this.#asking.stop(end);
	}
	handle(message) {
		this.#receive(message);
	}
};
/** Returns the end of a message as text, as it was received. */
function textOf(rest) {
	return rest.length > 0 ? `,${JSON.stringify(rest).slice(1, -1)}` : "";
}
function isExpired(thrown) {
	return thrown?.code === "CURSOR_EXPIRED";
}
function notFeed() {
	return new RpcError("METHOD_NOT_FOUND", "The method of the origin returns no feed");
}
function endIn(message) {
	return decodeAnswer(message.slice(1));
}
export { OURS, Reader, TextReader, isSnapshot, readersOf, selectSubscription, subscribe };
