/** Collects messages and sends those of one tick in one frame. Imports messages only. */
import { encodeFrame } from './messages.ts';

export class Batch {
  #messages: string[] = [];
  readonly #send: (frame: string) => void;

  /** @param send - takes each frame; called at most once a tick unless `flush` is */
  constructor(send: (frame: string) => void) {
    this.#send = send;
  }

  /** Adds a message; it leaves at the end of this tick if `flush` does not come first. */
  add(message: string): void {
    if (this.#messages.push(message) === 1) queueMicrotask(() => this.flush());
  }

  /** Sends what has been collected, if anything, now. */
  flush(): void {
    if (this.#messages.length === 0) return;
    const messages = this.#messages;
    this.#messages = [];
    this.#send(encodeFrame(messages));
  }
}
