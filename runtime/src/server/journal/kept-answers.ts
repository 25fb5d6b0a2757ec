/** Answers that the journal keeps in memory, oldest first, and their size. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';

export class KeptAnswers implements Iterable<[id: number, answer: EncodedMessage]> {
  readonly #answers = new Map<number, EncodedMessage>();
  #size = 0;

  /** Returns the size of all answers, in characters and bytes. */
  get size(): number {
    return this.#size;
  }

  get isEmpty(): boolean {
    return this.#answers.size === 0;
  }

  get(id: number): EncodedMessage | undefined {
    return this.#answers.get(id);
  }

  /** Adds the answer of a call, or replaces its earlier answer. */
  set(id: number, answer: EncodedMessage): void {
    const replaced = this.#answers.get(id)?.length ?? 0;
    this.#answers.set(id, answer);
    this.#resize(answer.length - replaced);
  }

  /** @returns whether the answer was kept */
  delete(id: number): boolean {
    const answer = this.#answers.get(id);
    if (answer === undefined) return false;
    this.#answers.delete(id);
    this.#resize(-answer.length);
    return true;
  }

  clear(): void {
    this.#answers.clear();
    this.#resize(-this.#size);
  }

  /** Deletes the oldest answers until the rest is no larger than `size`. */
  shrinkTo(size: number): void {
    if (this.#size <= size) return;
    for (const id of this.#answers.keys()) {
      if (this.#size <= size) return;
      this.delete(id);
    }
  }

  [Symbol.iterator](): IterableIterator<[id: number, answer: EncodedMessage]> {
    return this.#answers.entries();
  }

  /** Changes the size. No other method does. */
  #resize(by: number): void {
    this.#size += by;
  }
}
