/** Loops over subscriptions that take down what they were given. */
import { until } from '../../../../../harness/waiting.mjs';
import type { Subscription } from '../../../../src/features/subscriptions/client/subscribe.ts';

/** A loop that runs until it is left, or until its subscription ends. */
export class Loop<Value> {
  /** What the loop was given, in its order. */
  readonly heard: Value[] = [];
  /** Resolves when the loop has ended; rejects with what ended it. */
  readonly ended: Promise<void>;
  #isLeaving = false;

  /** @param work - done for each value before the next is asked for */
  constructor(subscription: Subscription<Value>, work?: (value: Value) => unknown) {
    this.ended = this.#run(subscription, work);
    // Seen by whoever awaits it.
    this.ended.catch(() => {});
  }

  /** Waits for so many values, and gives them. */
  async has(count: number): Promise<Value[]> {
    await until(() => this.heard.length >= count);
    return this.heard;
  }

  /** Leaves at the next value. */
  leave(): void {
    this.#isLeaving = true;
  }

  async #run(subscription: Subscription<Value>, work?: (value: Value) => unknown): Promise<void> {
    for await (const value of subscription) {
      this.heard.push(value);
      await work?.(value);
      if (this.#isLeaving) break;
    }
  }
}
