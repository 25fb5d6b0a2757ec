import { Timer, atEndOfTick, resultPartOf } from "./client-core.js";
import { LOOP, WritableStore } from "./client-stores.js";
import { OURS, readersOf } from "./client-subscribe.js";
// src/features/live/client/optimistic.ts
/**
* Optimistic changes, which show a live value as it will be after a call. A bundle contains this file only if you
* import it.
*
* An answer shares a frame with the live value that has the effect of the call. The answer is handled first. So a
* change that has been confirmed stays until that value has arrived, and one notification replaces both.
*/
/**
* The maximum number of microtasks between the arrival of a frame and the time when its value is in the store.
* `readers.ts` waits for five, and the loop takes five more.
*/
const TURNS = 12;
/** The time that a confirmed change waits for a value that arrives over another connection, in milliseconds. */
const PATIENCE = 2e3;
/**
* Shows a live value as it will be after a call, until the call is answered. If the call rejects, the change is taken
* back. Several changes of one value are applied in the order in which they were made, and they are applied again to
* each new value that arrives before the answer. A call that is sent again after a lost connection keeps its change.
*
* Every store of the client with this method and these arguments shows the change, and so does `useLive`. A loop over
* `subscribe(client)` only receives the values of the object.
*
* @param call - the promise that a method of a client has returned, and not the promise of a `then`. A call can change
*   several values: `optimistic(optimistic(call, board, move), activity, add)`.
* @param live - a store from `liveStore`, even if nobody watches it
* @param update - returns the changed value, as a new object. It must not change the value that it receives. It is called
*   when there is a value, and again with each new value. If it throws, the error is reported and the change is left out.
*   The call continues.
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
/** The changes of each live value, by the loop over it. */
const all = /* @__PURE__ */ new WeakMap();
/** The changes of one live value. */
var Changes = class {
	#changes = [];
	/** The newest value that has arrived. */
	#newest;
	/** The value to which the changes are applied. */
	#base;
	/** True if the frame that is handled has messages of the subscription, so that the value may follow. */
	#isArriving = false;
	/** Settles changes. It runs once for all calls of a frame, or of a connection. */
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
	/** Called for a new connection. Its values have the effect of the calls that ran before. */
	reconnected() {
		for (const one of this.#changes) one.lostAt = one.call.sentAt;
	}
	/** Called before the messages of a frame are handled. */
	arrived(messages) {
		const id = this.#subscription.reader?.subscriptionId;
		this.#isArriving = messages.some((message) => message[1] === id && OURS.has(message[0]));
	}
	/** Called after the messages of a frame have been handled. */
	handled() {
		this.#isArriving = false;
		this.#settle();
	}
	/**
	* Removes the changes whose calls were rejected, and the changes whose effect the newest value has.
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
/** Returns whether the effect of a call may be in a value although the call has no answer. */
function mayHaveRun({ call, lostAt }) {
	return !call.outcome && lostAt !== void 0 && call.sentAt === lostAt;
}
async function turns() {
	for (let turn = 0; turn < TURNS; turn++) await void 0;
}
/** Returns the values of a session that have changes. */
function changesOf(session) {
	return session.optimistic ??= followed(session);
}
function followed(session) {
	readersOf(session);
	const { received, opened } = session;
	const values = /* @__PURE__ */ new Set();
	/** The frame that is being handled, and frames that have arrived since: a port can bring several in one task. */
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
