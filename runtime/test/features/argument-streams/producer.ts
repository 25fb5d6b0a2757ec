/** The streams that clients pass, and the numbers that the tests expect of them. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Yields numbers from 1 on, counts how many were requested, and records whether it has been ended. */
export class Producer {
  given = 0;
  isEnded = false;
  readonly #count: number;
  readonly #delay: number;

  /** @param delay - the pause before each number, in milliseconds */
  constructor(count: number, delay = 0) {
    this.#count = count;
    this.#delay = delay;
  }

  async *numbers(): AsyncGenerator<number, void> {
    try {
      while (this.given < this.#count) {
        if (this.#delay) await sleep(this.#delay);
        yield ++this.given;
      }
    } finally {
      this.isEnded = true;
    }
  }

  async *texts(size = 0): AsyncGenerator<string, void> {
    for await (const number of this.numbers()) yield `${number}`.padEnd(size, '.');
  }
}

/** Returns the numbers from 1 to `last`. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
