import { PACKAGE_COPY, VALUE_PENDING, atEndOfTurn, changeLog, changed, checkCounts, epochLine, feedsOf, keyOf, kvOf, openConnectionsOf, prefixOf, storedPage, subscribersOf } from "./server-core.js";
import { RpcError, decodeAnswer, decodeCursor, encodeArgs, encodeCursor, requireText } from "./wire.js";
import { createRpcClient, internalsOf } from "./client-core.js";
import { bindingTransport } from "./client-binding.js";
import { FEED } from "./schemas.js";
import { Reader, readersOf, requireId, subscribe } from "./client-subscribe.js";
// src/features/relay/server/mirrored-log.ts
/** How many events a page gets. They need not be as many as in a page that grows. */
const EVENTS_PER_PAGE = 20;
/** The position before the first event that a log has; `undefined` for a log without pages. */
function startOf(kv, name) {
	const prefix = prefixOf(name);
	for (const [key, stored] of kv.list({
		prefix,
		limit: 1
	})) {
		const [epoch = ""] = stored.split("\n", 1);
		return {
			event: Number(key.slice(prefix.length)) - 1,
			epoch
		};
	}
}
/** Drops all events, and goes on after a position. */
function restart(kv, name, { event, epoch }) {
	const prefix = prefixOf(name);
	for (const [key] of Array.from(kv.list({ prefix }))) kv.delete(key);
	kv.put(keyOf(prefix, event + 1), storedPage(epoch, []));
}
/**
* Adds events before the first that a log has.
*
* @param after - the position before these events
*/
function prepend(kv, name, after, events) {
	const prefix = prefixOf(name);
	let { epoch } = after;
	for (let at = 0; at < events.length; at += EVENTS_PER_PAGE) {
		const before = epoch;
		const lines = events.slice(at, at + EVENTS_PER_PAGE).flatMap((event) => {
			const isNew = event.epoch !== epoch;
			epoch = event.epoch;
			return isNew ? [epochLine(epoch), event.text] : [event.text];
		});
		kv.put(keyOf(prefix, after.event + at + 1), storedPage(before, lines));
	}
}
// src/features/relay/server/feed-reader.ts
var FeedReader = class extends Reader {
	#sink;
	#connection;
	/** After the last event that was taken. */
	#end = {
		event: 0,
		epoch: ""
	};
	/** The epoch of the next event. */
	#epoch = "";
	#acknowledged = 0;
	#ahead = 64;
	/**
	* @param invocation - the method and its arguments, as text
	* @param after - where to begin; without it, at the origin's end
	*/
	constructor(connection, invocation, after, sink) {
		const invoke = () => invocation;
		super(connection, invoke, after && encodeCursor(after), () => {});
		this.#connection = connection;
		this.#sink = sink;
	}
	handle(message) {
		const [kind, , event] = message;
		if (kind === "subscribed") this.#begun(message);
		else if (kind === "complete") this.#complete(message);
		else if (!this.isBegun) return;
		else if (kind === "window") this.#ahead = requireId(event);
		else if (kind === "next") this.#take(message);
		else if (kind === "epoch") {
			this.#epoch = requireText(message[3]);
			if (event !== this.#end.event && (event === 0 || requireId(event))) this.begin();
		}
	}
	/** Unsubscribes. */
	leave() {
		super.stop({});
	}
	stop({ thrown }) {
		super.stop({});
		this.#sink.ended(thrown);
	}
	#begun([, , cursor, ahead = 64, ...rest]) {
		const position = decodeCursor(cursor);
		if (!position) return this.stop({ thrown: notFeed() });
		this.isBegun = true;
		this.#ahead = requireId(ahead);
		this.#end = position;
		this.#epoch = position.epoch;
		this.#acknowledged = position.event;
		this.cursor = encodeCursor(position);
		this.#sink.begin({
			position,
			text: textOf(rest)
		});
	}
	#take([, , number, ...rest]) {
		const event = requireId(number);
		const wanted = this.#end.event + 1;
		if (event > wanted) this.begin();
		if (event !== wanted) return;
		const position = {
			event,
			epoch: this.#epoch
		};
		this.#end = position;
		this.cursor = encodeCursor(position);
		if (event - this.#acknowledged >= this.#ahead / 2) {
			this.#acknowledged = event;
			this.#connection.tell(`["ack",${this.subscriptionId},${event}]`);
		}
		this.#sink.take(textOf(rest), position);
	}
	#complete(message) {
		const { thrown = notFeed() } = decodeAnswer(message.slice(1));
		if (thrown?.code !== "CURSOR_EXPIRED") this.stop({ thrown });
		else if (this.#sink.expired()) {
			this.cursor = void 0;
			this.begin();
		}
	}
};
/** The end of a message, as it was received. */
function textOf(rest) {
	return rest.length > 0 ? `,${JSON.stringify(rest).slice(1, -1)}` : "";
}
function notFeed() {
	return new RpcError("METHOD_NOT_FOUND", "The method of the origin returns no feed");
}
// src/features/relay/server/feed-mirror.ts
/**
* A feed that a relay copies: a log with the numbers and epochs of the origin's events. It is in memory, because the
* origin has the events. In the storage, each event would be a row of each relay.
*/
var FeedMirror = class {
	name;
	keep;
	window;
	/** The copy has snapshots of the origin instead. */
	snapshot = void 0;
	base;
	#instance;
	#use;
	#client;
	/** Whether the copy has had, since the relay is connected, all that the origin had. */
	#isFresh = false;
	/** The question where the origin ends that is asked now, and the one that follows. */
	#asking = Promise.resolve();
	#next;
	/** The last of those who look for earlier events, one after another: what one has found, others may need too. */
	#finding = Promise.resolve();
	#waiting = [];
	/**
	* @param invocation - the method and its arguments, as text
	* @param use - connects the relay
	*/
	constructor(instance, invocation, { keep, window }, use) {
		this[FEED] = PACKAGE_COPY;
		this.#instance = instance;
		this.name = invocation;
		this.keep = keep;
		this.window = window;
		this.#use = use;
		feedsOf(instance).keepWith(this, invocation);
	}
	get copy() {
		return this;
	}
	get #open() {
		return feedsOf(this.#instance).open(this.name);
	}
	reach(cursor) {
		this.#use();
		if (typeof cursor !== "string") {
			const { end } = this.#open.log;
			const isNear = !this.base || end.event - this.base.position.event <= 64;
			return this.#isFresh && isNear ? void 0 : this.#reachEnd();
		}
		return this.#has(cursor) ? void 0 : this.#find(cursor);
	}
	start(client, failed) {
		this.#client = client;
		const { name } = this;
		this.#read(this.#end, {
			begin: (beginning) => {
				const { position, text } = beginning;
				const before = this.#end;
				const goesOn = before?.event === position.event && before.epoch === position.epoch;
				if (text || !goesOn) {
					changeLog(this.#instance, name, (log) => {
						restart(kvOf(this), name, position);
						log.end;
					});
					this.base = text ? beginning : void 0;
				}
				this.#arrived(before && position.event < before.event ? Infinity : position.event);
			},
			take: (text, { event, epoch }) => {
				changeLog(this.#instance, name, (log) => log.append([text], this.keep, epoch));
				this.#arrived(event);
			},
			expired: () => true,
			ended: (thrown) => {
				if (this.#client === client) failed(thrown);
			}
		});
	}
	stop(thrown) {
		this.#client = this.base = void 0;
		this.#isFresh = false;
		for (const { reject } of this.#waiting.splice(0)) reject(thrown);
		if (thrown === void 0) return;
		const subscribers = subscribersOf(this.#instance);
		for (const { connection, subscriptionId } of this.#open.listeners) subscribers.end(connection, subscriptionId, { thrown });
	}
	/** @param after - where to begin; without it, at the origin's end */
	#read(after, sink) {
		const [session] = internalsOf(this.#client);
		const reader = new FeedReader(readersOf(session), this.name, after, sink);
		reader.start();
		return reader;
	}
	/** The position before the first event of the copy. One that has not begun has no position, not even the first. */
	get #start() {
		return startOf(kvOf(this), this.name);
	}
	get #end() {
		return this.#start && this.#open.log.end;
	}
	#has(cursor) {
		return this.#start !== void 0 && this.#open.positionAfter(cursor, this) !== void 0;
	}
	/** Looks at the origin for a position that the copy does not have. */
	async #find(cursor) {
		await this.#reachEnd();
		const found = this.#finding.then(() => this.#findPast(cursor));
		this.#finding = found.catch(() => {});
		await found;
	}
	/** Copies the events from a position on that is before those of the copy, if the origin has them. */
	async #findPast(cursor) {
		const position = decodeCursor(cursor);
		const start = this.#start;
		if (!position || !start || position.event >= start.event || this.#has(cursor)) return;
		if (this.#open.log.end.event - position.event > this.keep) return;
		const events = await this.#readPast(position, start.event);
		const now = this.#start;
		const fits = now?.event === start.event && now.epoch === events?.at(-1)?.epoch;
		if (events && fits) prepend(kvOf(this), this.name, position, events);
	}
	/** @returns the events between two positions; `undefined` if the origin does not have them any more */
	#readPast(after, last) {
		const events = [];
		return new Promise((resolve, reject) => {
			let isSettled = false;
			const settle = (found) => {
				isSettled = true;
				resolve(found);
				queueMicrotask(() => reader.leave());
			};
			const reader = this.#read(after, {
				begin: ({ position, text }) => {
					const { epoch } = events.at(-1) ?? after;
					const goesOn = position.event === after.event + events.length && position.epoch === epoch;
					if (text || !goesOn) settle();
				},
				take: (text, position) => {
					if (isSettled) return;
					events.push({
						epoch: position.epoch,
						text
					});
					if (position.event === last) settle(events);
				},
				expired: () => {
					settle();
					return false;
				},
				ended: reject
			});
		});
	}
	/**
	* Waits until the copy has what the origin has now. One question is asked at a time. All who come meanwhile share the
	* next one, because the answer to this one may be older than what they know.
	*/
	#reachEnd() {
		this.#next ??= this.#asking.then(() => {
			this.#next = void 0;
			const asked = this.#ask();
			this.#asking = asked.catch(() => {});
			return asked;
		});
		return this.#next;
	}
	async #ask() {
		const { position, text } = await new Promise((resolve, reject) => {
			const reader = this.#read(void 0, {
				begin: (beginning) => {
					resolve(beginning);
					queueMicrotask(() => reader.leave());
				},
				take: () => {},
				expired: () => true,
				ended: reject
			});
		});
		if (this.#open.log.end.event < position.event) await new Promise((resolve, reject) => {
			this.#waiting.push({
				event: position.event,
				resolve,
				reject
			});
		});
		this.#isFresh = this.#client !== void 0;
		if (text && this.#open.log.epochOf(position.event) === position.epoch) this.base = {
			position,
			text
		};
	}
	#arrived(event) {
		if (this.#waiting.length === 0) return;
		this.#waiting = this.#waiting.filter((waiting) => {
			if (waiting.event <= event) waiting.resolve();
			return waiting.event > event;
		});
	}
};
// src/features/relay/server/value-mirror.ts
/** A live value that a relay copies: the newest one, in memory. */
var ValueMirror = class {
	#instance;
	#method;
	#args;
	#use;
	/** The newest value, or the error that has ended the subscription to it. */
	#newest;
	/** The loop that runs. */
	#loop;
	/** @param use - connects the relay */
	constructor(instance, method, args, use) {
		this.#instance = instance;
		this.#method = method;
		this.#args = args;
		this.#use = use;
	}
	get value() {
		const newest = this.#newest;
		if (!newest) {
			this.#use();
			throw VALUE_PENDING;
		}
		if ("thrown" in newest) throw newest.thrown;
		return newest.value;
	}
	start(client, failed) {
		const read = subscribe(client)[this.#method];
		const loop = read(...this.#args)[Symbol.asyncIterator]();
		this.#loop = loop;
		this.#follow(loop, failed);
	}
	stop(thrown) {
		this.#loop = void 0;
		if (!(this.#newest && "thrown" in this.#newest)) this.#newest = void 0;
		if (thrown === void 0) return;
		this.#newest = { thrown };
		changed(this.#instance);
		atEndOfTurn(this.#instance, "values", () => this.#newest = void 0);
	}
	async #follow(loop, failed) {
		try {
			for (;;) {
				const { done, value } = await loop.next();
				if (loop !== this.#loop) return;
				if (done) throw new RpcError("METHOD_NOT_FOUND", "A relay copies methods that are live");
				this.#newest = { value };
				changed(this.#instance);
			}
		} catch (thrown) {
			if (loop === this.#loop) failed(thrown);
		}
	}
};
// src/features/relay/feature.ts
/**
* A relay: an object that subscribes to another one, and serves its own subscribers from a copy. The numbers and the
* cursors of events stay those of the origin, so that a subscriber can go on at another relay, or at the origin.
*/
/** Milliseconds. To set an alarm writes a row, so it is put off each half of this time. */
const WAKE_AFTER = 6e4;
/**
* Makes an object a relay of another one: it subscribes to feeds and live values of the origin while it has subscribers
* itself, and serves them from a copy. The origin has one subscriber for each relay. A subscriber gets each event once
* and in order, also if it moves to another relay or to the origin, and while the relay or the origin is killed.
*
* Call it in a field of the class, and give the class a method `alarm`, which may be empty: an alarm wakes the relay if
* the runtime has evicted it while its subscribers stayed connected. The relay is a caller of its own, so what the origin
* sends must not depend on who asks. It holds a WebSocket to the origin, which keeps it awake: docs/guides/relays.md has
* what that costs.
*
* @param instance - the relay
* @param origin - returns a new stub of the object to copy: the origin, or another relay of it
* @param options - `keep`, a number of events; `window`; `linger`, in milliseconds; `caller`
* @example
* readonly #room = relay<Room>(this, () => this.env.ROOM.getByName('lobby'));
* readonly #messages = this.#room.feed('messages');
* messages() { return this.#messages; }
* alarm() {}
*/
function relay(instance, origin, options = {}) {
	return new Relay(instance, origin, options);
}
/** What a relay copies of its origin. */
var Relay = class {
	#instance;
	#origin;
	#options;
	#parts = [];
	/** Those that the origin serves. */
	#running = /* @__PURE__ */ new Set();
	#client;
	#timer;
	#alarmAt = 0;
	constructor(instance, origin, options) {
		this.#instance = instance;
		this.#origin = origin;
		this.#options = options;
		queueMicrotask(() => {
			if (openConnectionsOf(instance).some(({ subscriptions }) => subscriptions.stored.length > 0)) this.#connect();
		});
	}
	/**
	* Copies a feed.
	*
	* @param method - a method of the origin that its contract lists by `events`
	* @param args - its arguments
	* @returns what a method of the relay returns, listed by `events`, too
	* @throws RangeError for a `keep` or `window` that is not a positive integer
	*/
	feed(method, ...args) {
		const { keep = 1e3, window = 64 } = this.#options;
		checkCounts(`feed ${String(method)}`, {
			keep,
			window
		});
		const invocation = JSON.stringify(method) + encodeArgs(args);
		const feed = new FeedMirror(this.#instance, invocation, {
			keep,
			window
		}, () => {
			this.#use(feed);
		});
		this.#parts.push(feed);
		return feed;
	}
	/**
	* Copies a live value.
	*
	* @param method - a method of the origin that its contract lists by `live`
	* @param args - its arguments
	* @returns what has the newest value, for a method of the relay that is listed by `live`, too
	*/
	live(method, ...args) {
		const value = new ValueMirror(this.#instance, String(method), args, () => {
			this.#use(value);
		});
		this.#parts.push(value);
		return value;
	}
	/** Subscribes to a part of the origin, unless it is subscribed to. */
	#use(part) {
		if (!this.#client) this.#connect();
		else if (!this.#running.has(part)) this.#run(part, this.#client);
	}
	#connect() {
		const { caller } = this.#options;
		const transport = bindingTransport(this.#origin, {
			socket: true,
			caller
		});
		const client = createRpcClient("the origin", "of a relay", { transport });
		this.#client = client;
		for (const part of this.#parts) this.#run(part, client);
		this.#lingerOn();
	}
	#run(part, client) {
		this.#running.add(part);
		part.start(client, (thrown) => {
			this.#running.delete(part);
			part.stop(thrown);
			if (this.#running.size === 0) this.#stop();
		});
	}
	#stop() {
		const client = this.#client;
		if (!client) return;
		this.#client = void 0;
		clearTimeout(this.#timer);
		if (this.#alarmAt > 0) this.#instance.ctx.storage.deleteAlarm();
		this.#alarmAt = 0;
		this.#running.clear();
		for (const part of this.#parts) part.stop();
		client[Symbol.dispose]();
	}
	/** Looks from time to time whether there are subscribers. The socket keeps the relay awake anyway. */
	#lingerOn() {
		this.#setAlarm(Date.now());
		const { linger = 1e4 } = this.#options;
		this.#timer = setTimeout(() => {
			if (openConnectionsOf(this.#instance).some(({ subscriptions, memory }) => subscriptions.size > 0 || memory.held > 0)) this.#lingerOn();
			else this.#stop();
		}, linger);
	}
	/** Puts off an alarm that wakes the relay, should the runtime evict it while its subscribers stay connected. */
	#setAlarm(now) {
		const { alarm, ctx } = this.#instance;
		if (typeof alarm !== "function" || now < this.#alarmAt - WAKE_AFTER / 2) return;
		this.#alarmAt = now + WAKE_AFTER;
		ctx.storage.setAlarm(this.#alarmAt);
	}
};
export { relay };
