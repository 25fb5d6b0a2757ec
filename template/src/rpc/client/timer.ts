/** One timer for many deadlines, and the end of a tick. Imports wire/. */
import { MAX_DELAY } from '../wire/limits.ts';

/**
 * Set to the earliest deadline, and not cleared by answers: a timer for each call would cost more
 * than the call's own bookkeeping.
 */
export class Timer {
  #handle: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  readonly #expire: (now: number) => number;

  /** @param expire - settles what is due and returns the next deadline, or Infinity */
  constructor(expire: (now: number) => number) {
    this.#expire = expire;
  }

  /** Sees to it that `expire` is called at a time on the clock of `performance.now()`. */
  watch(deadline: number): void {
    const now = performance.now();
    // The Workers runtime takes a timer away with the request that set it.
    if (deadline >= this.#due && now < this.#due) return;
    this.stop();
    this.#due = deadline;
    const delay = Math.min(Math.max(deadline - now, 0), MAX_DELAY);
    this.#handle = setTimeout(() => this.#fire(), delay);
    // In Node a waiting timer would keep the process alive.
    (this.#handle as { unref?(): void }).unref?.();
  }

  stop(): void {
    clearTimeout(this.#handle as never);
    this.#due = Infinity;
  }

  #fire(): void {
    this.#due = Infinity;
    this.watch(this.#expire(performance.now()));
  }
}

/** @returns has something done once at the end of this tick, however often it is called in it */
export function atEndOfTick(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    // Not queueMicrotask, which makes a resource to be tracked of each in Node.
    void Promise.resolve().then(() => {
      isDue = false;
      run();
    });
  };
}
