/** Messages that wait to be sent. They are held back to share a frame, and divided into frames of limited size. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { FRAME_SIZE } from '../../wire/limits.ts';

export class Outbox {
  /** The waiting messages of each frame: an empty list while messages are held back; `undefined` after a release. */
  #frames: EncodedMessage[][] | undefined;
  /** The size of the last frame in characters and bytes: its messages, each with a comma. */
  #lastSize = 0;
  /** The size of all waiting messages, in characters and bytes. */
  size = 0;
  readonly #isOneFrame: boolean;

  /** @param isOneFrame - whether all messages must leave in one frame, however large it is */
  constructor(isOneFrame: boolean) {
    this.#isOneFrame = isOneFrame;
  }

  /** True if no message waits, and messages are not held back. */
  get isIdle(): boolean {
    return !this.#frames;
  }

  add(message: EncodedMessage): void {
    const size = message.length + 1;
    const frames = (this.#frames ??= []);
    const last = frames.at(-1);
    // The brackets around the messages are one character more than the commas.
    if (last && (this.#isOneFrame || this.#lastSize + size < FRAME_SIZE)) {
      last.push(message);
      this.#lastSize += size;
    } else {
      frames.push([message]);
      this.#lastSize = size;
    }
    this.size += message.length;
  }

  /** Holds messages back until `release`. */
  hold(): void {
    this.#frames ??= [];
  }

  /** Removes and returns the waiting messages, grouped by frame. */
  release(): EncodedMessage[][] {
    const frames = this.#frames ?? [];
    this.#frames = undefined;
    this.size = 0;
    return frames;
  }

  /**
   * Replaces answers that are held back.
   *
   * @param replacement - returns another answer for the id of a call; `undefined` to keep the answer
   * @returns by how much the size of the messages has grown
   */
  replace(replacement: (id: number) => EncodedMessage | undefined): number {
    const before = this.size;
    const messages = this.release().flat();
    this.hold();
    for (const message of messages) {
      this.add(replacement(Number.parseInt(String(message).slice(1))) ?? message);
    }
    return this.size - before;
  }
}
