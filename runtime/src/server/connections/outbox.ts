/** Messages that wait to be sent, held back until they can share a frame, and divided into frames of limited size. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { FRAME_SIZE } from '../../wire/limits.ts';

export class Outbox {
  /** Messages of the last frame, and their size in characters and bytes, each with a comma. */
  #messages: EncodedMessage[] = [];
  #size = 0;
  /** Messages of the frames that are full; `undefined` while there are none. */
  #full: EncodedMessage[][] | undefined;
  #isHolding = false;
  readonly #isOneFrame: boolean;

  /** @param isOneFrame - whether all messages must leave in one frame, however large it is */
  constructor(isOneFrame: boolean) {
    this.#isOneFrame = isOneFrame;
  }

  /** Whether no message waits, and none is held back. */
  get isIdle(): boolean {
    return this.#size === 0 && !this.#isHolding;
  }

  add(message: EncodedMessage): void {
    // Brackets enclose the messages.
    if (!this.#isOneFrame && this.#size > 0 && this.#size + message.length + 2 > FRAME_SIZE) {
      (this.#full ??= []).push(this.#messages);
      this.#messages = [];
      this.#size = 0;
    }
    this.#messages.push(message);
    this.#size += message.length + 1;
  }

  /** Holds messages back until `release`. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Removes and returns the waiting messages, grouped by frame. */
  release(): EncodedMessage[][] {
    this.#isHolding = false;
    return this.#take();
  }

  /** @param replacement - returns what to send instead of the answer of the call with that id, if there is anything */
  replace(replacement: (id: number) => EncodedMessage | undefined): void {
    for (const message of this.#take().flat()) {
      this.add(replacement(Number.parseInt(String(message).slice(1))) ?? message);
    }
  }

  #take(): EncodedMessage[][] {
    if (this.#size === 0) return [];
    const frames = this.#full ?? [];
    frames.push(this.#messages);
    this.#full = undefined;
    this.#messages = [];
    this.#size = 0;
    return frames;
  }
}
