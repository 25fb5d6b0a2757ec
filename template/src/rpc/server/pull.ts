/**
 * Takes items from a stream for as long as somebody has room for them: in a run where they are there,
 * one at a time where they are awaited. Imports caller, rewritten-error, stream-source and wire/.
 */
import type { RpcError } from '../wire/errors.ts';
import type { End } from '../wire/subscriptions.ts';
import { isThenable } from '../wire/tags.ts';
import { callAs } from './caller.ts';
import type { CompiledContract } from './contract.ts';
import { rewrite } from './rewritten-error.ts';
import type { StreamSource } from './stream-source.ts';

/** For how many microtasks the next item is waited for, so that it leaves in the same frame. */
const PATIENCE = 10;

/** Who takes the items. */
export interface Taker {
  /** The method whose stream it is, for `onError`. */
  readonly method: string;
  /** Who reads it. */
  readonly caller: unknown;
  readonly contract: CompiledContract;
  /** Whether one more may be taken now. */
  hasRoom(): boolean;
  /** @throws what ends the stream */
  take(item: unknown): void;
  end(end: End): void;
  /** Sends what has been taken. */
  flush(): void;
  /** Told after the producer has run. */
  ran(): void;
}

export class Pull {
  readonly #source: StreamSource;
  readonly #taker: Taker;
  #isBusy = false;
  #isOver = false;
  #isFlushing = false;
  /** How many have been taken. */
  #count = 0;

  constructor(source: StreamSource, taker: Taker) {
    this.#source = source;
    this.#taker = taker;
  }

  /** Whether an item is awaited. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Goes on, if there is room. */
  go(): void {
    if (this.#isBusy || this.#isOver) return;
    this.#run();
    this.#taker.flush();
  }

  /** Ends the producer. Nothing more is taken, nor is the end told. */
  stop(reason: unknown): void {
    this.#isOver = true;
    this.#source.stop(reason);
  }

  #run(): void {
    const taker = this.#taker;
    // It runs as the method does that it came from, until its first `await`.
    callAs(taker.caller, () => {
      while (!this.#isOver && !this.#isBusy && taker.hasRoom()) this.#next();
    });
    taker.ran();
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
      const result = await pending;
      if (!this.#isOver) this.#take(result);
    } catch (thrown) {
      if (!this.#isOver) this.#failed(thrown);
    }
    this.#isBusy = false;
    this.#run();
    if (!this.#isFlushing) void this.#flushSoon();
  }

  #take({ done, value }: IteratorResult<unknown>): void {
    if (this.#isOver) return;
    if (done) {
      this.#isOver = true;
      return this.#taker.end({});
    }
    this.#count++;
    try {
      this.#taker.take(value);
    } catch (thrown) {
      // The producer does not know of it.
      this.stop(thrown);
      this.#taker.end({ thrown });
    }
  }

  /** @param thrown - by the producer, or instead of it */
  #failed(thrown: unknown): void {
    const { onError } = this.#taker.contract;
    let instead = thrown;
    // What the method threw itself has been seen.
    if (onError && this.#source.isOpen) {
      try {
        rewrite(thrown, this.#taker.method, onError);
      } catch (rewritten) {
        instead = rewritten;
      }
    }
    // An item that was awaited may be what failed.
    this.stop(thrown);
    this.#taker.end({ thrown: isOfFeeds(instead) ? new Error(instead.message) : instead });
  }

  /** Sends together what comes without a pause. */
  async #flushSoon(): Promise<void> {
    this.#isFlushing = true;
    for (let seen = -1; seen < this.#count;) {
      seen = this.#count;
      for (let turn = 0; turn < PATIENCE; turn++) await undefined;
    }
    this.#isFlushing = false;
    this.#taker.flush();
    // Room may have come meanwhile, of which nobody else tells.
    if (this.#taker.hasRoom()) this.go();
  }
}

/** What a client takes for a feed that it has to begin anew. */
function isOfFeeds(thrown: unknown): thrown is RpcError {
  return (thrown as Partial<RpcError> | undefined | null)?.code === 'CURSOR_EXPIRED';
}
