/**
 * The messages between the two ends of a port: frames, as over every connection, and at the end a close code and a
 * reason, as for a WebSocket.
 */
import type { Frame } from './messages.ts';
import { isBuffer } from './pieces.ts';

/**
 * The methods that a port must have. `MessagePort` of browsers, Workers and Node has them. So do a `Worker`
 * in a page, and `parentPort` in a worker thread.
 */
export interface PortLike {
  postMessage(message: unknown): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Starts delivery, also of messages that arrived before there was a listener. */
  start?(): void;
  close?(): void;
}

/** Receives the messages of the other end of a port. */
export interface PortListener {
  frame(frame: Frame): void;
  /** This function can be called twice: when the other end sends its close code, and when Node closes the port. */
  end(code: number, reason: string): void;
}

export function listenTo(port: PortLike, listener: PortListener): void {
  port.addEventListener('message', (event) => {
    const { data } = event as Event & { data: unknown };
    const [code, reason] = Array.isArray(data) ? (data as unknown[]) : [];
    if (typeof data === 'string' || isBuffer(data)) listener.frame(data);
    // Other messages are not part of this protocol.
    else if (typeof code === 'number' && typeof reason === 'string') listener.end(code, reason);
  });
  port.addEventListener('close', () => listener.end(1006, 'The other end was closed'));
  port.start?.();
}

/** Sends the close code to the other end, then closes the port. */
export function endPort(port: PortLike, code: number, reason: string): void {
  port.postMessage([code, reason]);
  // In the Workers runtime, closing a port overtakes messages that were sent before.
  setTimeout(() => port.close?.());
}
