/** The rest of a frame whose answers the client has not read, and the frames after it. They go on in their order. */
import { type ClientMemory, SMALL } from '../base/memory.ts';

interface PausedFrame {
  readonly run: () => void;
  /** Called instead if the connection ends before. */
  readonly drop?: (() => void) | undefined;
  readonly size: number;
}

export class PausedFrames {
  readonly #frames: PausedFrame[] = [];
  readonly #memory: ClientMemory;
  /** The size of the frames after the first, in characters or bytes. */
  #later = 0;

  constructor(memory: ClientMemory) {
    this.#memory = memory;
  }

  get length(): number {
    return this.#frames.length;
  }

  /** Adds the rest of the frame that comes first. */
  addRest(frame: PausedFrame): void {
    this.#memory.add(frame.size);
    this.#frames.unshift(frame);
  }

  /**
   * Adds a frame that has arrived. The account is full while a client reads, so a few small frames are taken anyway.
   *
   * @throws RpcError `LIMIT_EXCEEDED` for a frame that the client's memory has no room for
   */
  add(frame: PausedFrame): void {
    if (this.#later + frame.size <= SMALL) this.#memory.add(frame.size);
    else this.#memory.admit(frame.size);
    this.#later += frame.size;
    this.#frames.push(frame);
  }

  /** Runs the first frame, which may pause again. */
  runNext(): void {
    const frame = this.#frames.shift();
    if (!frame) return;
    this.#memory.release(frame.size);
    // The rest of a frame has a function for the end of the connection.
    if (!frame.drop) this.#later -= frame.size;
    frame.run();
  }

  /** Forgets the frames of a connection that has ended. */
  drop(): void {
    for (const { drop, size } of this.#frames.splice(0)) {
      this.#memory.release(size);
      drop?.();
    }
  }
}
