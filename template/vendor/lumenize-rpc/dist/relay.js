import { FEED } from "./schemas.js";
import { CacheMemory, CopiedLog, DEFAULT_LIMITS, OpenFeed, PACKAGE_COPY, PendingError, atEndOfTurn, changed, checkCounts, contractOf, cursorExpiredError, feedEvents, feedsOf, isRelayName, liveCallsOf, openConnectionsOf, originOf, perObject, prepareAlarm, relayName, relaying, runAsCaller, runningLiveCall, sharedAlarmOf, subscribersOf, weightOf } from "./server-core.js";
import { MAX_DELAY, RpcError, decodeCursor, encodeArgs, encodeCursor } from "./wire.js";
import { TextReader, readersOf, subscribe } from "./client-subscribe.js";
import { createRpcClient, internalsOf, messageWithoutAddress } from "./client-core.js";
import { bindingTransport } from "./client-binding.js";
// src/features/relay/server/feed-copy.ts
/** The copy of a feed. It has the newest events of the origin, and sends them to the subscribers of the relay. */
var FeedCopy = class {
	#source;
	#keep;
	#reader;
	#log = new CopiedLog();
	#feed = new OpenFeed("", this.#log, (one) => void this.#fetchFor(one));
	/** The newest snapshot of the origin; `undefined` for a feed without snapshots. */
	#base;
	/**
	* The number of an event. With this event, the copy has all events that the origin had when the relay last asked it.
	*/
	#freshAt = Infinity;
	#ready = Promise.withResolvers();
	/** The promises that resolve when the copy has an event. */
	#arrivals = [];
	/** For each subscriber that has not begun, a function that returns whether it still waits. */
	#waiting = /* @__PURE__ */ new Set();
	/** The subscribers that need events which the copy does not have. */
	#late = /* @__PURE__ */ new Set();
	constructor(source, invocation, keep) {
		this.#source = source;
		this.#keep = keep;
		const readers = readersOf(internalsOf(source.client)[0]);
		this.#reader = new TextReader(readers, invocation, this);
		this.#ready.promise.catch(() => {});
	}
	get isUsed() {
		for (const isAwaited of this.#waiting) if (!isAwaited()) this.#waiting.delete(isAwaited);
		return this.#waiting.size > 0 || this.#feed.listeners.size > 0;
	}
	get hasBegun() {
		return typeof this.#reader.cursor === "string";
	}
	get figures() {
		return {
			readers: this.#feed.listeners.size,
			events: this.#log.length,
			bytes: this.#log.size + (this.#base?.snapshot.length ?? 0),
			delay: this.#reader.delay / 2
		};
	}
	start() {
		this.#reader.start();
	}
	/** Finds the position at which a subscriber begins: see `CopiedFeed`. */
	async reach(cursor, isAwaited) {
		this.#waiting.add(isAwaited);
		try {
			await this.#ready.promise;
			return {
				feed: this.#feed,
				...await this.#beginningAt(cursor, isAwaited)
			};
		} catch (thrown) {
			throw this.#source.errorOf(thrown);
		}
	}
	giveWay(isAll) {
		this.#log.forgetEarlier();
		this.#log.trim(isAll ? Infinity : Math.ceil(this.#log.length / 2));
		this.#source.weigh(this);
	}
	drop(thrown) {
		this.#reader.leave(thrown);
		this.#log.restart(this.#log.end);
		this.#base = void 0;
		this.#source.weigh(this);
		for (const { reject } of [this.#ready, ...this.#arrivals]) reject(thrown);
	}
	stop(thrown) {
		if (this.#source.makesRoom(thrown)) return void this.#reader.begin();
		this.drop(thrown);
		const end = { thrown: this.#source.errorOf(thrown) };
		this.#feed.ended = end;
		this.#source.forget(this);
		for (const one of this.#feed.listeners) this.#end(one, end);
	}
	begun(restarted) {
		if (restarted) {
			this.#log.restart(restarted.position);
			this.#base = restarted.snapshot ? restarted : void 0;
			this.#freshAt = restarted.position.event;
			this.#changed(Infinity);
		}
		this.#ready.resolve();
	}
	reconnected() {
		this.#freshAt = Infinity;
	}
	answered(isThere, beginning, events) {
		if (isThere) this.#log.add(beginning.position, events, this.#keep);
		else {
			this.#freshAt = beginning.position.event;
			if (beginning.snapshot) this.#base = beginning;
		}
	}
	take(event) {
		this.#log.append(event);
		const { start, end } = this.#log;
		const over = end.event - start.event - this.#keep;
		if (over > this.#keep / 10) this.#log.trim(over);
		this.#changed(end.event);
	}
	/** Sends new events up to the event `last`, at the end of the turn. */
	#changed(last) {
		this.#source.weigh(this);
		feedsOf(this.#source.instance).appended(this.#feed);
		if (this.#arrivals.length === 0) return;
		for (const { event, resolve } of this.#arrivals) if (event <= last) resolve();
		this.#arrivals = this.#arrivals.filter(({ event }) => event > last);
	}
	#has({ event, epoch }) {
		return this.#log.epochOf(event) === epoch;
	}
	async #beginningAt(cursor, isAwaited) {
		const position = decodeCursor(cursor);
		if (position) {
			const isWanted = () => isAwaited() && !this.#has(position);
			if (isWanted() && await this.#reader.ask(cursor, isWanted)) await this.#until(position.event);
			if (this.#has(position)) return {
				position,
				snapshot: "",
				hasGap: false
			};
		}
		const hasGap = cursor !== void 0 && !this.#base;
		if (hasGap && !this.#reader.isVolatile) throw cursorExpiredError();
		const isOld = () => this.#freshAt === Infinity || this.#base !== void 0 && this.#log.end.event - this.#base.position.event > 64;
		if (isOld()) await this.#reader.ask(void 0, () => isAwaited() && isOld());
		await this.#until(this.#freshAt);
		return {
			...this.#base ?? {
				position: this.#log.end,
				snapshot: ""
			},
			hasGap
		};
	}
	/** Waits until the copy has an event. */
	async #until(event) {
		if (this.#log.end.event >= event) return;
		const arrival = {
			event,
			...Promise.withResolvers()
		};
		this.#arrivals.push(arrival);
		await arrival.promise;
	}
	/** Fetches the next events of a subscriber, and sends them. */
	async #fetchFor(one) {
		if (this.#late.has(one)) return;
		this.#late.add(one);
		await void 0;
		const isMissing = () => this.#log.heldAfter(one.sent) === one.sent;
		try {
			const { sent, epoch = "" } = one;
			const isWanted = () => this.#feed.listeners.has(one) && isMissing();
			if (isWanted()) await this.#reader.ask(encodeCursor({
				event: sent,
				epoch
			}), isWanted);
			if (isWanted()) this.#end(one, { thrown: cursorExpiredError() });
		} catch (thrown) {
			this.#end(one, { thrown: this.#source.errorOf(thrown) });
		}
		this.#late.delete(one);
		if (this.#feed.listeners.has(one)) feedsOf(this.#source.instance).deliver(this.#feed, [one]);
		this.#source.weigh(this);
	}
	#end(one, end) {
		if (!this.#feed.listeners.has(one)) return;
		subscribersOf(this.#source.instance).end(one.connection, one.subscriptionId, end);
	}
};
// src/features/relay/server/until-arrived.ts
/** Waits for the values of a relay that a method reads. */
/** Returns a function that runs a `readonly` method again, as the caller, until all values have arrived. */
function untilArrived(run, caller) {
	return function(...args) {
		const wait = (thrown) => {
			if (!(thrown instanceof PendingError)) throw thrown;
			const { value } = thrown;
			const result = value.hold().then(() => runAsCaller(caller, attempt));
			const release = () => value.release();
			result.then(release, release);
			return result;
		};
		const attempt = () => {
			try {
				const result = Reflect.apply(run, this, args);
				return result instanceof Promise ? result.catch(wait) : result;
			} catch (thrown) {
				return wait(thrown);
			}
		};
		return attempt();
	};
}
// src/features/relay/server/relays.ts
/** The origins that an object copies. Each has a connection and copies, and all copies share an account of memory. */
/** The number of unused copies that are held until the next check, so that a call finds them again. */
const MAX_UNUSED = 8;
/** An origin, called as one caller. */
var Source = class {
	instance;
	/** The name of the origin, if it has one. */
	name;
	/** The copies by their kind, method and arguments. The copies that were requested last are at the end. */
	copies = /* @__PURE__ */ new Map();
	lostAt;
	#relays;
	#key;
	#origin;
	#options;
	#client;
	#timer;
	constructor(relays, key, origin, options) {
		this.instance = relays.instance;
		this.name = origin().name;
		this.#relays = relays;
		this.#key = key;
		this.#origin = origin;
		this.#options = options;
	}
	/** Returns the connection to the origin, and makes a new connection after the last has ended for good. */
	get client() {
		try {
			if (this.#client) internalsOf(this.#client)[0].admit();
		} catch {
			this.#client = void 0;
		}
		return this.#client ??= this.#connect();
	}
	/** @param make - makes the copy, if there is none yet */
	use(key, call, make) {
		const known = this.copies.get(key);
		this.copies.delete(key);
		if (!known) this.#dropUnused(MAX_UNUSED);
		const copy = known?.copy ?? make();
		this.copies.set(key, {
			call,
			copy
		});
		if (this.#timer === void 0) this.#watch();
		if (!known) copy.start();
		return copy;
	}
	forget(copy) {
		for (const [key, one] of this.copies) if (one.copy === copy) this.copies.delete(key);
		queueMicrotask(() => this.tidy());
	}
	/** Counts the bytes that a copy holds now. */
	weigh(copy) {
		this.#relays.memory.set(copy, copy.figures.bytes);
	}
	/** Drops the unused copies, if the origin has refused another subscription. @returns whether there were any */
	makesRoom(thrown) {
		return thrown instanceof RpcError && thrown.code === "LIMIT_EXCEEDED" && this.#dropUnused(0);
	}
	/** Drops the copies that nobody uses, and then the connection. */
	tidy() {
		this.#dropUnused(0);
		if (this.copies.size > 0) return;
		clearTimeout(this.#timer);
		this.#client?.[Symbol.dispose]();
		this.#timer = this.#client = void 0;
		this.#relays.forget(this.#key);
	}
	/** Returns the error of the origin, or of the connection to it, for the subscribers of the relay. */
	errorOf(thrown) {
		if (!(thrown instanceof RpcError)) return thrown;
		const isLimit = /^(LIMIT_EXCEEDED|UNAVAILABLE)$/.test(thrown.code);
		if (!isLimit && !thrown.status) return thrown;
		const about = isLimit ? "The relay gets no data from its origin: " : "";
		return new RpcError(thrown.code, about + messageWithoutAddress(thrown), { ...thrown });
	}
	#connect() {
		const { caller } = this.#options;
		return createRpcClient("the origin", "of a relay", {
			transport: bindingTransport({ fetch: (url, init) => {
				const origin = this.#origin();
				if (keyOf(origin, this.#origin, caller) === this.#key) return origin.fetch(url, init);
				const problem = /* @__PURE__ */ new TypeError("The origin of a relay has changed: call relay() once for each origin");
				this.#stop(problem, false);
				throw problem;
			} }, {
				socket: true,
				caller
			}),
			onStateChange: (state, { error }) => {
				if (state === "open") this.lostAt = void 0;
				else if (state === "reconnecting") this.lostAt ??= Date.now();
				if (error?.status) this.#stop(error, true);
			}
		});
	}
	#stop(thrown, onlyNew) {
		for (const { copy } of this.copies.values()) if (!onlyNew || !copy.hasBegun) copy.stop(thrown);
	}
	#dropUnused(spared) {
		const unused = [...this.copies].filter(([, { copy }]) => !copy.isUsed);
		for (const [key, { copy }] of unused.slice(0, -spared || void 0)) {
			this.copies.delete(key);
			copy.drop();
		}
		return unused.length > spared;
	}
	/** Checks from time to time which copies are used. The timer costs nothing, because the socket keeps the relay awake. */
	#watch() {
		this.#relays.alarm?.putOff().catch(console.error);
		this.#timer = setTimeout(() => {
			this.tidy();
			if (this.copies.size > 0) this.#watch();
		}, Math.min(this.#options.linger ?? 1e4, MAX_DELAY));
	}
};
/** All origins of an object. */
var Relays = class {
	instance;
	sources = /* @__PURE__ */ new Map();
	alarm;
	#memory;
	constructor(instance) {
		this.instance = instance;
		this.alarm = sharedAlarmOf(instance);
		queueMicrotask(() => {
			if (openConnectionsOf(instance).every(({ subscriptions }) => subscriptions.stored.length === 0)) return;
			subscribersOf(instance).restore(feedEvents);
			changed(instance);
		});
	}
	get memory() {
		const { limits } = contractOf(this.instance) ?? { limits: DEFAULT_LIMITS };
		return this.#memory ??= new CacheMemory(this.instance, limits);
	}
	sourceOf(origin, options) {
		const stub = origin();
		const key = keyOf(stub, origin, options.caller);
		const known = this.sources.get(key);
		if (known) return known;
		if (isRelayName(stub.name)) throw new TypeError("The origin is itself a relay: pass the object that it copies");
		for (const other of this.sources.values()) other.tidy();
		return this.sources.set(key, new Source(this, key, origin, options)).get(key);
	}
	forget(key) {
		if (this.sources.delete(key) && !this.sources.size) this.alarm?.end().catch(console.error);
	}
};
/** Returns a key that identifies an origin and a caller. */
function keyOf({ id, name }, origin, caller) {
	const object = typeof id === "object" ? String(id) : name;
	return typeof object === "string" ? JSON.stringify({
		object,
		caller
	}) : origin;
}
const relaysOf = /* @__PURE__ */ perObject((instance) => new Relays(instance));
relaying.afterConstruction = (instance) => {
	if (prepareAlarm(instance)) relaysOf(instance);
};
relaying.untilArrived = untilArrived;
// src/features/relay/server/value-copy.ts
/** The copy of a live value. Live methods of the relay that have read it run again when it changes. */
var ValueCopy = class {
	#source;
	#subscription;
	#loop;
	/** The newest value, or the error that has ended the copy. */
	#newest;
	/** The live calls whose methods have read the value, as in `LiveCalls`. */
	#calls = /* @__PURE__ */ new Set();
	#arrival = Promise.withResolvers();
	/** The number of running calls that have waited for the first value. */
	#held = 0;
	#isDropped = false;
	#startedAt = Date.now();
	#delay = 0;
	#bytes = 0;
	constructor(source, subscription) {
		this.#source = source;
		this.#subscription = subscription;
		this.#loop = subscription[Symbol.asyncIterator]();
		this.#arrival.promise.catch(() => {});
	}
	/** @throws PendingError as long as there is no value; the error of the origin */
	get value() {
		const call = runningLiveCall();
		if (call !== void 0) this.#calls.add(call);
		const newest = this.#newest;
		if (!newest) throw new PendingError(this);
		if ("thrown" in newest) throw newest.thrown;
		return newest.value;
	}
	get isUsed() {
		return this.#held > 0 || this.figures.readers > 0;
	}
	get hasBegun() {
		return this.#newest !== void 0;
	}
	get figures() {
		const calls = liveCallsOf(this.#source.instance);
		let readers = 0;
		for (const call of this.#calls) {
			const count = calls.subscriptionsTo(call);
			if (count === 0) this.#calls.delete(call);
			readers += count;
		}
		return {
			readers,
			events: this.#newest ? 1 : 0,
			bytes: this.#bytes,
			delay: this.#delay
		};
	}
	start() {
		this.#follow();
	}
	drop() {
		this.#isDropped = true;
		this.#loop.return?.();
		this.#bytes = 0;
		this.#source.weigh(this);
	}
	stop(thrown) {
		if (this.#isDropped) return;
		this.drop();
		const error = this.#source.errorOf(thrown);
		this.#newest = { thrown: error };
		this.#arrival.reject(error);
		changed(this.#source.instance);
		atEndOfTurn(this.#source.instance, "values", () => this.#source.forget(this));
	}
	hold() {
		this.#held++;
		return this.#arrival.promise;
	}
	release() {
		this.#held--;
	}
	async #follow() {
		try {
			for (;;) {
				const { done, value } = await this.#loop.next();
				if (this.#isDropped) return;
				if (done) throw new RpcError("METHOD_NOT_FOUND", "The method of the origin is not live: list it by live([…]) in the contract of the origin");
				this.#delay ||= (Date.now() - this.#startedAt) / 2;
				this.#newest = { value };
				this.#bytes = weightOf([value]);
				this.#source.weigh(this);
				this.#arrival.resolve();
				changed(this.#source.instance);
			}
		} catch (thrown) {
			if (this.#isDropped || !this.#source.makesRoom(thrown)) return this.stop(thrown);
			this.#loop = this.#subscription[Symbol.asyncIterator]();
			this.start();
		}
	}
};
// src/features/relay/feature.ts
/** Relays: objects that subscribe to another object, and serve its events and values to their own subscribers. */
/**
* Makes an object a relay of another object, the origin. While the relay has subscribers, it subscribes to feeds and
* live values of the origin, and serves them from a copy. A subscriber receives each event once and in order, even if
* it moves to another relay or to the origin, and even if the relay or the origin is killed.
*
* Call it in a field or in a method. For one origin and one `caller` it returns one relay, with the options of the
* first call, and equal feeds and values share a copy. The events and values of the origin must not depend on the
* subscriber, because the relay is the caller of the origin.
*
* An alarm wakes the relay if the runtime has evicted it while its subscribers stayed connected. The class can have its
* own alarm. A class that calls `relay` only in methods needs a method `alarm`, which may be empty.
*
* @param instance - the relay
* @param origin - returns a new stub of the object to copy. The object must always be the same, and must not
*   be a relay.
* @param options - `keep` and `window`, numbers of events; `linger`, in milliseconds; `caller`
* @returns the relay, whose methods `feed` and `live` copy feeds and live values
* @throws RangeError for a `keep` or `window` that is not a positive integer
* @example
* readonly #room = relay<Room>(this, () => this.env.ROOM.getByName('lobby'));
* messages() { return this.#room.feed('messages'); }
* topic() { return this.#room.live('topic').value; }
*/
function relay(instance, origin, options = {}) {
	return new Relay(instance, origin, options);
}
/**
* Returns the copies that a relay holds, for example for a `read` method that an operator calls.
*
* @param instance - the relay
* @returns the state of each feed and value that is copied now
* @example
* copies(): CopyState[] { return observe(this); }
*/
function observe(instance) {
	const now = Date.now();
	return [...relaysOf(instance).sources.values()].flatMap(({ name: origin, copies, lostAt }) => Array.from(copies.values(), ({ call, copy: { figures } }) => ({
		origin,
		...call,
		...figures,
		delay: lostAt === void 0 ? figures.delay : now - lostAt
	})));
}
/** Copies feeds and live values of the origin. */
var Relay = class {
	#source;
	#keep;
	#window;
	constructor(instance, origin, options) {
		const { keep = 1e3, window = 64, ...rest } = options;
		checkCounts("a relay", {
			keep,
			window
		});
		const relays = relaysOf(instance);
		this.#source = () => relays.sourceOf(origin, rest);
		this.#keep = keep;
		this.#window = window;
	}
	/** Copies a feed. @returns the copy, for a method of the relay that the contract lists by `events` */
	feed(method, ...args) {
		const held = {
			method: String(method),
			args
		};
		const invocation = JSON.stringify(method) + encodeArgs(args);
		return {
			[FEED]: PACKAGE_COPY,
			window: this.#window,
			reach: async (cursor, isAwaited) => {
				const source = this.#source();
				const make = () => new FeedCopy(source, invocation, this.#keep);
				return source.use(`events ${invocation}`, held, make).reach(typeof cursor === "string" ? cursor : void 0, isAwaited);
			}
		};
	}
	/** Copies a live value. @returns the copy, for a method of the relay that the contract lists by `live` or `read` */
	live(method, ...args) {
		const held = {
			method: String(method),
			args
		};
		const key = `live ${JSON.stringify(method)}${encodeArgs(args)}`;
		const get = () => {
			const source = this.#source();
			const subscribed = () => subscribe(source.client)[held.method](...args);
			return source.use(key, held, () => new ValueCopy(source, subscribed())).value;
		};
		return Object.defineProperty({}, "value", { get });
	}
};
export { observe, originOf, relay, relayName };
