/**
 * Reads a stream that a method returns, item by item. The stream is a generator or another iterable, a `ReadableStream`,
 * or a promise of one of these.
 */
import { isFeed, isStream, iteratorOf } from '../../../server/feature.ts';
import { isThenable } from '../../../wire/values/tags.ts';
import { methodHasRunError } from '../../subscriptions/server/subscription.ts';

/** The maximum size of a piece, in bytes. Larger chunks of a `ReadableStream` are divided. */
const PIECE = 65_536;

/** The common interface of all kinds of streams. */
interface Items {
  next(): unknown;
  return?(reason: unknown): unknown;
}

type Result = IteratorResult<unknown>;

/** A stream that is being read, one item after the other. */
export class StreamSource {
  /** True if the stream is available. If the method returned a promise, it must resolve first. */
  isOpen = false;
  readonly #method: string;
  #items: Items | undefined;
  #isOver = false;
  /** True if the producer is running synchronously. It cannot be ended until it returns. */
  #isRunning = false;
  #stopped: { reason: unknown } | undefined;

  /**
   * @param result - the method's result. If it is a promise of something that is not a stream, reading
   *   rejects.
   * @throws RpcError `METHOD_NOT_FOUND` if it is neither a stream nor a promise
   */
  constructor(method: string, result: unknown) {
    this.#method = method;
    this.#items = isThenable(result) ? this.#opening(result) : this.#open(result);
  }

  /**
   * Reads the next item. Promises among the items of a synchronous iterable are awaited.
   *
   * @returns a promise, if the item is not available yet
   * @throws the error of the producer
   */
  next(): Result | Promise<Result> {
    this.#isRunning = true;
    try {
      const result = (this.#items as Items).next();
      if (isThenable(result)) return this.#later(result as PromiseLike<Result>);
      const { done, value } = result as Result;
      if (done) this.#isOver = true;
      else if (isThenable(value)) return awaited(value);
      return result as Result;
    } catch (thrown) {
      this.#isOver = true;
      throw thrown;
    } finally {
      this.#isRunning = false;
      if (this.#stopped) this.stop(this.#stopped.reason);
    }
  }

  /** Ends the producer, so that its `finally` blocks run, unless it has ended already. */
  stop(reason: unknown): void {
    if (this.#isRunning) this.#stopped = { reason };
    else if (!this.#isOver) {
      this.#isOver = true;
      try {
        const ended = this.#items?.return?.(reason);
        if (isThenable(ended)) void Promise.resolve(ended).catch(complain);
      } catch (failure) {
        complain(failure);
      }
    }
  }

  async #later(pending: PromiseLike<Result>): Promise<Result> {
    try {
      const result = await pending;
      if (result.done) this.#isOver = true;
      return result;
    } catch (thrown) {
      this.#isOver = true;
      throw thrown;
    }
  }

  #open(result: unknown): Items {
    if (!isStream(result)) {
      const returned = isFeed(result) ? 'a feed: write events([…])' : 'no stream';
      throw methodHasRunError(
        this.#method,
        `is listed by stream([…]) or rows(key, […]), but returned ${returned}`,
      );
    }
    this.isOpen = true;
    if (result instanceof ReadableStream) return readerOf(result);
    return iteratorOf(result as object);
  }

  /** Reads from a stream that is still a promise. */
  #opening(promised: PromiseLike<unknown>): Items {
    const opened = Promise.resolve(promised).then((result) => (this.#items = this.#open(result)));
    return {
      next: async () => (await opened).next(),
      return: (reason) => opened.then((items) => items.return?.(reason)),
    };
  }
}

/** Prints an error that no caller can receive. */
function complain(failure: unknown): void {
  console.error(failure);
}

async function awaited(value: PromiseLike<unknown>): Promise<Result> {
  return { done: false, value: await value };
}

function readerOf(stream: ReadableStream<unknown>): Items {
  const reader = stream.getReader();
  /** The rest of the bytes that were read last. */
  let rest: Uint8Array | undefined;
  const cut = (bytes: Uint8Array): Result => {
    rest = bytes.length > PIECE ? bytes.subarray(PIECE) : undefined;
    return { done: false, value: rest ? bytes.subarray(0, PIECE) : bytes };
  };
  return {
    next: () =>
      rest
        ? cut(rest)
        : reader.read().then((result) => {
            const { done, value } = result as Result;
            return !done && value instanceof Uint8Array ? cut(value) : result;
          }),
    return: (reason) => reader.cancel(reason),
  };
}
