import { RpcError, encodeArgs } from "./wire.js";
import { Reader, insideOf, readersOf } from "./client-core.js";
// src/client/subscribe.ts
/**
* Returns the methods of a client that its contract lists by `live`, `events`, `stream` or `rows`, as subscriptions: a
* method returns an async iterable.
*
* A live value arrives at once, then whenever it has changed. A slow loop misses values, but not the newest.
* The events of a feed each arrive once and in order while the loop runs, even after lost connections,
* hibernation and restarts of the object. So do rows. The items of a stream each arrive once and in order, even after
* lost connections, as long as the object keeps the stream in its memory. When you leave the loop, the subscription ends,
* and so does the source of the items: the `finally` of a generator runs.
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
	const [session, , , calleeOf] = insideOf(client);
	if (!session.transport.isDuplex) throw new TypeError("Subscriptions need a WebSocket");
	const methods = new Proxy({}, { get: (_, name) => typeof name === "symbol" || name === "then" ? void 0 : (...args) => {
		const rest = encodeArgs(args, session.take);
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
function keyOf(subscription, methods) {
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
export { keyOf, subscribe };
