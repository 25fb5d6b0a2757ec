/**
 * How the two ends of a port talk: by the frames that go over every connection, and, at the end, by a close
 * code and a reason, as of a WebSocket. Imports messages.
 */
import type { Frame } from './messages.ts';

/**
 * What is needed of a port. `MessagePort` of browsers, Workers and Node has it, and so do a web worker, seen
 * from its page, and `parentPort` in a worker thread.
 */
export interface PortLike {
  postMessage(message: unknown): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Has messages delivered that have arrived before somebody listened. */
  start?(): void;
  close?(): void;
}

/** What one end hears of the other. */
export interface Heard {
  frame(frame: Frame): void;
  /** May be called twice: the other end says it, and Node says it of a port by itself. */
  end(code: number, reason: string): void;
}

/** Listens from now on. */
export function listenTo(port: PortLike, heard: Heard): void {
  port.addEventListener('message', (event) => {
    const { data } = event as Event & { data: unknown };
    if (typeof data === 'string' || data instanceof ArrayBuffer) heard.frame(data);
    // Anything else is somebody else's.
    else if (Array.isArray(data)) heard.end(Number(data[0]), String(data[1]));
  });
  port.addEventListener('close', () => heard.end(1006, 'The other end was closed'));
  port.start?.();
}

/** Tells the other end that nothing more comes, and lets go of the port. */
export function endPort(port: PortLike, code: number, reason: string): void {
  port.postMessage([code, reason]);
  // In the Workers runtime the end of a port overtakes what was sent.
  setTimeout(() => port.close?.());
}
