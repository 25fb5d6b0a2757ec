import { internalsOf } from "./client-core.js";
import { subscribe, subscriptionKeyOf } from "./client-subscribe.js";
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
* Returns a store of the state of a client's connection, the same at each call. The details of a change that was
* before the first call are not all known.
*
* @param client - from `createRpcClient`, or a capability
* @throws TypeError for a value that is not a client
* @example
* connectionState(counter).subscribe(({ state, reason }) => show(`${state} ${reason ?? ''}`));
*/
function connectionState(client) {
	const [session] = internalsOf(client);
	return all$1.get(session) ?? watch(session);
}
const all$1 = /* @__PURE__ */ new WeakMap();
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
	all$1.set(session, status);
	return status;
}
// src/features/live/client/live-store.ts
/** What a live store holds before the first value. */
const NO_VALUE = {};
function liveStore(client, read, add) {
	const [key, subscription] = selectSubscription(client, read);
	const loops = add ? /* @__PURE__ */ new Map() : loopsOf(client);
	return {
		get: () => loops.get(key)?.get() ?? NO_VALUE,
		subscribe: (run) => {
			const loop = loops.get(key) ?? new Loop(subscription, add, () => loops.delete(key));
			loops.set(key, loop);
			return loop.subscribe(run);
		}
	};
}
/** Returns what is read, and text that is the same for the same method and arguments. */
function selectSubscription(client, read) {
	const methods = subscribe(client);
	const subscription = read(methods);
	const key = subscriptionKeyOf(subscription, methods);
	if (key === void 0) throw new TypeError("`read` must return a subscription of the methods that it gets");
	return [key, subscription];
}
/** The loops that run, by client. */
const all = /* @__PURE__ */ new WeakMap();
function loopsOf(client) {
	const loops = all.get(client) ?? /* @__PURE__ */ new Map();
	all.set(client, loops);
	return loops;
}
/** One loop over a subscription, from when it is first watched until nobody watches it. */
var Loop = class {
	#live = new WritableStore(NO_VALUE);
	#subscription;
	#add;
	#ended;
	/** `undefined` after the loop has failed. */
	#items;
	#hasEnded = false;
	constructor(subscription, add = (_, newest) => newest, ended) {
		this.#subscription = subscription;
		this.#add = add;
		this.#ended = ended;
	}
	get = () => this.#live.get();
	subscribe(run) {
		if (!this.#items) this.#begin();
		const stop = this.#live.subscribe(run);
		return () => {
			stop();
			if (!this.#live.isWatched && !this.#hasEnded) this.#end();
		};
	}
	#begin() {
		this.#items = this.#subscription[Symbol.asyncIterator]();
		this.#live.set(NO_VALUE);
		this.#follow(this.#items);
	}
	#end() {
		this.#hasEnded = true;
		this.#ended();
		this.#items?.return?.();
	}
	async #follow(items) {
		let value;
		try {
			for (;;) {
				const { done, value: item } = await items.next();
				if (done) return;
				value = this.#add(value, item);
				this.#live.set({ value });
			}
		} catch (error) {
			this.#items = void 0;
			items.return?.();
			this.#live.set({
				...this.#live.get(),
				error
			});
		}
	}
};
export { NEVER_CONNECTED, NO_VALUE, connectionState, liveStore, selectSubscription };
