/** Frames of a client with many rejected messages, which wait for frames of other connections. */
import type { ClientMemory } from '../base/memory.ts';

/** Maximum number of waiting frames. One more causes all of them to be handled at once. */
const MAX_WAITING = 8;

export class FrameQueue {
  /** Functions that handle the waiting frames, in order, and the sizes of the frames. */
  #waiting: { run: () => void; size: number }[] = [];
  readonly #memory: ClientMemory;

  constructor(memory: ClientMemory) {
    this.#memory = memory;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Handles a frame in a later turn. While one socket always has a next frame ready, the Workers runtime reads no
   * other socket. It does so before a timer fires.
   *
   * @returns a promise of the end, or `undefined` if all waiting frames were handled at once
   * @throws RpcError `LIMIT_EXCEEDED` for a frame that the client's memory has no room for
   */
  add(run: () => void, size: number): Promise<void> | undefined {
    this.#memory.admit(size);
    if (this.#waiting.push({ run, size }) > MAX_WAITING) return void this.#deal(Infinity);
    return new Promise((resolve) => setTimeout(resolve)).then(() => this.#deal(1));
  }

  /** Forgets the waiting frames of a connection that has ended. */
  drop(): void {
    for (const { size } of this.#waiting.splice(0)) this.#memory.release(size);
  }

  #deal(frames: number): void {
    for (const { run, size } of this.#waiting.splice(0, frames)) {
      this.#memory.release(size);
      run();
    }
  }
}
