/**
 * Frames of a connection that wait, in the order in which they run. Frames of a client with many rejected messages wait
 * for frames of other connections. The rest of a frame waits until the client has read answers.
 */
import { type ClientMemory, SMALL } from '../base/memory.ts';

/** Maximum number of frames that wait for other connections. When another frame comes, all of them run at once. */
const MAX_WAITING = 8;

interface WaitingFrame {
  readonly run: () => void;
  /** Called instead of `run` if the connection ends before. Only the rest of a frame has this function. */
  readonly drop?: () => void;
  /** The size of the frame, in characters or bytes. */
  readonly size: number;
}

export class WaitingFrames {
  readonly #frames: WaitingFrame[] = [];
  /** The size of the frames that have not begun, in characters or bytes. */
  #whole = 0;
  /** True if the rest of a frame and all frames after it wait until the client has read answers. */
  #isPaused = false;
  #isResuming = false;
  readonly #memory: ClientMemory;
  readonly #hasRead: () => boolean;

  /** @param hasRead - whether the client has read enough for the rest of a frame to run */
  constructor(memory: ClientMemory, hasRead: () => boolean) {
    this.#memory = memory;
    this.#hasRead = hasRead;
  }

  get length(): number {
    return this.#frames.length;
  }

  /**
   * Adds a frame, which runs in a later turn, after a timer. While one socket always has a next frame ready, the Workers
   * runtime does not read other sockets. It reads them before a timer fires.
   *
   * @returns a promise that resolves when the frame has run; `undefined` if all waiting frames ran at once, or wait for
   *   the client
   * @throws RpcError `LIMIT_EXCEEDED` for a frame that the client's memory has no room for
   */
  add(run: () => void, size: number): Promise<void> | undefined {
    // The account is full while a client reads, so a few small frames are taken anyway.
    if (this.#isPaused && this.#whole + size <= SMALL) this.#memory.add(size);
    else this.#memory.admit(size);
    this.#whole += size;
    this.#frames.push({ run, size });
    if (this.#isPaused) return undefined;
    if (this.length <= MAX_WAITING) {
      return new Promise((resolve) => setTimeout(resolve)).then(() => {
        if (!this.#isPaused) this.#runNext();
      });
    }
    while (this.length > 0 && !this.#isPaused) this.#runNext();
    return undefined;
  }

  /**
   * Adds the rest of the running frame before all other frames. It runs when the client has read.
   *
   * @param drop - called instead of `run` if the connection ends before
   */
  pause(run: () => void, drop: () => void, size: number): void {
    this.#memory.add(size);
    this.#frames.unshift({ run, drop, size });
    this.#isPaused = true;
  }

  /** Runs paused frames while the client reads. One frame runs in a turn, so that frames of other connections go first. */
  resume(): void {
    if (!this.#isPaused || this.#isResuming || !this.#hasRead()) return;
    this.#isResuming = true;
    setTimeout(() => {
      this.#isResuming = false;
      this.#runNext();
      this.resume();
    });
  }

  /** Forgets the frames of a connection that has ended. */
  drop(): void {
    for (const { drop, size } of this.#frames.splice(0)) {
      this.#memory.release(size);
      drop?.();
    }
  }

  /** Runs the first frame, which may pause again. */
  #runNext(): void {
    const frame = this.#frames.shift();
    if (!frame) return;
    this.#memory.release(frame.size);
    if (!frame.drop) this.#whole -= frame.size;
    if (this.length === 0) this.#isPaused = false;
    frame.run();
  }
}
