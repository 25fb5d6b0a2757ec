import "./bytes.js";
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