/** Messages that wait to be sent, held back until they can share a frame, and divided into frames of limited size. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { FRAME_SIZE } from '../../wire/limits.ts';

export class Outbox {
  /** The waiting messages by frame: no frame while they are held back and there are none; `undefined` after a release. */
  #frames: EncodedMessage[][] | undefined;
  /** The size of the last frame in characters and bytes: its messages, each with a comma. */
  #size = 0;
  readonly #isOneFrame: boolean;

  /** @param isOneFrame - whether all messages must leave in one frame, however large it is */
  constructor(isOneFrame: boolean) {
    this.#isOneFrame = isOneFrame;
  }

  /** Whether no message waits, and messages are not held back. */
  get isIdle(): boolean {
    return !this.#frames;
  }

  add(message: EncodedMessage): void {
    const size = message.length + 1;
    const frames = (this.#frames ??= []);
    const last = frames.at(-1);
    // The brackets around the messages are one character more than the commas.
    if (last && (this.#isOneFrame || this.#size + size < FRAME_SIZE)) {
      last.push(message);
      this.#size += size;
    } else {
      frames.push([message]);
      this.#size = size;
    }
  }

  /** Holds messages back until `release`. */
  hold(): void {
    this.#frames ??= [];
  }

  /** Removes and returns the waiting messages, grouped by frame. */
  release(): EncodedMessage[][] {
    const frames = this.#frames ?? [];
    this.#frames = undefined;
    return frames;
  }

  /**
   * Replaces answers that are held back.
   *
   * @param replacement - returns another answer of the call with that id, if there is one
   */
  replace(replacement: (id: number) => EncodedMessage | undefined): void {
    const messages = this.release().flat();
    this.hold();
    for (const message of messages) {
      this.add(replacement(Number.parseInt(String(message).slice(1))) ?? message);
    }
  }
}
