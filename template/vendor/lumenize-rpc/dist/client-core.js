import { BINARY_TYPE, CALL, CALL_SEGMENT, CLIENT_ID, FRAME_SIZE, MAX_DELAY, MISSING, PROBE, RpcError, SUBPROTOCOL, TO_REFERENCE, argsOf, decodeAnswer, decodeRich, encodeCall, limitExceeded, parseFrame, pieceJoiner, piecesOf, readPath } from "./wire.js";
// src/client/failures.ts
/** The errors of calls and connections. */
const CODES = {
	401: "UNAUTHORIZED",
	403: "FORBIDDEN",
	404: "NOT_FOUND",
	408: "UNAVAILABLE",
	426: "UNAVAILABLE",
	429: "UNAVAILABLE"
};
/**
* Returns the error of a client that the server has rejected.
*
* @param status - the HTTP status
* @param text - the text of the response, or the reason of a close
* @param url - the URL that answered
*/
function rejectionOf(status, text, url) {
	const code = CODES[status] ?? (status >= 500 ? "UNAVAILABLE" : "BAD_RESPONSE");
	const message = `The server answered ${status}${text && `: ${text.slice(0, 200)}`} (${url})`;
	return new RpcError(code, message, { status });
}
/**
* Returns the message of an error without the address that `rejectionOf` has added, for readers who must not see it.
*/
function messageWithoutAddress({ message, status }) {
	return status === void 0 ? message : message.replace(/ \(https?:[^ ]*\)$/, "");
}
/** Returns the error of a connection that was lost or could not be opened, or of a request without a response. */
function connectionError(reason, cause) {
	return new RpcError("DISCONNECTED", String(reason), { cause });
}
/** Returns whether another attempt would fail in the same way. */
function isPermanent({ status, code }) {
	return status >= 400 && code !== "UNAVAILABLE";
}
/**
* Returns a separate error for each call, since the frames of its caller are added to its stack.
*
* @param maybeExecuted - whether the call may have run, unless the error itself says that no call has run
*/
function copyOfError(error, maybeExecuted) {
	return new RpcError(error.code, error.message, {
		maybeExecuted,
		...error,
		cause: error.cause
	});
}
/**
* Returns the error of a call that was aborted or has timed out.
*
* @param cause - the reason of the signal, or the last failure to connect
* @param reason - only for a call that has timed out: the state of the connection
*/
function unfinishedError({ method, sentAt, timeout }, cause, reason) {
	const name = method.name ?? method;
	return new RpcError(reason ? "TIMEOUT" : "ABORTED", name + (reason ? ` timed out after ${timeout} ms: ${reason}` : " was aborted"), {
		cause,
		maybeExecuted: !!sentAt
	});
}
// src/client/options.ts
/** Returns the current value of a `ValueOrGetter`. */
function currentValue(value) {
	return typeof value === "function" ? value() : value;
}
// src/client/transports/http.ts
/**
* @param url - the URL of the object's `call` path
* @param options - if `headers` is a function, a request is repeated once after a 401
*/
function createPost(url, { headers, fetch: send }) {
	return async (body, own, signal, credentials) => {
		for (let isLast = typeof headers !== "function";; isLast = true) {
			let response;
			let answer;
			try {
				response = await (send ?? fetch)(url, {
					method: "POST",
					headers: {
						Accept: "application/json",
						...await currentValue(headers),
						...own(),
						"Content-Type": typeof body === "string" ? "application/json" : BINARY_TYPE
					},
					body,
					signal,
					credentials
				});
				answer = await (response.headers.get("Content-Type") === "application/octet-stream" ? response.arrayBuffer() : response.text());
			} catch (cause) {
				throw connectionError(`${cause} (CORS or Content Security Policy? ${url})`, cause);
			}
			if (response.ok && String(answer)[0] === "[") return answer;
			if (isLast || response.status !== 401) throw rejectionOf(response.status, answer, response.url || url);
		}
	};
}
/**
* Creates a transport that sends each frame as a POST. A failed request counts as a lost connection: all calls without
* an answer are then sent again.
*
* @param url - the URL of the object's `call` path
* @param clientId - returns the client's id
*/
function httpTransport(url, post, clientId) {
	let events;
	let requests;
	return {
		address: url,
		clientId,
		connect(session) {
			requests = new AbortController();
			events = session;
			events.opened();
		},
		send(frame) {
			const { signal } = requests;
			const fail = (error, isRefusal = isPermanent(error)) => {
				if (signal.aborted) return;
				requests?.abort();
				events.lost(error, isRefusal, isPermanent(error) && frame);
			};
			post(frame, () => ({ [CLIENT_ID]: clientId() }), signal).then((answers) => {
				if (events.received(answers) === false) fail(rejectionOf(200, `${answers}`, url), true);
			}, fail);
		},
		close() {
			requests?.abort();
		}
	};
}
// src/client/call.ts
var Call = class {
	#resolve;
	constructor(session, id, method, timeout) {
		this.session = session;
		this.timeout = timeout;
		this.id = id;
		this.method = method;
		this.deadline = performance.now() + timeout;
		this.sentAt = session.transport.since;
		this.promise = new ResultPromise((resolve) => {
			this.#resolve = resolve;
		}, [this]);
	}
	reject(thrown) {
		this.settle({ thrown });
	}
	settle(outcome) {
		this.outcome = outcome;
		this.onSettled?.();
		this.inputs = this.onSettled = void 0;
		this.message = "";
		this.#resolve("thrown" in outcome ? rejectLater(outcome.thrown) : outcome.result);
	}
};
/** Errors whose stacks already have the caller's frames: several calls can reject with one error. */
const complete = /* @__PURE__ */ new WeakSet();
/**
* Rejects after a few microtasks, when the caller's `await` is attached to the promise. A stack that is captured then
* includes the frames of the caller. A stack captured for every call would show them in more cases, but it would cost
* more than all other work of the call.
*/
async function rejectLater(thrown) {
	for (let turn = 0; turn < 3; turn++) await void 0;
	if (thrown instanceof Error && !complete.has(thrown)) {
		complete.add(thrown);
		const [, ...frames] = (/* @__PURE__ */ new Error()).stack?.match(/^ +at (?!.*node:internal).*/gm) ?? [];
		thrown.stack = [thrown.stack, ...frames].join("\n");
	}
	throw thrown;
}
/** The key of the internals of a client or a capability. Code outside the runtime does not have the symbol. */
const INTERNALS = Symbol();
/**
* Matches the text of `Symbol.dispose` and `Symbol.asyncDispose`. Engines without these symbols use substitutes:
* bundlers use `Symbol.for('Symbol.dispose')`, and polyfills create a symbol, maybe after this file was loaded.
*/
const DISPOSAL = /ispose\)$/;
/** The key of the part that a promise represents. Code outside this file does not have the symbol. */
const PART = Symbol();
/**
* Names that libraries look up to recognize a value, so they are not parts of results. The characters begin names that
* belong to libraries by convention, such as `_debugInfo`, `$$typeof` and `@@iterator`.
*/
const PROBED = /^([_$@]|(nodeType|toJSON)$)/;
/** Returns the call and the path that a promise represents; `undefined` for any value that is not such a promise. */
function resultPartOf(value) {
	return value?.[PART];
}
/**
* The promise of a result. It is an ordinary promise, which keeps the properties that libraries set on it. Only a
* property that it lacks is looked up in its prototype, and is then a part of the result.
*/
var ResultPromise = class extends Promise {
	/** This is a private field, since a hidden property would make a batch of calls a third slower. */
	#part;
	constructor(run, part) {
		super(run);
		this.#part = part;
	}
	static {
		this.prototype.constructor = Promise;
		const handler = { get(members, key, promise) {
			if (key === PART) return #part in promise && promise.#part;
			const part = resultPartOf(promise);
			if (!part || key in members) return members[key];
			if (typeof key === "symbol") return part[0].session.symbolOf?.(key, part);
			return PROBED.test(key) ? void 0 : promiseOf([...part, key]);
		} };
		const members = Object.create(Promise.prototype);
		Object.setPrototypeOf(this.prototype, new Proxy(members, handler));
	}
};
/**
* Returns the promise of a result, or of a part of a result. The promise of a part starts to wait for the result at its
* first `then`.
*/
function promiseOf(part) {
	const [{ promise, session }, ...path] = part;
	if (path.length === 0) return promise;
	const then = (...handlers) => promise.then((result) => readPath(result, path)).then(...handlers);
	const members = {
		[PART]: { value: part },
		then: { value: then }
	};
	const promised = Object.create(ResultPromise.prototype, members);
	return session.callable?.(promised, part) ?? promised;
}
// src/client/timer.ts
/** One timer for many deadlines, and the end of a tick. */
/**
* Returns a delay for timers. Zero, a negative number and `NaN` mean no limit, and become the longest delay that timers
* have.
*/
function delayOf(milliseconds) {
	return milliseconds > 0 ? Math.min(milliseconds, MAX_DELAY) : MAX_DELAY;
}
/**
* A timer for the earliest of many deadlines. Answers do not clear it. A timer for each call would cost more
* than all other bookkeeping of the call.
*/
var Timer = class {
	#handle;
	#due = Infinity;
	#expire;
	/** @param expire - handles everything that is due, and returns the next deadline, if there is one */
	constructor(expire) {
		this.#expire = expire;
	}
	/** Makes sure that `expire` is called at `deadline`, in the time of `performance.now()`. */
	watch(deadline) {
		const now = performance.now();
		if (deadline >= this.#due && now < this.#due) return;
		this.stop();
		this.#due = deadline;
		const delay = Math.min(Math.max(deadline - now, 0), MAX_DELAY);
		this.#handle = setTimeout(() => {
			this.#due = Infinity;
			this.watch(this.#expire(performance.now()) ?? Infinity);
		}, delay);
		this.#handle.unref?.();
	}
	stop() {
		clearTimeout(this.#handle);
		this.#due = Infinity;
	}
};
/** @returns a function that calls `run` once at the end of the tick, however often it is called in that tick */
function atEndOfTick(run) {
	let isDue = false;
	return () => {
		if (isDue) return;
		isDue = true;
		Promise.resolve().then(() => {
			isDue = false;
			run();
		});
	};
}
// src/client/connection.ts
/** Events of a page after which a new attempt may succeed. */
const HOPEFUL = ["online", "visibilitychange"];
/** The time that calls wait for the first connection of a client, in milliseconds. */
const FIRST_CONNECTION = 8e3;
/** The global object. It has events only in a page. */
const page = globalThis;
var Connection = class {
	#attempt = 0;
	/** The time until which a rejection may be temporary, in the time of `performance.now()`. */
	#hopefulUntil = 0;
	/** The time until which calls wait for the first connection, in the time of `performance.now()`. */
	#patientUntil = 0;
	#timer;
	#transport;
	#reconnect;
	#events;
	/** Returns the messages of a frame, or `undefined` for a malformed frame. */
	read = parseFrame;
	constructor(transport, reconnect = {}, events) {
		this.#transport = transport;
		this.#reconnect = reconnect;
		this.#events = events;
	}
	/** Returns whether frames that need no answer can be sent now. */
	get isDuplex() {
		return !!this.#transport.isDuplex && this.state === "open";
	}
	/** Connects if the connection is idle. */
	open() {
		if (!this.state) this.#connect();
	}
	/** Opens a new connection at once. */
	reopen() {
		this.#transport.close();
		this.state = void 0;
		this.#attempt = 0;
		this.failure = void 0;
		this.#connect();
	}
	close(error) {
		this.#stopWaiting();
		this.#end(error, true);
		this.#transport.close();
	}
	#connect = () => {
		this.#stopWaiting();
		if (this.#attempt === 0) {
			this.#patientUntil = performance.now() + FIRST_CONNECTION;
			this.#change("connecting");
		}
		if (this.state === "closed") return;
		this.#transport.connect(this);
	};
	opened = () => {
		this.#change("open");
		if (this.isDuplex) this.#hopefulUntil = Infinity;
		this.#events.opened();
	};
	received = (frame) => {
		const messages = this.read(frame);
		if (!messages) return false;
		this.#attempt = 0;
		this.failure = void 0;
		this.#hopefulUntil = Infinity;
		this.#events.received(messages);
		return true;
	};
	isAwaiting = () => this.#events.isAwaiting();
	lost = (error, isRefusal, unread) => {
		const now = performance.now();
		if (isRefusal) this.#hopefulUntil = Math.min(this.#hopefulUntil, now + 5e3);
		const isFinal = isRefusal && (this.isDuplex || now >= this.#hopefulUntil);
		if (isFinal || !this.#reconnect) return this.#end(error, isFinal, unread);
		const { minDelay = 100, maxDelay = 1e4 } = this.#reconnect;
		const delay = Math.random() * Math.min(delayOf(maxDelay), delayOf(minDelay) * 2 ** this.#attempt++);
		this.#timer = setTimeout(this.#connect, delay);
		for (const type of HOPEFUL) page.addEventListener?.(type, this.#connect);
		this.failure = error;
		const { since } = this.#transport;
		const isHopeless = error.status === 501 && this.#attempt > 1;
		const waits = since || !isHopeless && (this.#hopefulUntil || now + delay < this.#patientUntil);
		this.#events.lost(void 0, false, unread, waits ? void 0 : error);
		this.#change("reconnecting", {
			attempt: this.#attempt,
			delay,
			reason: error.message,
			error
		});
	};
	/** @param isFinal - false if the next call may connect again */
	#end(error, isFinal, unread) {
		this.#events.lost(error, isFinal, unread);
		this.#change("closed", {
			reason: error.message,
			error
		});
		if (!isFinal && this.state === "closed") this.state = void 0;
	}
	#stopWaiting() {
		clearTimeout(this.#timer);
		for (const type of HOPEFUL) page.removeEventListener?.(type, this.#connect);
	}
	#change(state, detail = {}) {
		if (this.state === "closed") return;
		this.state = state;
		try {
			this.#events.changed?.(state, detail);
		} catch (error) {
			(globalThis.reportError ?? console.error)(error);
		}
	}
};
// src/client/frames.ts
/**
* Returns the ids of the `awaits` message of a frame: the oldest call that the client awaits, then later calls that it
* no longer awaits.
*
* @param calls - the calls of the frame
* @param pending - all calls that the client awaits
* @param settled - calls that the client no longer awaits, and that no frame has reported yet
* @param lastId - the id of the newest call
* @returns an empty list if the frame needs no such message
*/
function awaitedIn(calls, pending, settled, lastId) {
	const last = calls.at(-1);
	if (!last || calls.length === pending.size && last.id === lastId) return [];
	const [oldest = 0] = pending.keys();
	return [oldest, ...settled.filter((id) => id > oldest)];
}
/**
* Writes the messages of a frame, and records when its calls are first sent.
*
* @param calls - the calls, in the order of their ids
* @param awaits - the ids from `awaitedIn`
* @param cancel - calls whose answers the client no longer needs
*/
function encodeFrame(calls, awaits, cancel) {
	const now = Date.now();
	let resent = [];
	const messages = calls.map((call) => {
		if (call.sentAt) resent = [call.id, resent[1] ?? Math.max(0, now - call.sentAt)];
		else call.sentAt = now;
		return call.message;
	});
	for (const [kind, numbers] of Object.entries({
		resent,
		awaits,
		cancel
	})) if (numbers.length > 0) messages.unshift(JSON.stringify([kind, ...numbers]));
	return messages;
}
// src/client/pipelining.ts
/**
* Calls that take the results of other calls, their inputs, as arguments. If an input is in the same frame, or
* was sent on the same connection, the call refers to it by id, and the object inserts the result. Otherwise
* the call waits for the input, and contains its result.
*/
/**
* Writes the text of a call, and records its inputs.
*
* @param retry - called when an input has settled
* @param feedback - the feedback of the method, for its encoder
* @throws RpcError `UNSERIALIZABLE`
*/
function encodeCallWithRefs(call, args, retry, feedback) {
	let inputs;
	const referenceOf = (value) => {
		const part = resultPartOf(value);
		if (!part) return value?.[TO_REFERENCE]?.(call) ?? call.session.referenceOf?.(value, call);
		const [input, ...path] = part;
		input.promise.then(retry, retry);
		inputs ??= /* @__PURE__ */ new Map();
		const number = input.session === call.session ? input.id : -inputs.size - 1;
		inputs.set(number, input);
		return [
			CALL,
			number,
			...path
		];
	};
	const { id, method } = call;
	const callee = typeof method === "string" ? method : method(referenceOf);
	call.message = call.session.write((toReference) => encodeCall(id, callee, args, toReference, feedback), referenceOf);
	call.inputs = inputs;
}
/**
* Prepares a call for a frame. The call is ready if each input has a result, is in the same frame, or was sent
* before it.
*
* @param frame - the identity of the next frame
* @param isDuplex - whether frames arrive in the order in which they are sent
* @param retry - called when an input has settled
* @returns whether the call is ready
* @throws the error of an input that has failed, so that the call rejects with it
*/
function prepareCall(call, frame, isDuplex, retry) {
	if (!call.inputs) return true;
	let isReady = true;
	let hasResults = false;
	for (const [number, { outcome, frame: left }] of call.inputs) if (!outcome) isReady &&= left === frame || isDuplex && number > 0 && !!left;
	else if ("thrown" in outcome) throw outcome.thrown;
	else hasResults = true;
	if (isReady && hasResults) inlineResults(call, retry);
	return isReady;
}
/** Writes the text of a call again, with results in place of references where results have arrived. */
function inlineResults(call, retry) {
	const message = JSON.parse(`[${call.message}]`).pop();
	encodeCallWithRefs(call, argsOf(message, (reference) => {
		const [kind, number, ...keys] = reference;
		if (kind !== "Call") return call.session.resolve?.(reference, call);
		const input = call.inputs?.get(number);
		const path = keys;
		const { outcome } = input;
		return outcome ? readPath(outcome.result, path) : promiseOf([input, ...path]);
	}), retry);
}
// src/client/session.ts
/**
* Numbers the calls of one client, sends the calls of a tick together, sends unanswered calls again after a lost
* connection, and settles all calls.
*/
var Session = class {
	write = (encode, referenceOf) => encode(referenceOf);
	#lastId = 0;
	/** The number of calls that were sent and not answered. */
	#inFlight = 0;
	/** All calls without an outcome, by id, in the order in which they were made. */
	#pending = /* @__PURE__ */ new Map();
	/** The calls that have not been sent, in the order in which they were made. */
	#queue = [];
	/** Identity of the next frame: a list with the id of its first call. */
	#frame = [];
	/** Sent calls that the client no longer awaits, and that no frame has reported yet. */
	#settled = [];
	/** The calls that the next frame cancels. */
	#cancelled = [];
	#timer = new Timer((now) => this.#expire(now));
	#options;
	/** The reason why no more calls can be made. */
	#end;
	#later = new Timer(() => this.#flush());
	#flushSoon = atEndOfTick(() => {
		if (this.#inFlight < 8 || !this.connection.isDuplex) this.#flush();
		else this.#later.watch(performance.now() + 1);
	});
	constructor(transport, options) {
		this.#options = options;
		this.transport = transport;
		this.changed = options.onStateChange;
		this.connection = new Connection(transport, options.reconnect, this);
	}
	/** Makes a call. It is sent at the end of this tick, or when the connection is open. */
	call(method, args, options, feedback) {
		const { timeout = this.#options.timeout ?? 3e4, signal } = options;
		const call = new Call(this, ++this.#lastId, method, delayOf(timeout));
		try {
			this.admit();
			if (signal) {
				if (signal.aborted) throw unfinishedError(call, signal.reason);
				const abandon = () => this.#abandon(call, signal.reason);
				signal.addEventListener("abort", abandon);
				call.onSettled = () => signal.removeEventListener("abort", abandon);
			}
			encodeCallWithRefs(call, args, this.#flushSoon, feedback);
			if (call.message.length + 2 > 4194304) limitExceeded("frameSize", FRAME_SIZE);
			this.#pending.set(call.id, call);
			this.#queue.push(call);
			this.#timer.watch(call.deadline);
			this.#flushSoon();
		} catch (error) {
			call.reject(error);
		}
		return call.promise;
	}
	/** Sends messages in one frame. */
	send(messages) {
		this.transport.send(`[${messages}]`);
	}
	/** Rejects unanswered calls with `CLOSED`, and ends the connection. */
	close() {
		this.#timer.stop();
		this.connection.close(new RpcError("CLOSED", "Client closed"));
	}
	/** Opens a new connection, even if the server has rejected the client. Does nothing after `close()`. */
	reconnect() {
		if (this.#end?.code === "CLOSED") return;
		this.#end = void 0;
		this.#resend();
		this.connection.reopen();
	}
	/** @throws RpcError `LIMIT_EXCEEDED` if too many calls wait, or the error with which the client was closed */
	admit() {
		const { maxQueue = 1e5 } = this.#options;
		if (this.#end) throw copyOfError(this.#end);
		if (this.connection.state === "reconnecting" && this.#pending.size >= maxQueue) limitExceeded("maxQueue", maxQueue);
	}
	#flush() {
		const queue = this.#queue;
		if (queue.length + this.#cancelled.length === 0) return;
		if (this.connection.state !== "open") return this.connection.open();
		this.#queue = [];
		let calls = [];
		let size = 0;
		for (const call of queue) {
			if (!this.#isReady(call)) continue;
			size += call.message.length;
			if (calls.length === 5e3 || size > 3774873.6) {
				this.#send(calls);
				calls = [];
				size = call.message.length;
				if (!this.#isReady(call)) continue;
			}
			this.#inFlight++;
			call.frame = this.#frame;
			this.#frame[0] ??= call.id;
			calls.push(call);
		}
		this.#send(calls);
		if (this.#queue.length > 0 && this.transport.isCongested?.()) this.#later.watch(performance.now() + 20);
	}
	/** Returns whether a call can be sent in the next frame. A call that has to wait goes back into the queue. */
	#isReady(call) {
		try {
			if (call.outcome) return false;
			if (this.#inFlight < 1e4 && !this.transport.isCongested?.() && prepareCall(call, this.#frame, this.connection.isDuplex, this.#flushSoon)) return true;
			this.#queue.push(call);
		} catch (error) {
			this.#settle(call).reject(error);
		}
		return false;
	}
	#send(calls) {
		const cancelled = this.#cancelled;
		if (calls.length + cancelled.length === 0) return;
		const awaits = awaitedIn(calls, this.#pending, this.#settled, this.#lastId);
		if (calls.length > 0) this.#settled = [];
		this.#cancelled = [];
		this.#frame = [];
		this.send(encodeFrame(calls, awaits, cancelled));
	}
	opened = () => this.#flush();
	isAwaiting = () => this.#pending.size > 0;
	lost = (error, isFinal, unread, fruitless) => {
		if (isFinal) this.#end = error;
		for (const call of this.#pending.values()) if (`${unread}`.startsWith(`[[${call.frame},`)) call.sentAt = void 0;
		if (error) this.rejectAll(error);
		else if (fruitless) this.#rejectCalls(fruitless);
		this.#resend();
	};
	/**
	* Rejects everything that waits for the object.
	*
	* @param onlySent - whether to reject only calls that have been sent
	* @param first - the first call of a frame, to reject only the calls of that frame
	*/
	#rejectCalls = (error, onlySent, first) => {
		for (const call of this.#pending.values()) {
			if (call.frame ? first && first !== call.frame[0] : onlySent) continue;
			this.#settle(call).reject(copyOfError(error, !!call.sentAt));
		}
	};
	/** Rejects all calls. Modules replace this function to reject their subscriptions, too. */
	rejectAll = this.#rejectCalls;
	received = (messages) => {
		for (const message of messages) {
			const [id, thrown, first] = message;
			const refused = this.#pending.get(typeof id === "number" ? -id : 0);
			if (refused?.inputs && refused.frame) {
				this.#inFlight--;
				refused.frame = refused.sentAt = void 0;
				this.#requeue();
			}
			const call = this.#pending.get(id);
			try {
				if (call) this.#settle(call).settle(decodeAnswer(message, this.resolve));
				const refusal = id === "error" && decodeRich(thrown);
				if (refusal instanceof RpcError) this.rejectAll(refusal, true, first);
			} catch (error) {
				call?.reject(error);
			}
		}
		if (this.#queue.length > 0) this.#flushSoon();
	};
	/** Puts all pending calls into the queue, in the order in which they were made. */
	#resend() {
		for (const call of this.#pending.values()) call.frame = void 0;
		this.#inFlight = 0;
		this.#cancelled = [];
		this.#requeue();
	}
	/** Puts the calls that have not been sent on the current connection into the queue, in their order. */
	#requeue() {
		this.#queue = [...this.#pending.values()].filter(({ frame }) => !frame);
	}
	/** Removes a call from the pending calls. */
	#settle(call) {
		this.#pending.delete(call.id);
		if (call.frame) this.#inFlight--;
		if (call.sentAt) this.#settled.push(call.id);
		return call;
	}
	/** Ends a call that a newer one replaces. */
	drop(call) {
		this.#settle(call).settle({ result: void 0 });
		this.#requeue();
	}
	/** Rejects a call that was aborted or has timed out, and cancels it in the object. */
	#abandon(call, cause, reason) {
		this.#settle(call).reject(unfinishedError(call, cause, reason));
		if (call.frame && this.connection.isDuplex) this.#cancelled.push(call.id);
		this.#flushSoon();
	}
	#expire(now) {
		const { failure } = this.connection;
		const reason = failure?.message ?? `no answer from ${this.transport.address}`;
		let next = Infinity;
		for (const call of this.#pending.values()) if (call.deadline > now) next = Math.min(next, call.deadline);
		else this.#abandon(call, failure, reason);
		return next;
	}
};
// src/client/transports/websocket.ts
function webSocketTransport(options) {
	let link;
	return {
		address: options.url,
		clientId: options.clientId,
		isDuplex: true,
		connect(events) {
			link = new Link(options, events);
		},
		send(frame) {
			link?.send(frame);
		},
		close() {
			link?.end();
		},
		isCongested: () => link.waiting > FRAME_SIZE
	};
}
/** One socket, from its creation to its end. */
var Link = class {
	#socket;
	/** The timer is at first the timeout of the attempt to connect, then the interval of the heartbeats. */
	#timer;
	/** The time of `Date.now()` when the interval last fired; 0 before the connection is open. */
	#beatAt = 0;
	#idleBeats = 0;
	/** The number of times that the interval has fired since a heartbeat without a reply was sent. */
	#silence = 0;
	/** The number of bytes that were waiting to be sent when the interval last fired. */
	#waited = 0;
	#events;
	/** True if half of the time to connect has passed. */
	#isLate;
	/** Asks why the upgrade has not opened a socket. */
	#ask;
	/** Aborts the request that asks. */
	#probe = new AbortController();
	/** Shared with later links of the same client. */
	#shared;
	constructor(shared, events) {
		this.#shared = shared;
		this.#events = events;
		this.#timer = setInterval(() => {
			if (this.#isLate) this.#lose();
			this.#isLate = true;
			this.#ask?.();
		}, delayOf(shared.connectTimeout ?? 8e3) / 2);
		this.#connect(typeof shared.protocols === "function");
	}
	/** The number of bytes that wait to be sent; 0 if the socket does not report it. */
	get waiting() {
		return this.#socket?.bufferedAmount ?? 0;
	}
	send(frame) {
		try {
			for (const piece of piecesOf(frame)) this.#socket?.send(piece);
		} catch (cause) {
			Promise.resolve().then(() => this.#lose(cause));
		}
	}
	/** @returns the events to report the end to, unless it was reported */
	end() {
		const events = this.#events;
		this.#events = this.#ask = void 0;
		clearInterval(this.#timer);
		this.#probe.abort();
		try {
			if (events) this.#socket?.close(1e3);
		} catch {}
		return events;
	}
	/** @param mayRenew - whether to connect once more after a 401, with new subprotocols */
	async #connect(mayRenew) {
		const { url, clientId, headers, protocols = [], WebSocket: Socket = globalThis.WebSocket } = this.#shared;
		const heartbeat = delayOf(this.#shared.heartbeat ?? 5e3);
		let offered;
		let sent;
		let socket;
		try {
			offered = [SUBPROTOCOL, ...await currentValue(protocols)];
			sent = await currentValue(headers);
		} catch (cause) {
			return this.end()?.lost(connectionError(cause, cause));
		}
		if (!this.#events) return;
		this.#ask = async (reason = `no answer from ${url}`) => {
			this.#ask = void 0;
			let error = connectionError(reason);
			try {
				await this.#shared.post("[]", () => ({ [PROBE]: `${offered.map(encodeURIComponent)}` }), this.#probe.signal, "include");
			} catch (refusal) {
				error = refusal;
			}
			if (this.#beatAt) return;
			if (!mayRenew || error.status !== 401) return this.end()?.lost(error, isPermanent(error));
			this.#socket = void 0;
			socket?.close();
			return this.#connect(false);
		};
		try {
			offered.push(`${CLIENT_ID}.${clientId()}`);
			socket = this.#socket = new Socket(url.replace(/^http/, "ws"), offered, { headers: sent });
			socket.binaryType = "arraybuffer";
		} catch {
			return this.#ask();
		}
		socket.addEventListener("open", () => {
			if (!this.#events) return;
			clearInterval(this.#timer);
			this.#ask = void 0;
			this.#beatAt = Date.now();
			this.#timer = setInterval(() => this.#beat(heartbeat), heartbeat);
			this.#events.opened();
		});
		const join = pieceJoiner((acknowledgement) => this.send(acknowledgement));
		socket.addEventListener("message", ({ data }) => {
			this.#silence = 0;
			const frame = join(data);
			if (frame && frame !== "[]" && frame !== "") this.#shared.patience = 1;
			if (frame) this.#events?.received(frame);
		});
		socket.addEventListener("error", () => this.#ask?.());
		socket.addEventListener("close", ({ code, reason }) => {
			if (socket !== this.#socket) return;
			if (code >= 4400 && code < 4500) this.end()?.lost(rejectionOf(code - 4e3, reason, url), true);
			else {
				const problem = `Connection closed: ${code} ${reason}`;
				if (this.#beatAt) this.#lose(problem);
				else this.#ask?.(problem);
			}
		});
	}
	#beat(heartbeat) {
		const now = Date.now();
		const isLate = !globalThis.document?.hidden && now > this.#beatAt + heartbeat + 5e3;
		this.#beatAt = now;
		const isLeaving = this.#waited > (this.#waited = this.waiting);
		const isAwaiting = this.#events?.isAwaiting();
		if (isAwaiting ? isLeaving && !isLate : ++this.#idleBeats % 3) return;
		if (isAwaiting && isLate || this.#silence >= this.#shared.patience) {
			this.#shared.patience = Math.min(2 * this.#shared.patience, 12e4 / heartbeat);
			return this.#lose();
		}
		if (this.#silence++ === 0) this.send("[]");
	}
	#lose(reason = `no answer from ${this.#shared.url}`) {
		this.end()?.lost(connectionError(reason));
	}
};
// src/client/proxy.ts
/** Turns property access into calls: `client.increment(5)` becomes a call of `increment`. */
/**
* Creates a client for one Durable Object. The client connects at its first call, so you can create it
* anywhere, even at module scope of a Worker. If requests of a Worker share it at the same time, set
* `transport` to `'http'`: a WebSocket works only in the request that opened it.
*
* @param binding - the Durable Object binding, such as `COUNTER`
* @param instance - the object's name, or its id as 64 hex characters
* @param options - the address of the Worker, the transport, timeouts in milliseconds and features: see
*   `RpcClientOptions`. Default: none.
* @returns an object with the contract's methods. A call rejects with the error that the method threw, or with an
*   `RpcError`.
* @throws TypeError for a `baseUrl` that does not begin with `http://` or `https://`, and for `headers` with the global
*   `WebSocket`, which sends no headers: use `protocols`, or the transport `'http'`
* @example
* using counter = createRpcClient<Counter>('COUNTER', 'my-counter');
* await counter.increment();
*/
function createRpcClient(binding, instance, options = {}) {
	const transport = transportFor(binding, instance, options);
	const watched = options.debug?.(transport, binding, instance);
	const session = new Session(watched ?? transport, options);
	session.object = [binding, instance];
	options.bytes?.(session);
	options.capabilities?.(session);
	options.awaitMethods?.(session);
	options.onCall?.(session, binding, instance);
	options.tracing?.(session, binding, instance);
	return clientOf(session, {});
}
/**
* Returns a client with other options for its calls. It shares the connection of the client that you pass.
*
* @param client - from `createRpcClient`, or a capability
* @param options - `timeout` in milliseconds, and `signal`, an `AbortSignal`. An aborted call rejects with
*   `ABORTED`, and the object drops its answer.
* @throws TypeError for a value that is not a client
* @example
* await withOptions(counter, { timeout: 500, signal }).increment();
*/
function withOptions(client, options) {
	const [session, chosen, make = clientOf] = internalsOf(client);
	return make(session, {
		...chosen,
		...options
	});
}
/** @throws TypeError for a value that is not a client */
function internalsOf(client) {
	const inside = client[INTERNALS];
	if (!inside) throw new TypeError("Not a client of createRpcClient");
	return inside;
}
function clientOf(session, options) {
	const close = () => session.close();
	const methods = {
		close,
		reconnect: () => session.reconnect(),
		[INTERNALS]: [session, options]
	};
	return new Proxy(session, { get: (_, name) => methods[name] ??= DISPOSAL.test(String(name)) ? close : typeof name === "symbol" || /^(then|toJSON)$/.test(name) ? void 0 : remoteMethod(session, name, options) });
}
/** Returns a function that calls a method. */
function remoteMethod(session, method, options) {
	const feedback = { name: method.name ?? method };
	return (...args) => session.call(method, args, options, feedback);
}
function transportFor(binding, instance, options) {
	const { transport } = options;
	if (typeof transport === "object") return transport;
	const isHttp = transport === "http";
	if (options.headers && !isHttp && !options.WebSocket) throw new TypeError("A WebSocket has no headers: use protocols");
	const url = callUrl(binding, instance, options);
	let id;
	const clientId = () => id ??= crypto.getRandomValues(/* @__PURE__ */ new Uint32Array(4)).join("-");
	const post = createPost(url, options);
	if (isHttp) return httpTransport(url, post, clientId);
	return webSocketTransport({
		...options,
		url,
		clientId,
		post,
		patience: 1
	});
}
function callUrl(binding, instance, options) {
	const page = globalThis;
	const { baseUrl = page.location?.origin ?? "http://localhost:8787", prefix = "/__rpc" } = options;
	if (!/^https?:\/\//.test(baseUrl)) throw new TypeError(`baseUrl '${baseUrl}' must begin with http:// or https://`);
	return [
		baseUrl,
		prefix,
		...[binding, instance].map(encodeURIComponent),
		CALL_SEGMENT
	].join("/").replace(/([^:]\/)\/+/g, "$1");
}
// src/client/await-methods.ts
/**
* Lets calls and subscriptions wait for their method: after a deployment, an object can run its old code for a while. A
* bundle contains this file only if you import it.
*/
/**
* The longest time between two attempts, in milliseconds. It is longer than the ten idle seconds after which an object
* hibernates, because an object takes its new code when it hibernates.
*/
const LONGEST_DELAY = 3e4;
/** The milliseconds from the last attempt of a call to its timeout. */
const LAST_ATTEMPT = 1e3;
/** The time that a subscription waits, in milliseconds. */
const PATIENCE = 6e5;
/** The input of a call that waits. It never arrives, so the call stays in the queue until the input is removed. */
const NEVER$1 = {};
/** The number of the input `NEVER`. It is the id of no call. */
const NEVER_ID$1 = 0;
/**
* Lets calls and subscriptions wait for a method that the object does not have yet, because it still runs the code of
* before a deployment. The client asks again on each new connection, and after delays that grow from half a second to
* 30 seconds.
*
* A call is sent again with the same id, so it runs at most once. Later calls do not wait for it, unless they take its
* result. A second before its `timeout` ends, it rejects with the object's error: `METHOD_NOT_FOUND` or `UNSUPPORTED`.
* A subscription rejects with that error after ten minutes.
*
* @param session - passed by `createRpcClient`
* @example
* const counter = createRpcClient<Counter>('COUNTER', 'main', { awaitMethods });
* // By default, an object has the new code five minutes after a deployment at the latest.
* await withOptions(counter, { timeout: 330_000 }).newMethod();
*/
function awaitMethods(session) {
	const { call: make, opened, connection } = session;
	const { read } = connection;
	/** The calls without an outcome, by id. */
	const calls = /* @__PURE__ */ new Map();
	/** The waits, by call or by the number of a subscription. */
	const waits = /* @__PURE__ */ new Map();
	const end = (of) => {
		waits.get(of)?.timer.stop();
		waits.delete(of);
	};
	/** @returns whether there is time for another attempt */
	const wait = (of, until, reason, attempt) => {
		const now = performance.now();
		const { since, timer } = waits.get(of) ?? {
			since: now,
			timer: new Timer(attempt)
		};
		const next = Math.min(now + Math.min(500 + now - since, LONGEST_DELAY), until);
		if (next <= now) return false;
		if (!waits.has(of)) console.warn(`The client waits for a deployment: ${reason}`);
		waits.set(of, {
			since,
			timer
		});
		timer.watch(next);
		return true;
	};
	const waitCall = (call, message) => {
		const thrown = missingIn(message);
		const attempt = () => {
			release(call);
			session.received([]);
		};
		if (!thrown || !wait(call, call.deadline - LAST_ATTEMPT, thrown.message, attempt)) return message;
		call.inputs = new Map(call.inputs).set(NEVER_ID$1, NEVER$1);
		return [-call.id];
	};
	const waitSubscription = (message) => {
		const [kind, id, ...tail] = message;
		if (kind === "value" || kind === "patch" || kind === "next") end(id);
		const thrown = kind === "complete" && missingIn([id, ...tail]);
		const attempt = () => {
			session.received([["complete", -id]]);
		};
		const until = (waits.get(id)?.since ?? performance.now()) + PATIENCE;
		if (thrown && wait(id, until, thrown.message, attempt)) return void 0;
		return message;
	};
	session.call = (...made) => {
		const promise = make.apply(session, made);
		const [call] = resultPartOf(promise);
		if (call.outcome) return promise;
		const { onSettled } = call;
		call.onSettled = () => {
			onSettled?.();
			calls.delete(call.id);
			end(call);
		};
		calls.set(call.id, call);
		return promise;
	};
	connection.read = (frame) => read(frame)?.flatMap((message) => {
		const call = calls.get(message[0]);
		const other = call ? waitCall(call, message) : waitSubscription(message);
		return other ? [other] : [];
	});
	session.opened = () => {
		for (const { timer } of waits.values()) timer.stop();
		for (const call of calls.values()) release(call);
		opened();
	};
}
/** Lets a call that waits be sent with the next frame. */
function release(call) {
	const inputs = new Map(call.inputs);
	if (inputs.delete(NEVER_ID$1)) call.inputs = inputs;
}
/**
* Returns the error of an object that lacks the method; `undefined` for any other answer. A call that was sent again
* over a new connection may have run before its method was removed.
*/
function missingIn(answer) {
	if (answer[1] !== "error") return void 0;
	try {
		const copy = JSON.parse(JSON.stringify(answer));
		const { thrown } = decodeAnswer(copy);
		return MISSING.test(thrown.code) && !thrown.maybeExecuted ? thrown : void 0;
	} catch {
		return;
	}
}
// src/client/latest.ts
/** The mark of a client that `latest` has returned, among the options of its calls. */
const LATEST = Symbol();
/** An input of a call that waits for the call before. It never arrives, and is removed when that call has ended. */
const NEVER = {};
/** The number of the input `NEVER`. It is the id of no call. */
const NEVER_ID = -Infinity;
/** The sessions with clients of `latest`. */
const prepared = /* @__PURE__ */ new WeakSet();
/**
* Returns a client that keeps only the newest call of each method: a call replaces an earlier call of the same method
* that waits to be sent or answered. So calls do not pile up while the client is not connected.
*
* - A call that is replaced resolves with `undefined`, at once. It may have run, if it was sent.
* - A call of a `volatile` method that was on its way when the connection was lost also resolves with `undefined`,
*   because the object stores no answer for it.
* - Over HTTP, where a later request can arrive first, a call waits for the answer of the call before.
* - Any other error rejects the call.
*
* The client shares the connection of the client that you pass.
*
* @param client - from `createRpcClient` or `withOptions`, or a capability
* @throws TypeError for a value that is not a client
* @example
* const cursor = latest(room);
* addEventListener('pointermove', ({ x, y }) => void cursor.moveCursor(x, y));
*/
function latest(client) {
	const [session] = internalsOf(client);
	if (!prepared.has(session)) replaceEarlierCalls(session);
	prepared.add(session);
	return withOptions(client, { [LATEST]: true });
}
function replaceEarlierCalls(session) {
	const { call: make, connection } = session;
	/** The calls without an outcome, by their method and target. */
	const calls = /* @__PURE__ */ new Map();
	const ended = (key, call) => {
		const { newest, before } = calls.get(key) ?? {};
		if (call === newest) {
			if (before && !before.outcome) calls.set(key, { newest: before });
			else calls.delete(key);
		} else if (newest && call === before) {
			calls.set(key, { newest });
			const inputs = new Map(newest.inputs);
			inputs.delete(NEVER_ID);
			newest.inputs = inputs;
			session.received([]);
		}
	};
	session.call = (...made) => {
		const [method, , options] = made;
		const key = LATEST in options ? keyOf(method, session) : void 0;
		if (key === void 0) return make.apply(session, made);
		const { newest, before } = calls.get(key) ?? {};
		const earlier = [newest, before].filter((call) => call && !call.outcome);
		const awaited = connection.isDuplex ? void 0 : earlier.find(({ frame }) => frame);
		for (const call of earlier) if (call !== awaited) session.drop(call);
		const promise = make.apply(session, made);
		const [call] = resultPartOf(promise);
		if (call.outcome) return promise;
		calls.set(key, {
			newest: call,
			before: awaited
		});
		if (awaited) call.inputs = new Map(call.inputs).set(NEVER_ID, NEVER);
		const { settle } = call;
		call.settle = (outcome) => {
			settle.call(call, isCutOff(outcome) ? { result: void 0 } : outcome);
			ended(key, call);
		};
		return promise;
	};
}
/** @returns the method and its target as text; `undefined` for an invalid target, so that the call rejects */
function keyOf(method, session) {
	if (typeof method === "string") return method;
	try {
		const callee = method((value) => {
			const [call, ...path] = resultPartOf(value) ?? [];
			return call ? [
				CALL,
				call.id,
				...path
			] : session.referenceOf?.(value);
		});
		return JSON.stringify(callee);
	} catch {
		return;
	}
}
/** Returns whether the connection was lost while a call was on its way. */
function isCutOff(outcome) {
	const { code, maybeExecuted } = Object("thrown" in outcome && outcome.thrown);
	return code === "DISCONNECTED" && maybeExecuted === true;
}
export { DISPOSAL, INTERNALS, Timer, atEndOfTick, awaitMethods, connectionError, copyOfError, createPost, createRpcClient, httpTransport, internalsOf, latest, messageWithoutAddress, promiseOf, rejectionOf, remoteMethod, resultPartOf, webSocketTransport, withOptions };
