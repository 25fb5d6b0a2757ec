/**
 * Frames over a MessagePort: to an iframe, a web worker, a worker thread, or an object of the same program.
 * Only who imports this file has it in a bundle. Imports failures, transport and wire/.
 */
import { endPort, listenTo, type PortLike } from '../wire/port.ts';
import { lostBy, refusalOf } from './failures.ts';
import type { Transport, TransportEvents } from './transport.ts';

/**
 * Calls what `servePort` serves at the other end of a port: `transport` of `createRpcClient`, whose other
 * arguments are then names for messages only. What is sent before the other end listens waits in the port.
 *
 * A port cannot be opened again. When the other end closes it, what is unanswered rejects with
 * `DISCONNECTED`, and so does every later call; `close()` of the client ends the port, and so does its
 * `reconnect()`. The end of the program there is told by Node only: in a browser a worker that was terminated
 * and an iframe that is gone say nothing, and calls wait for their timeouts. Close the client there when you
 * end them.
 *
 * @param port - used by this client alone
 * @example
 * const { port1, port2 } = new MessageChannel();
 * worker.postMessage('serve', [port2]);
 * const counter = createRpcClient<Counter>('COUNTER', 'x', { transport: messagePortTransport(port1) });
 */
export function messagePortTransport(port: PortLike): Transport {
  let events: TransportEvents | undefined;
  let isListening = false;
  let hasEnded = false;
  const end = (code: number, reason: string): void => {
    hasEnded = true;
    // 4400 to 4499 are the statuses of HTTP that say no, moved into the range for applications.
    const isMeant = code >= 4400 && code < 4500;
    const error = isMeant
      ? refusalOf(code - 4000, reason)
      : lostBy(`Port closed: ${code} ${reason}`);
    events?.lost(error, true);
    events = undefined;
  };
  return {
    address: 'a port',
    isDuplex: true,
    connect(session) {
      if (hasEnded) return session.lost(lostBy('The port is closed'), true);
      events = session;
      if (!isListening) listenTo(port, { frame: (frame) => events?.received(frame), end });
      isListening = true;
      session.opened();
    },
    send(frame) {
      port.postMessage(frame);
    },
    close() {
      events = undefined;
      if (!hasEnded) endPort(port, 1000, '');
      hasEnded = true;
    },
  };
}
