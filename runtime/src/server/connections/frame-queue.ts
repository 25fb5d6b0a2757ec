/** Frames of a client with many rejected messages, which wait for frames of other connections. */

/** Maximum number of waiting frames. One more causes all of them to be handled at once. */
const MAX_WAITING = 8;

export class FrameQueue {
  /** Functions that handle the waiting frames, in order. */
  readonly #waiting: (() => void)[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Handles a frame in a later turn. While one socket always has a next frame ready, the Workers runtime reads no
   * other socket. It does so before a timer fires.
   *
   * @returns a promise of the end, or `undefined` if all waiting frames were handled at once
   */
  add(run: () => void): Promise<void> | undefined {
    if (this.#waiting.push(run) > MAX_WAITING) return void this.#deal(Infinity);
    return new Promise((resolve) => setTimeout(resolve)).then(() => this.#deal(1));
  }

  #deal(frames: number): void {
    for (const run of this.#waiting.splice(0, frames)) run();
  }
}
