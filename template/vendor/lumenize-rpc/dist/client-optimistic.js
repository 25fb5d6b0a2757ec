import { Timer, atEndOfTick, resultPartOf } from "./client-core.js";
import { LOOP, WritableStore } from "./client-stores.js";
import { OURS, readersOf } from "./client-subscribe.js";
// src/features/live/client/optimistic.ts
/**
* Optimistic changes: how a live value looks until a call is answered. A bundle contains this file only if you import it.
*
* An answer shares a frame with the live value that has the effect of the call. The answer is handled first, so a change
* that has been confirmed stays until that value is there, and both leave in one notification.
*/
/**
* How many microtasks after its frame a value is in its store, at most: `readers.ts` waits for five, and the loop takes as
* many.
*/
const TURNS = 12;
/** How long a confirmed change waits for a value that comes over another connection, in milliseconds. */
const PATIENCE = 2e3;
/**
* Shows how a live value will look, until a call is answered. If the call rejects, the change is taken back. Several
* changes of one value are applied in the order in which they were made, and again to each new value that arrives
* meanwhile. A call that is sent again after a lost connection keeps its change.
*
* All that watches the value shows the change: every store of the same client with the same method and arguments, and
* `useLive`. A loop over `subscribe(client)` gets the values of the object alone.
*
* @param call - the promise that a method of a client has returned, as it is, without `then`. A call can change several
*   values: `optimistic(optimistic(call, board, move), activity, add)`.
* @param live - from `liveStore`, also while nobody watches it
* @param update - returns the changed value, as a new object. It must not change the value that it gets. It is called
*   again with each new value, and not before there is a value. If it throws, the error is reported and the change is
*   left out; the call goes on.
* @returns the promise that was passed as `call`
* @throws TypeError for a promise that is not of a call, and for a store that is not from `liveStore`
* @example
* const count = liveStore(counter, (counter) => counter.getValue());
* await optimistic(counter.increment(2), count, (value) => value + 2);
*/
function optimistic(call, live, update) {
	const [made] = resultPartOf(call) ?? [];
	if (!made) throw new TypeError("optimistic needs the promise that a method of a client has returned");
	if (live instanceof WritableStore) return call;
	if (!(LOOP in live)) throw new TypeError("optimistic needs a store that liveStore has returned");
	if (!made.outcome) change(made, live, update);
	return call;
}
function change(call, live, update) {
	const stop = live.subscribe(() => {});
	const loop = live[LOOP]();
	const changes = all.get(loop) ?? new Changes(loop);
	all.set(loop, changes);
	changes.add({
		call,
		update,
		stop,
		lostAt: void 0,
		isDue: false
	});
}
/** By the loop over a live value. */
const all = /* @__PURE__ */ new WeakMap();
/** The changes of one live value. */
var Changes = class {
	#changes = [];
	/** The newest value that has arrived. */
	#newest;
	/** The value that the changes are applied to. */
	#base;
	/** Whether the frame that is handled has messages of the subscription, so that the value may follow. */
	#isArriving = false;
	/** Once for all calls of a frame, or of a connection. */
	#settleSoon = atEndOfTick(() => {
		if (!this.#isArriving) this.#settle();
	});
	#subscription;
	#show;
	constructor({ live, subscription }) {
		this.#subscription = subscription;
		this.#base = this.#newest = live.get();
		this.#show = live.set.bind(live);
		live.set = (newest) => {
			this.#newest = newest;
			this.#settle(true);
		};
	}
	get #session() {
		return this.#subscription.session;
	}
	add(added) {
		const { call } = added;
		const { onSettled } = call;
		call.onSettled = () => {
			onSettled?.();
			this.#settleSoon();
			if (call.session === this.#session || !this.#changes.includes(added)) return;
			new Timer(() => {
				added.isDue = true;
				this.#settle();
			}).watch(performance.now() + PATIENCE);
		};
		if (this.#changes.push(added) === 1) this.#isArriving = false;
		changesOf(this.#session).add(this);
		this.#render();
	}
	/** There is a new connection. Its values have the effect of the calls that ran before. */
	reconnected() {
		for (const one of this.#changes) one.lostAt = one.call.sentAt;
	}
	/** The messages of a frame will be handled. */
	arrived(messages) {
		const id = this.#subscription.reader?.subscriptionId;
		this.#isArriving = messages.some((message) => message[1] === id && OURS.has(message[0]));
	}
	/** The messages of the frame have been handled. */
	handled() {
		this.#isArriving = false;
		this.#settle();
	}
	/**
	* Removes the changes whose calls were rejected, and those whose effect the newest value has.
	*
	* @param isNew - whether a value has arrived now
	*/
	#settle(isNew = false) {
		const { reader, session } = this.#subscription;
		const newest = this.#newest;
		if (isNew && reader?.length && this.#changes.length > 0) return;
		const hasEnded = "error" in newest;
		const isHeld = !hasEnded && "value" in newest && this.#changes.some(mayHaveRun);
		const isCurrent = hasEnded || reader?.isBegun && (reader.kind !== "window" || reader.after !== void 0);
		const before = this.#changes;
		this.#changes = before.filter(({ call, isDue, stop }) => {
			const { outcome } = call;
			const stays = !outcome || !("thrown" in outcome) && (isHeld || !(isNew || isDue || call.session === session && isCurrent));
			if (!stays) turns().then(stop);
			return stays;
		});
		const base = isHeld ? this.#base : newest;
		if (base === this.#base && before.length === this.#changes.length) return;
		this.#base = base;
		this.#render();
		if (this.#changes.length === 0) changesOf(session).delete(this);
	}
	#render() {
		if (!("value" in this.#base)) return this.#show(this.#base);
		let { value } = this.#base;
		for (const one of this.#changes) try {
			value = one.update(value);
		} catch (error) {
			this.#changes = this.#changes.filter((other) => other !== one);
			one.stop();
			(globalThis.reportError ?? console.error)(error);
		}
		this.#show(this.#changes.length > 0 ? {
			...this.#base,
			value
		} : this.#base);
	}
};
/** Whether the effect of a call may be in a value although the call has no answer. */
function mayHaveRun({ call, lostAt }) {
	return !call.outcome && lostAt !== void 0 && call.sentAt === lostAt;
}
async function turns() {
	for (let turn = 0; turn < TURNS; turn++) await void 0;
}
/** The values of a session that have changes. */
function changesOf(session) {
	return session.optimistic ??= followed(session);
}
function followed(session) {
	readersOf(session);
	const { received, opened } = session;
	const values = /* @__PURE__ */ new Set();
	/** The frame that is being handled, and those that have arrived meanwhile: a port can bring several in one task. */
	const frames = [];
	session.received = async (messages) => {
		if (frames.push(messages) > 1) return;
		for (const frame of frames) {
			for (const value of values) value.arrived(frame);
			received(frame);
			if (values.size === 0) continue;
			await turns();
			for (const value of values) value.handled();
		}
		frames.length = 0;
	};
	session.opened = () => {
		for (const value of values) value.reconnected();
		opened();
	};
	return values;
}
export { optimistic };
