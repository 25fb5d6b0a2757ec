/**
 * Reads items from a stream while its reader has room. Items that are available at once are read in a loop. Other items
 * are awaited one at a time.
 */
import { runAsCaller, runClassCode, type Target } from '../../../server/feature.ts';
import type { RpcError } from '../../../wire/errors.ts';
import type { SubscriptionEnd } from '../../subscriptions/wire.ts';
import { isThenable } from '../../../wire/values/tags.ts';
import type { StreamSource } from './stream-source.ts';

/** The number of microtasks to wait for another item that can share the frame. */
const PATIENCE = 10;

/** The reader of the items. */
export interface ItemReceiver {
  /** The method that returned the stream. */
  readonly method: string;
  /** The caller on whose behalf the producer runs. */
  readonly caller: unknown;
  readonly target: Target;
  /** Returns whether another item may be taken now. */
  hasRoom(): boolean;
  /** @throws an error that ends the stream */
  take(item: unknown): void;
  end(end: SubscriptionEnd): void;
  /** Sends the items that have been taken. */
  flush(): void;
  /** Called after the producer has run. */
  ran(): void;
}

export class Pull {
  readonly #source: StreamSource;
  readonly #sink: ItemReceiver;
  /** True if an item is awaited. */
  #isBusy = false;
  #isOver = false;
  #isFlushing = false;
  /** The number of items that have been taken. */
  #count = 0;

  constructor(source: StreamSource, sink: ItemReceiver) {
    this.#source = source;
    this.#sink = sink;
  }

  /** Reads more items, if there is room. */
  go(): void {
    if (this.#isBusy || this.#isOver) return;
    this.#run();
    this.#sink.flush();
  }

  /** Ends the producer. No more items are taken, and the receiver is not told of the end. */
  stop(reason: unknown): void {
    this.#isOver = true;
    this.#source.stop(reason);
  }

  #run(): void {
    const sink = this.#sink;
    // Until its first `await`, the producer runs with the same caller as the method that returned it.
    runAsCaller(sink.caller, () => {
      while (!this.#isOver && !this.#isBusy && sink.hasRoom()) this.#next();
    });
    sink.ran();
  }

  #next(): void {
    try {
      const result = this.#source.next();
      if (isThenable(result)) {
        this.#isBusy = true;
        void this.#later(result);
      } else this.#take(result);
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  async #later(pending: PromiseLike<IteratorResult<unknown>>): Promise<void> {
    try {
      this.#take(await pending);
    } catch (thrown) {
      this.#failed(thrown);
    }
    this.#isBusy = false;
    this.#run();
    if (!this.#isFlushing) void this.#flushSoon();
  }

  #take({ done, value }: IteratorResult<unknown>): void {
    if (this.#isOver) return;
    if (done) {
      this.#isOver = true;
      return this.#sink.end({});
    }
    this.#count++;
    try {
      this.#sink.take(value);
    } catch (thrown) {
      // The producer did not throw this error, so it is still open.
      this.stop(thrown);
      this.#sink.end({ thrown });
    }
  }

  /** @param thrown - the error of the producer, of a promise among its items, or of the method */
  #failed(thrown: unknown): void {
    if (this.#isOver) return;
    let instead = thrown;
    // The hooks that surround the method have already seen an error of the method itself.
    if (this.#source.isOpen) {
      const { method, target, caller } = this.#sink;
      try {
        runClassCode(method, target, caller, () => {
          throw thrown;
        });
      } catch (rewritten) {
        instead = rewritten;
      }
    }
    // If a promise among the items rejected, the producer is still open.
    this.stop(thrown);
    this.#sink.end({ thrown: isOfFeeds(instead) ? new Error(instead.message) : instead });
  }

  /** Sends items that arrive without a pause together. */
  async #flushSoon(): Promise<void> {
    this.#isFlushing = true;
    for (let seen = -1; seen < this.#count;) {
      seen = this.#count;
      for (let turn = 0; turn < PATIENCE; turn++) await undefined;
    }
    this.#isFlushing = false;
    this.#sink.flush();
    // There may be room again by now, and nothing else would resume the reading.
    if (this.#sink.hasRoom()) this.go();
  }
}

/** Returns whether a client would take the error for an expired feed, and subscribe again. */
function isOfFeeds(thrown: unknown): thrown is RpcError {
  return (thrown as Partial<RpcError> | undefined | null)?.code === 'CURSOR_EXPIRED';
}
