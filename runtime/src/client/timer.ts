/** One timer for many deadlines, and the end of a tick. */
import { MAX_DELAY } from '../wire/limits.ts';

/**
 * Returns a delay for timers. Zero, a negative number and `NaN` mean no limit, and become the longest delay that timers
 * have.
 */
export function delayOf(milliseconds: number): number {
  return milliseconds > 0 ? Math.min(milliseconds, MAX_DELAY) : MAX_DELAY;
}

/**
 * A timer for the earliest of many deadlines. Answers do not clear it. A timer for each call would cost more
 * than all other bookkeeping of the call.
 */
export class Timer {
  #handle: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  readonly #expire: (now: number) => number | undefined;

  /** @param expire - handles everything that is due, and returns the next deadline, if there is one */
  constructor(expire: (now: number) => number | void) {
    this.#expire = expire as (now: number) => number | undefined;
  }

  /** Makes sure that `expire` is called at `deadline`, in the time of `performance.now()`. */
  watch(deadline: number): void {
    const now = performance.now();
    // An overdue timer may never fire: the Workers runtime ends a timer with the request that set it.
    if (deadline >= this.#due && now < this.#due) return;
    this.stop();
    this.#due = deadline;
    const delay = Math.min(Math.max(deadline - now, 0), MAX_DELAY);
    this.#handle = setTimeout(() => {
      this.#due = Infinity;
      this.watch(this.#expire(performance.now()) ?? Infinity);
    }, delay);
    // In Node a waiting timer would keep the process alive.
    (this.#handle as { unref?(): void }).unref?.();
  }

  stop(): void {
    clearTimeout(this.#handle as never);
    this.#due = Infinity;
  }
}

/** @returns a function that calls `run` once at the end of the tick, however often it is called in that tick */
export function atEndOfTick(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    // `queueMicrotask` would be slower: Node creates an async resource for each of its microtasks.
    void Promise.resolve().then(() => {
      isDue = false;
      run();
    });
  };
}
