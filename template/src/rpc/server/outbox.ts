/** Messages that wait to be sent, in frames of which none is too large. Imports wire/. */
import type { Said } from '../wire/bytes.ts';
import { FRAME_SIZE } from '../wire/limits.ts';

export class Outbox {
  /** Of the frame that has room left, and what they take of it. */
  #messages: Said[] = [];
  #size = 0;
  /** Those of the frames that have none. */
  #full: Said[][] = [];

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** @param isOneFrame - whether all has to go in one frame, however large that is */
  add(message: Said, isOneFrame: boolean): void {
    if (!isOneFrame && this.#size > 0 && this.#size + message.length >= FRAME_SIZE) {
      this.#full.push(this.#messages);
      this.#messages = [];
      this.#size = 0;
    }
    this.#messages.push(message);
    this.#size += message.length + 1;
  }

  /** Takes out what waits: the messages of each frame. */
  take(): Said[][] {
    if (this.isEmpty) return [];
    const frames = [...this.#full, this.#messages];
    this.#full = [];
    this.#messages = [];
    this.#size = 0;
    return frames;
  }
}
