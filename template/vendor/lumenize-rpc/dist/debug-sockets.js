import { splitFrame } from "./wire.js";
// src/features/debug/client/sockets.ts
/**
* Shows a page or a test the frames that a client sends and receives, and lets it cut the client's connection. Call it
* once for each client. Heartbeats are not shown. A frame of more than 256 KiB is sent in pieces, and each piece is shown.
*
* @param onFrame - called with each frame, before it is sent or read
* @param Base - the class that opens the connections. Default: the global `WebSocket`.
* @returns the class for the option `WebSocket`, and `cut`, which closes the connections
* @example
* const sockets = observeSockets(({ direction, text }) => console.log(direction, text));
* const counter = createRpcClient<Counter>('COUNTER', 'my-counter', { WebSocket: sockets.WebSocket });
* const answer = counter.increment();
* await sockets.cut();
* await answer;
*/
function observeSockets(onFrame, Base = WebSocket) {
	const connected = /* @__PURE__ */ new Set();
	function show(direction, frame) {
		if (frame !== "[]") onFrame({
			direction,
			...measured(frame)
		});
	}
	class Observed extends Base {
		constructor(...args) {
			super(...args);
			connected.add(this);
			this.addEventListener("message", (event) => {
				if (connected.has(this)) show("down", event.data);
				else event.stopImmediatePropagation();
			});
			this.addEventListener("close", () => connected.delete(this));
		}
		send(frame) {
			if (!connected.has(this)) return;
			show("up", frame);
			super.send(frame);
		}
	}
	return {
		WebSocket: Observed,
		async cut() {
			const closings = Array.from(connected, (socket) => {
				connected.delete(socket);
				socket.close(4e3, "Cut on purpose");
				return new Promise((resolve) => socket.addEventListener("close", resolve));
			});
			await Promise.all(closings);
		}
	};
}
function measured(frame) {
	if (typeof frame === "string") return {
		text: frame,
		bytes: new TextEncoder().encode(frame).length
	};
	return {
		text: splitFrame(frame)?.text ?? "",
		bytes: frame.byteLength
	};
}
export { observeSockets };
