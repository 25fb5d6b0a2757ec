/** Messages that wait to be sent, divided into frames of limited size. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { FRAME_SIZE } from '../../wire/limits.ts';

export class Outbox {
  /** Messages of the last frame, and their size in characters and bytes, each with a comma. */
  #messages: EncodedMessage[] = [];
  #size = 0;
  /** Messages of the frames that are full. */
  #full: EncodedMessage[][] = [];

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** @param isOneFrame - whether all messages must leave in one frame, however large it is */
  add(message: EncodedMessage, isOneFrame: boolean): void {
    // Brackets enclose the messages.
    if (!isOneFrame && this.#size > 0 && this.#size + message.length + 2 > FRAME_SIZE) {
      this.#full.push(this.#messages);
      this.#messages = [];
      this.#size = 0;
    }
    this.#messages.push(message);
    this.#size += message.length + 1;
  }

  /** @param replaced - returns what to send instead of a message, or the message itself */
  replace(replaced: (message: EncodedMessage) => EncodedMessage, isOneFrame: boolean): void {
    const all = this.take().flat().map(replaced);
    for (const message of all) this.add(message, isOneFrame);
  }

  /** Removes and returns the waiting messages, grouped by frame. */
  take(): EncodedMessage[][] {
    if (this.isEmpty) return [];
    const frames = [...this.#full, this.#messages];
    this.#full = [];
    this.#messages = [];
    this.#size = 0;
    return frames;
  }
}
