import { createRpcClient } from "./client-core.js";
import { exports } from "cloudflare:workers";
// src/testing/worker-socket.ts
/**
* WebSocket classes that connect without a network. The upgrade is a call of a Worker's `fetch`, like the
* upgrade from another Worker through a service binding.
*/
/** @param fetchWorker - answers the upgrade */
function workerSocket(fetchWorker) {
	return class WorkerSocket extends EventTarget {
		#connected;
		constructor(url, protocols) {
			super();
			this.#connected = this.#connect(url.replace(/^ws/, "http"), protocols.join(", "));
			this.#connected.catch(() => this.#emit("close", {
				code: 1006,
				reason: ""
			}));
		}
		send(frame) {
			this.#connected.then((socket) => socket.send(frame)).catch(ignore);
		}
		close(code, reason) {
			this.#connected.then((socket) => socket.close(code, reason), ignore);
		}
		async #connect(url, protocols) {
			const { status, webSocket } = await fetchWorker(new Request(url, { headers: {
				Upgrade: "websocket",
				"Sec-WebSocket-Protocol": protocols
			} }));
			if (!webSocket) throw new Error(`The server answered the WebSocket upgrade with ${status}`);
			webSocket.addEventListener("message", ({ data }) => this.#emit("message", { data }));
			webSocket.addEventListener("close", ({ code, reason }) => this.#emit("close", {
				code,
				reason
			}));
			webSocket.binaryType = "arraybuffer";
			webSocket.accept();
			queueMicrotask(() => this.#emit("open", {}));
			return webSocket;
		}
		#emit(type, properties) {
			this.dispatchEvent(Object.assign(new Event(type), properties));
		}
	};
}
/**
* A socket that could not connect has reported so with its `close` event. As in a browser, messages to a
* closed socket are ignored.
*/
function ignore() {}
/** Connects to the Worker under test. */
const WorkerSocket = workerSocket((request) => exports.default.fetch(request));
// src/testing/clients.ts
/** Clients of the Worker under test, one for each way a frame can travel. */
const BASE_URL = "https://example.com";
const fetchWorker = ((input, init) => exports.default.fetch(new Request(input, init)));
const transports = {
	websocket: {
		transport: "websocket",
		WebSocket: WorkerSocket
	},
	http: { transport: "http" }
};
const transportNames = Object.keys(transports);
function connect(transport, binding, instance, options = {}) {
	return createRpcClient(binding, instance, {
		baseUrl: BASE_URL,
		fetch: fetchWorker,
		...transports[transport],
		...options
	});
}
// src/testing/listen.ts
/** @returns the values that the loop has received; more are added as they arrive */
function listen(subscription) {
	const heard = [];
	(async () => {
		for await (const value of subscription) heard.push(value);
	})().catch(() => {});
	return heard;
}
export { WorkerSocket, connect, listen, transportNames, workerSocket };
