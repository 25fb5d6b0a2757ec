/** The copy of a live value. Live methods of the relay that have read it run again when it changes. */
import { atEndOfTurn, PendingError, type PendingValue, weightOf } from '../../../server/feature.ts';
import { RpcError } from '../../../wire/errors.ts';
import { changed } from '../../live/feature.ts';
import { liveCallsOf, runningLiveCall } from '../../live/server/live-calls.ts';
import type { Subscription } from '../../subscriptions/client/subscribe.ts';
import type { Copy, CopyFigures, Source } from './relays.ts';

export class ValueCopy implements Copy, PendingValue {
  readonly #source: Source;
  readonly #subscription: Subscription<unknown>;
  #loop: AsyncIterator<unknown, undefined>;
  /** The newest value, or the error that has ended the copy. */
  #newest: { value: unknown } | { thrown: unknown } | undefined;
  /** The live calls whose methods have read the value, as in `LiveCalls`. */
  readonly #calls = new Set<string>();
  readonly #arrival = Promise.withResolvers<void>();
  /** The number of running calls that have waited for the first value. */
  #held = 0;
  #isDropped = false;
  readonly #startedAt = Date.now();
  #delay = 0;
  #bytes = 0;

  constructor(source: Source, subscription: Subscription<unknown>) {
    this.#source = source;
    this.#subscription = subscription;
    this.#loop = subscription[Symbol.asyncIterator]();
    // If nobody waits for the promise, its rejection must not count as unhandled.
    this.#arrival.promise.catch(() => {});
  }

  /** @throws PendingError as long as there is no value; the error of the origin */
  get value(): unknown {
    const call = runningLiveCall();
    if (call !== undefined) this.#calls.add(call);
    const newest = this.#newest;
    if (!newest) throw new PendingError(this);
    if ('thrown' in newest) throw newest.thrown;
    return newest.value;
  }

  get isUsed(): boolean {
    return this.#held > 0 || this.figures.readers > 0;
  }

  get hasBegun(): boolean {
    return this.#newest !== undefined;
  }

  get figures(): CopyFigures {
    const calls = liveCallsOf(this.#source.instance);
    let readers = 0;
    for (const call of this.#calls) {
      const count = calls.subscriptionsTo(call);
      if (count === 0) this.#calls.delete(call);
      readers += count;
    }
    return { readers, events: this.#newest ? 1 : 0, bytes: this.#bytes, delay: this.#delay };
  }

  start(): void {
    void this.#follow();
  }

  drop(): void {
    this.#isDropped = true;
    void this.#loop.return?.();
    this.#bytes = 0;
    this.#source.weigh(this);
  }

  stop(thrown: unknown): void {
    if (this.#isDropped) return;
    this.drop();
    const error = this.#source.errorOf(thrown);
    this.#newest = { thrown: error };
    this.#arrival.reject(error);
    changed(this.#source.instance);
    // The copy is removed, so that a later read asks the origin again.
    atEndOfTurn(this.#source.instance, 'values', () => this.#source.forget(this));
  }

  hold(): Promise<void> {
    this.#held++;
    return this.#arrival.promise;
  }

  release(): void {
    this.#held--;
  }

  async #follow(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#loop.next();
        if (this.#isDropped) return;
        if (done)
          throw new RpcError(
            'METHOD_NOT_FOUND',
            'The method of the origin is not live: list it by live([…]) in the contract of the origin',
          );
        this.#delay ||= (Date.now() - this.#startedAt) / 2;
        this.#newest = { value };
        this.#bytes = weightOf([value]);
        this.#source.weigh(this);
        this.#arrival.resolve();
        changed(this.#source.instance);
      }
    } catch (thrown) {
      if (this.#isDropped || !this.#source.makesRoom(thrown)) return this.stop(thrown);
      this.#loop = this.#subscription[Symbol.asyncIterator]();
      this.start();
    }
  }
}
