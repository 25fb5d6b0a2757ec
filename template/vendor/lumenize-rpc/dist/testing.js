import { RpcError } from "./wire.js";
import { createRpcClient, internalsOf } from "./client-core.js";
import { routeDORequest, withCaller } from "./server-core.js";
import { env, exports } from "cloudflare:workers";
// src/testing/collect.ts
/**
* Subscribes until the client is closed, and collects what arrives. If the subscription ends with an error, the
* console shows it. To expect an error, loop over the subscription.
*
* @param subscription - a method of `subscribe(client)`
* @returns the values so far, oldest first; more are added as they arrive
* @example
* const values = collect(subscribe(counter).getValue());
* await counter.increment();
* await expect.poll(() => values).toEqual([0, 1]);
*/
function collect(subscription) {
	const values = [];
	(async () => {
		try {
			for await (const value of subscription) values.push(value);
		} catch (error) {
			if (!(error instanceof RpcError && error.code === "CLOSED")) console.error("A subscription that a test collects has ended:", error);
		}
	})();
	return values;
}
// src/testing/worker-socket.ts
function workerSocket(carrier) {
	return class WorkerSocket extends EventTarget {
		#connected;
		#hasEnded = false;
		constructor(url, protocols) {
			super();
			carrier.opened(this.#lose);
			this.#connected = this.#connect(url.replace(/^ws/, "http"), protocols.join(", "));
			this.#connected.catch(() => this.#end(1006, ""));
		}
		send(frame) {
			this.#connected.then((socket) => this.#hasEnded || socket.send(frame)).catch(ignore);
		}
		close(code, reason) {
			this.#connected.then((socket) => socket.close(code, reason), ignore);
		}
		async #connect(url, protocols) {
			const headers = {
				Upgrade: "websocket",
				"Sec-WebSocket-Protocol": protocols
			};
			const { status, webSocket } = await carrier.answer(new Request(url, { headers }));
			if (!webSocket) throw new Error(`The server answered the WebSocket upgrade with ${status}`);
			webSocket.addEventListener("message", ({ data }) => {
				if (!this.#hasEnded) carrier.arrived(data);
				this.#emit("message", { data });
			});
			webSocket.addEventListener("close", ({ code, reason }) => this.#end(code, reason));
			webSocket.binaryType = "arraybuffer";
			webSocket.accept();
			queueMicrotask(() => this.#emit("open", {}));
			return webSocket;
		}
		#lose = () => {
			this.#end(1006, "");
			this.close(3e3, "The connection was cut");
		};
		#end(code, reason) {
			this.#emit("close", {
				code,
				reason
			});
			this.#hasEnded = true;
			carrier.ended(this.#lose);
		}
		#emit(type, properties) {
			if (!this.#hasEnded) this.dispatchEvent(Object.assign(new Event(type), properties));
		}
	};
}
/**
* A socket that could not connect has reported so with its `close` event. As in a browser, messages to a
* closed socket are ignored.
*/
function ignore() {}
// src/testing/network.ts
/** The networks of the clients that `connect` has created. */
const networks = /* @__PURE__ */ new WeakMap();
var Network = class {
	#worker;
	/** Ends each of the sockets and requests under way. */
	#ends = /* @__PURE__ */ new Set();
	/** Settles when there is a connection to the Worker. */
	#restored = Promise.resolve();
	/** Whether the next frame of the object gets lost. */
	#losesNext = false;
	constructor(worker) {
		this.#worker = worker;
	}
	/** @param until - nothing gets through before it has settled */
	cut(until) {
		this.#restored = Promise.allSettled([this.#restored, until]);
		const ends = [...this.#ends];
		this.#ends.clear();
		for (const end of ends) end();
	}
	loseNext() {
		this.#losesNext = true;
	}
	fetch = ((input, init) => new Promise((resolve, reject) => {
		const end = () => reject(/* @__PURE__ */ new TypeError("The connection was cut"));
		const send = async () => {
			const request = new Request(input, init);
			const response = await this.#answer(request);
			if (!request.headers.has("lumenize-rpc-probe")) this.#cutIfNext();
			if (!this.#ends.delete(end)) await response.body?.cancel();
			resolve(response);
		};
		this.#ends.add(end);
		send().catch((error) => {
			this.#ends.delete(end);
			reject(error);
		});
	}));
	WebSocket = workerSocket({
		answer: (request) => this.#answer(request),
		opened: (lose) => void this.#ends.add(lose),
		ended: (lose) => void this.#ends.delete(lose),
		arrived: (message) => void (message !== "[]" && this.#cutIfNext())
	});
	async #answer(request) {
		await this.#restored;
		return await this.#worker.fetch(request) ?? new Response("Not found", { status: 404 });
	}
	/** Cuts the connection in place of the frame that is to be lost. */
	#cutIfNext() {
		if (!this.#losesNext) return;
		this.#losesNext = false;
		this.cut();
	}
};
function cut(client, until) {
	networkOf(client).cut(until);
	return until;
}
/**
* Loses the next frame that the object sends to a client, and the connection with it: a call has run, and its
* client does not know. Then the client connects again, as after `cut`.
*
* @param client - from `connect`
* @throws TypeError for another client
* @example
* loseAnswer(counter);
* expect(await counter.increment()).toBe(1); // Sent twice, and run once.
* expect(await counter.getValue()).toBe(1);
*/
function loseAnswer(client) {
	networkOf(client).loseNext();
}
function networkOf(client) {
	const network = networks.get(internalsOf(client)[0]);
	if (!network) throw new TypeError("The client is not from connect of lumenize-rpc/testing");
	return network;
}
// src/testing/connect.ts
/** A client of an object, whose requests go to a Worker in the same isolate. */
/**
* Creates a client for one Durable Object of the Worker under test. It has all that the client of a page has:
* only the network is missing.
*
* @param binding - the Durable Object binding, such as `COUNTER`
* @param instance - the object's name, or its id as 64 hex characters. Use another name in each test.
* @param options - those of `createRpcClient`, and `as` and `worker`. Default of `baseUrl`: `https://example.com`.
* @returns the client. Declare it with `using`, which closes it when the test ends.
* @throws TypeError for both `as` and `worker`, since with `as` no Worker receives the requests
* @throws RangeError for a caller that is too large for `withCaller`
* @example
* test('only its author can delete a note', async () => {
*   using ada = connect<Notes>('NOTES', 'delete', { as: { user: 'Ada' } });
*   using bob = connect<Notes>('NOTES', 'delete', { as: { user: 'Bob' }, transport: 'http' });
*   const id = await ada.add('Hello');
*   await expect(bob.delete(id)).rejects.toThrow('Only its author may do this');
* });
*/
function connect(binding, instance, options = {}) {
	const { as: caller, worker, ...rest } = options;
	const isNamed = caller !== void 0;
	if (isNamed && worker) throw new TypeError("With `as`, no Worker receives the requests: leave out `worker`");
	const direct = isNamed ? routedAs(caller, options.prefix) : void 0;
	const network = new Network(worker ?? direct ?? workerUnderTest());
	const client = createRpcClient(binding, instance, {
		baseUrl: "https://example.com",
		...rest,
		fetch: network.fetch,
		WebSocket: network.WebSocket
	});
	networks.set(internalsOf(client)[0], network);
	return client;
}
function workerUnderTest() {
	return exports.default;
}
/** Routes requests of a caller to the objects, past the Worker. */
function routedAs(caller, prefix) {
	const name = (request) => caller === null ? void 0 : withCaller(request, caller);
	name(new Request("https://example.com"), {
		binding: "",
		instance: ""
	});
	const options = {
		onBeforeConnect: name,
		onBeforeRequest: name,
		...prefix && { prefix }
	};
	return { fetch: (request) => routeDORequest(request, env, options) };
}
export { collect, connect, cut, loseAnswer };
