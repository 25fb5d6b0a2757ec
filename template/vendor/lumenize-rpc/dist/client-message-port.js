import { endPort, listenTo } from "./wire.js";
import { connectionError, rejectionOf } from "./client-core.js";
// src/client/transports/message-port.ts
/**
* Sends frames over a MessagePort: to an iframe, a web worker, a worker thread, or an object of the same program. A
* bundle contains this file only if you import it.
*/
/** The number of transports that were created. The number makes each address unique. */
let ports = 0;
/**
* Creates a transport to the object that `servePort` serves at the other end of a port. Pass it to `createRpcClient` as
* `transport`. The binding and the instance are then only names for messages. Frames that are sent before the other end
* listens wait in the port.
*
* A port cannot be opened again. When the other end closes it, unanswered calls reject with `DISCONNECTED`, and
* so does every later call. `close()` and `reconnect()` of the client end the port. Only Node reports that the
* program at the other end has ended. In a browser, calls to a terminated worker or a removed iframe wait for
* their timeouts. Close the client yourself when you end one of them.
*
* @param port - a port that only this client uses
* @example
* const { port1, port2 } = new MessageChannel();
* worker.postMessage('serve', [port2]);
* const counter = createRpcClient<Counter>('COUNTER', 'x', { transport: messagePortTransport(port1) });
*/
function messagePortTransport(port) {
	const address = `port ${++ports}`;
	let events;
	let isListening = false;
	let isClosed = false;
	const end = (code, reason) => {
		const error = code >= 4400 && code < 4500 ? rejectionOf(code - 4e3, reason, address) : connectionError(`Connection closed: ${code} ${reason}`);
		events?.lost(error, true);
		events = void 0;
	};
	return {
		address,
		isDuplex: true,
		connect(session) {
			if (isClosed) return session.lost(connectionError("Port closed"), true);
			events = session;
			if (!isListening) listenTo(port, {
				frame: (frame) => events?.received(frame),
				end
			});
			isListening = true;
			session.opened();
		},
		send(frame) {
			port.postMessage(frame);
		},
		close() {
			events = void 0;
			if (!isClosed) endPort(port, 1e3, "");
			isClosed = true;
		}
	};
}
export { messagePortTransport };
