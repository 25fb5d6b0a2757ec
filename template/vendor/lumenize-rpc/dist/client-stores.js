import { Timer, createRpcClient, internalsOf } from "./client-core.js";
import { isSnapshot, selectSubscription } from "./client-subscribe.js";
// src/client/store.ts
var WritableStore = class {
	#value;
	#watchers = /* @__PURE__ */ new Set();
	constructor(value) {
		this.#value = value;
	}
	get isWatched() {
		return this.#watchers.size > 0;
	}
	set(value) {
		this.#value = value;
		for (const tell of this.#watchers) tell();
	}
	get = () => this.#value;
	subscribe = (run) => {
		const tell = () => {
			try {
				run(this.#value);
			} catch (error) {
				(globalThis.reportError ?? console.error)(error);
			}
		};
		this.#watchers.add(tell);
		tell();
		return () => void this.#watchers.delete(tell);
	};
};
// src/client/connection-state.ts
/** The status of a client that has not connected. */
const NEVER_CONNECTED = { state: void 0 };
/**
* Returns a store of the state of a client's connection. Each call for one client returns the same store. For a change
* before the first call, the store may lack some of the details.
*
* @param client - from `createRpcClient`, or a capability
* @throws TypeError for a value that is not a client
* @example
* connectionState(counter).subscribe(({ state, reason }) => show(`${state} ${reason ?? ''}`));
*/
function connectionState(client) {
	const [session] = internalsOf(client);
	return all$2.get(session) ?? watch(session);
}
const all$2 = /* @__PURE__ */ new WeakMap();
function watch(session) {
	const { state, failure: error } = session.connection;
	const reason = state === "reconnecting" && error && {
		reason: error.message,
		error
	};
	const status = new WritableStore({
		...NEVER_CONNECTED,
		...state && { state },
		...reason
	});
	const { changed } = session;
	session.changed = (now, detail) => {
		status.set({
			state: now,
			...detail
		});
		changed?.(now, detail);
	};
	all$2.set(session, status);
	return status;
}
// src/client/client-store.ts
/** The time that a client stays open without watchers, in milliseconds. Meanwhile a page may replace its components. */
const GRACE = 1e3;
/** The options whose functions the client calls later. It calls the functions that were passed last. */
const CALLED_LATER = [
	"headers",
	"protocols",
	"fetch",
	"onStateChange"
];
/**
* Returns a store of a client, which all stores with the same arguments share. The client is created when the store is
* first used. It is closed 1 s after its last watcher has left, or 1 s after `get()` if nothing watches it by then, but
* not before its calls are answered. In React, use `useRpcClient`.
*
* Options are compared by their values. Stores with different options have different clients, each with a connection of
* its own. Functions of `headers`, `protocols`, `fetch` and `onStateChange` can differ: the client calls the functions
* that were passed last. All other functions, and instances of classes, are compared by identity: create them once,
* outside of the component.
*
* @param binding - the Durable Object binding, such as `ROOM`
* @param instance - the object's name, or its id as 64 hex characters
* @param options - the options of `createRpcClient`. Default: none.
* @returns a store. Do not close its client: other components may use it.
* @throws TypeError, when the store is used, for a `baseUrl` that does not begin with `http://` or `https://`
* @example
* const stop = clientStore<Room>('ROOM', 'lobby').subscribe((room) => show(room));
*/
function clientStore(binding, instance, options = {}) {
	const key = clientKeyOf(binding, instance, options);
	const create = () => new SharedClient(key, binding, instance, options);
	/** The client of a page that a server renders. Nothing tells the server when it has rendered the page. */
	let own;
	return {
		get: () => {
			const shared = all$1.get(key) ?? (hasWindow() ? create() : own ??= create());
			if (shared !== own) shared.touch();
			return shared.client;
		},
		subscribe: (run) => {
			const shared = all$1.get(key) ?? create();
			shared.options = options;
			const leave = shared.watch();
			run(shared.client);
			return leave;
		}
	};
}
/** Returns text that is the same for the same object and options. */
function clientKeyOf(binding, instance, options) {
	return JSON.stringify([
		binding,
		instance,
		options
	], (name, value) => {
		if (typeof value === "function") return CALLED_LATER.includes(name) || idOf(value);
		if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
		const prototype = Object.getPrototypeOf(value);
		if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return idOf(value);
		const entries = Object.entries(value);
		return Object.fromEntries(entries.sort(([one], [other]) => one < other ? -1 : 1));
	});
}
/** Gives a client the functions that it calls from now on. */
function renewOptions(key, options) {
	const shared = all$1.get(key);
	if (shared) shared.options = options;
}
/** All open shared clients, by the key of their object and options. */
const all$1 = /* @__PURE__ */ new Map();
const ids = /* @__PURE__ */ new WeakMap();
let lastId = 0;
/** Returns a number for the identity of a function or an object. */
function idOf(value) {
	const id = ids.get(value) ?? ++lastId;
	ids.set(value, id);
	return id;
}
/** Returns whether the code runs in a page or in React Native, and not on a server that renders a page. */
const hasWindow = () => "window" in globalThis;
var SharedClient = class {
	client;
	/** The options of the newest watcher. */
	options;
	#key;
	#isAwaiting;
	#timer = new Timer(() => this.#leave());
	#watchers = /* @__PURE__ */ new Set();
	constructor(key, binding, instance, options) {
		this.#key = key;
		this.options = options;
		const late = {};
		for (const name of CALLED_LATER) {
			if (typeof options[name] !== "function") continue;
			late[name] = (...args) => {
				const newest = this.options[name];
				return newest(...args);
			};
		}
		this.client = createRpcClient(binding, instance, {
			...options,
			...late
		});
		const [session] = internalsOf(this.client);
		this.#isAwaiting = session.isAwaiting;
	}
	/** Keeps the client open for a while, for a component that is rendered and will watch it once it is mounted. */
	touch() {
		if (this.#watchers.size > 0) return;
		all$1.set(this.#key, this);
		this.#closeLater();
	}
	/** @returns a function that stops watching */
	watch() {
		all$1.set(this.#key, this);
		this.#timer.stop();
		const watcher = {};
		this.#watchers.add(watcher);
		return () => {
			if (!this.#watchers.delete(watcher) || this.#watchers.size > 0) return;
			if (hasWindow()) this.#closeLater();
			else this.#timer.watch(this.#leave() ?? Infinity);
		};
	}
	#closeLater() {
		this.#timer.stop();
		this.#timer.watch(performance.now() + GRACE);
	}
	/** Closes the client, unless an answer is awaited. @returns the time of `performance.now()` when to try again */
	#leave() {
		if (this.#isAwaiting()) return performance.now() + GRACE;
		all$1.delete(this.#key);
		this.client.close();
	}
};
// src/features/feeds/client/feed-store.ts
/** The state of a store that has nothing to read. */
const NO_EVENTS = {
	events: [],
	hasOlder: false,
	isLoading: false,
	loadOlder: async () => {}
};
/**
* Returns a store of the events of a feed. When somebody begins to watch the store, it loads the newest page, and
* subscribes to the events after it. When nobody watches the store any more, it unsubscribes and keeps its events. When
* it is watched again, it continues after them.
*
* If the feed no longer has the next event, because the client was away for long, or because the object has lost events,
* the store begins anew with the newest page.
*
* @param client - from `createRpcClient`, or a capability. Pass `null`, `undefined` or `false` as long as there is
*   nothing to read; the store then has no events.
* @param read - chooses the method that returns the feed and its arguments, or returns nothing
* @param page - calls the method that returns a page of this feed
* @returns the store
* @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
* @example
* const messages = feedStore(room, (room) => room.messages(), (room, before) => room.history(before));
* const stop = messages.subscribe(({ events, error }) => show(events, error));
*/
function feedStore(client, read, page) {
	if (!client || !selectSubscription(client, read)) return new WritableStore(NO_EVENTS);
	return new FeedStore((before) => page(client, before), (after, onGap) => selectSubscription(client, read, {
		after,
		onGap
	})?.[1]);
}
var FeedStore = class {
	#state;
	#page;
	#subscribe;
	/** The loaded range; `undefined` until the newest page has arrived. A store that begins anew has another object. */
	#loaded;
	/** The page that is awaited. */
	#loading;
	#running;
	/** The last cursor that has expired. */
	#expired;
	constructor(page, follow) {
		this.#page = page;
		this.#subscribe = follow;
		this.#state = new WritableStore({
			...NO_EVENTS,
			isLoading: true,
			loadOlder: () => {
				if (!this.#running && this.#state.isWatched) this.#start();
				return this.#load();
			}
		});
	}
	get = () => this.#state.get();
	subscribe = (run) => {
		if (!this.#running) this.#start();
		const stop = this.#state.subscribe(run);
		return () => {
			stop();
			if (!this.#state.isWatched) this.#stop();
		};
	};
	#set(changes) {
		this.#state.set({
			...this.#state.get(),
			...changes
		});
	}
	#start() {
		this.#run(this.#running = {});
	}
	#stop() {
		this.#running?.items?.return?.();
		this.#running = void 0;
	}
	/** Begins anew with the newest page, which replaces the events of the store. */
	#restart() {
		this.#loaded = void 0;
		if (!this.#running) return;
		this.#stop();
		this.#start();
	}
	async #run(running) {
		if (!this.#loaded) await this.#load();
		if (running !== this.#running) return;
		if (!this.#loaded) return this.#stop();
		try {
			await this.#follow(running, this.#loaded);
		} catch (error) {
			if (running !== this.#running) return;
			if (isExpired(error) && this.#expire(this.#loaded)) return;
			this.#stop();
			this.#set({ error });
		}
	}
	/**
	* Begins anew if the feed does not have the next event any more.
	*
	* @returns false for a page of another feed, which would expire again and again
	*/
	#expire({ after }) {
		if (after === this.#expired) return false;
		this.#expired = after;
		this.#restart();
		return true;
	}
	/** Adds the events that follow. */
	async #follow(running, loaded) {
		const subscription = this.#subscribe(loaded.after, () => {
			if (running === this.#running) this.#expire(loaded);
		});
		const items = running.items = subscription[Symbol.asyncIterator]();
		for (;;) {
			const { done, value: event } = await items.next();
			if (done || running !== this.#running) return;
			if (isSnapshot(subscription)) return this.#restart();
			const cursor = loaded.after = subscription.cursor;
			this.#set({ events: [...this.#state.get().events, {
				cursor,
				event
			}] });
		}
	}
	/** Loads the newest page if no page is loaded, otherwise an older page. */
	#load() {
		return this.#loading ??= this.#loadPage().finally(() => this.#loading = void 0);
	}
	async #loadPage() {
		const loaded = this.#loaded;
		if (loaded && loaded.before === void 0) return;
		this.#set({
			isLoading: true,
			error: void 0
		});
		try {
			const { events, before, after } = await this.#page(loaded?.before);
			if (loaded !== this.#loaded) return await this.#loadPage();
			if (loaded) loaded.before = before;
			else this.#loaded = {
				before,
				after
			};
			this.#set({
				events: loaded ? [...events, ...this.#state.get().events] : events,
				hasOlder: before !== void 0,
				isLoading: false
			});
		} catch (error) {
			if (loaded && isExpired(error)) {
				this.#restart();
				return await this.#loadPage();
			}
			this.#set({
				error,
				hasOlder: true,
				isLoading: false
			});
		}
	}
};
function isExpired(error) {
	return error?.code === "CURSOR_EXPIRED";
}
// src/features/live/client/live-store.ts
/** The state of a live store before the first value. */
const NO_VALUE = {};
/** The key of the function that returns the loop of a live store. Code outside the runtime does not have the symbol. */
const LOOP = Symbol();
function liveStore(client, read, add, options) {
	const selected = client && selectSubscription(client, read, options);
	if (!client || !selected) return new WritableStore(NO_VALUE);
	const [key, subscription] = selected;
	const loops = add || options?.onGap ? /* @__PURE__ */ new Map() : loopsOf(client);
	return {
		get: () => loops.get(key)?.get() ?? NO_VALUE,
		subscribe: (run) => {
			const loop = loops.get(key) ?? new Loop(subscription, add, () => loops.delete(key));
			loops.set(key, loop);
			return loop.subscribe(run);
		},
		[LOOP]: () => loops.get(key)
	};
}
/** The running loops of each client. */
const all = /* @__PURE__ */ new WeakMap();
function loopsOf(client) {
	const loops = all.get(client) ?? /* @__PURE__ */ new Map();
	all.set(client, loops);
	return loops;
}
/** A loop over a subscription. It runs while somebody watches it. */
var Loop = class {
	/** The store that shows the values. Modules such as `optimistic` can replace its method `set`. */
	live = new WritableStore(NO_VALUE);
	subscription;
	#add;
	#ended;
	/** The items of the subscription; `undefined` after the loop has failed. */
	#items;
	#hasEnded = false;
	constructor(subscription, add = (_, newest) => newest, ended) {
		this.subscription = subscription;
		this.#add = add;
		this.#ended = ended;
	}
	get = () => this.live.get();
	subscribe(run) {
		if (!this.#items) this.#begin();
		const stop = this.live.subscribe(run);
		return () => {
			stop();
			if (!this.live.isWatched && !this.#hasEnded) this.#end();
		};
	}
	#begin() {
		this.#items = this.subscription[Symbol.asyncIterator]();
		this.live.set(NO_VALUE);
		this.#follow(this.#items);
	}
	#end() {
		this.#hasEnded = true;
		this.#ended();
		this.#items?.return?.();
	}
	async #follow(items) {
		let live = NO_VALUE;
		try {
			for (;;) {
				const { done, value } = await items.next();
				if (done) return;
				live = { value: this.#add(live.value, value) };
				this.live.set(live);
			}
		} catch (error) {
			this.#items = void 0;
			items.return?.();
			this.live.set({
				...live,
				error
			});
		}
	}
};
export { LOOP, NEVER_CONNECTED, NO_VALUE, WritableStore, clientKeyOf, clientStore, connectionState, feedStore, hasWindow, liveStore, renewOptions };
