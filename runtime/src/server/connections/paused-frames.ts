/** The rest of a frame whose answers the client has not read, and the frames after it. They go on in their order. */
import type { ClientMemory } from '../base/memory.ts';

interface PausedFrame {
  readonly run: () => void;
  /** Called instead if the connection ends before. */
  readonly drop?: (() => void) | undefined;
  readonly size: number;
}

export class PausedFrames {
  readonly #frames: PausedFrame[] = [];
  readonly #memory: ClientMemory;

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

  /** @throws RpcError `LIMIT_EXCEEDED` for a frame that the client's memory has no room for */
  add(frame: PausedFrame): void {
    this.#memory.admit(frame.size);
    this.#frames.push(frame);
  }

  /** Runs the first frame, which may pause again. */
  runNext(): void {
    const frame = this.#frames.shift();
    if (!frame) return;
    this.#memory.release(frame.size);
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
