import { decodeAnswer, encodeArgs } from "./wire.js";
import { Timer, internalsOf } from "./client-core.js";
import { NO_VALUE, WritableStore } from "./client-stores.js";
import { Reader, readersOf, selectSubscription } from "./client-subscribe.js";
// src/features/presence/client/presence.ts
function presence(client, read) {
	const selected = client && selectSubscription(client, read);
	if (!client || !selected) return Object.assign(new WritableStore(NO_VALUE), { update() {} });
	const [key, subscription] = selected;
	const [session] = internalsOf(client);
	const all = participants.get(client) ?? /* @__PURE__ */ new Map();
	participants.set(client, all);
	/** The data that was last passed to `update` of this store. */
	let said = "";
	return {
		get: () => all.get(key)?.get() ?? NO_VALUE,
		update: (...args) => {
			said = encodeArgs(args, session.referenceOf);
			all.get(key)?.say(said);
		},
		subscribe: (run) => {
			let one = all.get(key);
			if (!one) {
				const { invocation } = subscription;
				all.set(key, one = new Participant(session, invocation, () => all.delete(key)));
				if (said) one.say(said);
			}
			return one.subscribe(run);
		}
	};
}
/** The participants that take part now, by client and method. */
const participants = /* @__PURE__ */ new WeakMap();
/** A client in a presence. It takes part while somebody watches a store. */
var Participant = class {
	#live = new WritableStore(NO_VALUE);
	#session;
	#invocation;
	#ended;
	#connection;
	/** The subscription; `undefined` after an error. */
	#reader;
	/** The data of the client, as the text of arguments. `#told` is the data that was sent last. */
	#said = "";
	#told = "";
	#toldAt = -Infinity;
	#later = new Timer(() => this.#tell());
	constructor(session, invocation, ended) {
		this.#session = session;
		this.#invocation = invocation;
		this.#ended = ended;
		this.#connection = readersOf(session);
	}
	get = () => this.#live.get();
	subscribe(run) {
		if (!this.#reader) this.#follow();
		const stop = this.#live.subscribe(run);
		return () => {
			stop();
			if (this.#live.isWatched) return;
			this.#ended();
			this.#later.stop();
			this.#reader?.stop({});
		};
	}
	say(said) {
		this.#said = said;
		this.#tell();
	}
	/** Sends the newest data if the object has the subscription. Before that, the subscription contains the data. */
	#tell() {
		if (this.#said === this.#told || !this.#reader?.isBegun) return;
		const now = performance.now();
		const wait = this.#session.transport.isCongested?.() ? 16 : this.#toldAt + 16 - now;
		if (wait > 0) return this.#later.watch(now + wait);
		this.#toldAt = now;
		this.#told = this.#said;
		this.#connection.tell(`["say",${this.#reader.subscriptionId}${this.#said}]`);
	}
	async #follow() {
		const others = /* @__PURE__ */ new Map();
		this.#live.set(NO_VALUE);
		try {
			this.#session.admit();
			const reader = new Reader(this.#connection, this.#invoke, "0.", () => {});
			this.#reader = reader;
			await void 0;
			reader.start();
			for (;;) {
				const { done, value: changes } = await reader.take();
				if (done) return;
				const [, own = ""] = String(reader.cursor).split(".");
				take(changes, own, others);
				this.#live.set({ value: [...others.values()] });
				this.#tell();
			}
		} catch (error) {
			this.#reader?.stop({});
			this.#reader = void 0;
			this.#live.set({
				...this.#live.get(),
				error
			});
		}
	}
	#invoke = (retry) => {
		this.#told = this.#said;
		return this.#invocation(retry, this.#said);
	};
};
/** @param own - the key of this client, which is not in the list of the others */
function take(changes, own, others) {
	const isWhole = "all" in changes;
	if (isWhole) others.clear();
	for (const change of isWhole ? changes.all : changes) {
		const [key] = typeof change === "string" ? [change] : change;
		if (key === own) continue;
		if (typeof change === "string") others.delete(key);
		else others.set(key, {
			key,
			value: valueOf(change)
		});
	}
}
function valueOf(shown) {
	const answer = decodeAnswer(shown);
	if ("thrown" in answer) throw answer.thrown;
	return answer.result;
}
export { presence };
