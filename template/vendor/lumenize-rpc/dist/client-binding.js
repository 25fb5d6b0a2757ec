import { CALLER_FIELD, CALL_SEGMENT, withIdentity } from "./wire.js";
import { createPost, httpTransport, webSocketTransport } from "./client-core.js";
// src/client/transports/binding.ts
/**
* Frames to a Durable Object through its binding, from a Worker or from another object. The requests are like the
* requests that the router sends, without a network in between. A bundle contains this file only if you import it.
*/
/**
* Creates a transport to a Durable Object through its binding. Pass it to `createRpcClient` as `transport`. The binding
* and the instance are then only names for messages. The calls of one tick are one request. After a failure, the
* request is sent again, and each call runs once.
*
* @param stub - the object's stub, or a function that returns a new one for each request. A stub stays broken
*   after its object was stopped, so pass a function for calls that must survive that.
* @param options - `socket`, true for a WebSocket; `caller`; `delivery`, which repeats the calls of an earlier run: see
*   `BindingOptions`. Default: none.
* @throws RangeError for a caller that is too large
* @example
* const counter = createRpcClient<Counter>('COUNTER', 'x', {
*   transport: bindingTransport(() => env.COUNTER.getByName('x')),
* });
*/
function bindingTransport(stub, { socket, caller, delivery } = {}) {
	const stubNow = () => typeof stub === "function" ? stub() : stub;
	const own = caller === void 0 ? {} : { cf: { [CALLER_FIELD]: withIdentity(caller) } };
	const send = (url, init) => stubNow().fetch(url, {
		...init,
		...own
	});
	let id = delivery?.id;
	const clientId = () => id ??= crypto.randomUUID();
	const { name, id: object } = stubNow();
	const url = [
		"https://object",
		name && encodeURIComponent(name),
		object,
		CALL_SEGMENT
	].filter(Boolean).join("/");
	const post = createPost(url, { fetch: send });
	return {
		...socket ? webSocketTransport({
			url,
			clientId,
			post,
			patience: 1,
			WebSocket: socketsBy(send)
		}) : httpTransport(url, post, clientId),
		since: delivery?.since
	};
}
/** Returns a WebSocket class that sends its upgrade request through a binding. */
function socketsBy(send) {
	return class extends EventTarget {
		#socket;
		constructor(url, protocols) {
			super();
			const headers = {
				Upgrade: "websocket",
				"Sec-WebSocket-Protocol": protocols.join()
			};
			this.#open(url.replace(/^ws/, "http"), headers).catch((error) => this.#end(error));
		}
		send(frame) {
			this.#socket?.send(frame);
		}
		close(code, reason) {
			const close = () => this.#socket?.close(code, reason);
			close();
			this.addEventListener("open", close);
		}
		async #open(url, headers) {
			const { webSocket, status } = await send(url, { headers });
			if (!webSocket) throw new Error(`The server answered the WebSocket upgrade with ${status}`);
			this.#socket = webSocket;
			webSocket.addEventListener("message", ({ data }) => this.dispatchEvent(new MessageEvent("message", { data })));
			webSocket.addEventListener("close", (event) => this.dispatchEvent(new CloseEvent("close", event)));
			webSocket.addEventListener("error", () => this.#end("The connection failed"));
			webSocket.binaryType = "arraybuffer";
			webSocket.accept();
			this.dispatchEvent(new Event("open"));
		}
		#end(reason) {
			this.dispatchEvent(new CloseEvent("close", {
				code: 1006,
				reason: String(reason)
			}));
		}
	};
}
export { bindingTransport };
