/** Loops over subscriptions that record the values that they get. */
import { until } from '../../../../../harness/waiting.mjs';
import type { Subscription } from '../../../../src/features/subscriptions/client/subscribe.ts';

/** A loop that runs until it is left, or until its subscription ends. */
export class Loop<Value> {
  /** The values that the loop has got, in order. */
  readonly heard: Value[] = [];
  /** Resolves when the loop has ended, or rejects with its error. */
  readonly ended: Promise<void>;
  #isLeaving = false;

  /** @param work - runs for each value, before the next value is requested */
  constructor(subscription: Subscription<Value>, work?: (value: Value) => unknown) {
    this.ended = this.#run(subscription, work);
    // The error is handled here, so that a test may ignore it.
    this.ended.catch(() => {});
  }

  /** Waits until the loop has `count` values, and returns all. */
  async has(count: number): Promise<Value[]> {
    await until(() => this.heard.length >= count);
    return this.heard;
  }

  /** Leaves the loop at the next value. */
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
