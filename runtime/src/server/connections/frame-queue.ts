/** Frames of a client with many rejected messages, which wait for frames of other connections. */
import type { Connection } from '../contract/connection.ts';

/** Maximum number of waiting frames. One more causes all of them to be handled at once. */
const MAX_WAITING = 8;

export class FrameQueue {
  /** Functions that handle the waiting frames, in order. */
  readonly #waiting: (() => void)[] = [];
  readonly #connection: Connection;

  /** @param connection - once it is closed, its frames are ignored */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Handles a frame in a later turn. While one socket always has a next frame ready, the Workers runtime reads no
   * other socket. It does so before a timer fires.
   *
   * @returns a promise of the end, or `undefined` if the frame was handled at once
   */
  add(run: () => void): Promise<void> | undefined {
    const waiting = this.#waiting;
    waiting.push(run);
    if (waiting.length <= MAX_WAITING) {
      return new Promise((resolve) => setTimeout(resolve)).then(() => this.#deal(1));
    }
    return void this.#deal(waiting.length);
  }

  #deal(frames: number): void {
    for (const run of this.#waiting.splice(0, frames)) if (!this.#connection.isClosed) run();
  }
}
