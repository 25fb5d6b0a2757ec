/**
 * What a method returns that is pulled item by item: a generator or another iterable, a `ReadableStream`, or
 * a promise of one. Imports refusal and wire/.
 */
import { isThenable, tagOf } from '../wire/tags.ts';
import { refusal } from './refusal.ts';

/** Bytes that a `ReadableStream` gives at once are cut into pieces of at most so many. */
const PIECE = 65_536;

/** The common part of all kinds. */
interface Items {
  next(): unknown;
  return?(reason: unknown): unknown;
}

type Result = IteratorResult<unknown>;

/**
 * Whether a value is read item by item. A value that crosses as a whole is not, although it can be iterated:
 * an array, a text, a Map, a Set, a typed array, URLSearchParams, Headers.
 */
export function isStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (isReadable(value) || Symbol.asyncIterator in value) return true;
  if (!(Symbol.iterator in value)) return false;
  const tag = tagOf(value);
  return tag === undefined || tag === 'Object' || tag === 'Null';
}

/** Ends a stream that nobody will read. What it does then, and whether that fails, nobody hears. */
export function dismiss(stream: unknown): void {
  new StreamSource('', stream).stop(undefined);
}

/** A stream that is being read. Items are taken one after the other. */
export class StreamSource {
  /** Whether what the method returned is there: it may have returned a promise. */
  isOpen = false;
  readonly #method: string;
  #items: Items | undefined;
  #isOver = false;
  /** While an item is being made in this turn, when the producer cannot be told that it is the last. */
  #isRunning = false;
  #stopped: { reason: unknown } | undefined;

  /** @param result - of the method; a promise of what is no stream fails when it is taken from */
  constructor(method: string, result: unknown) {
    this.#method = method;
    this.#items = isThenable(result) ? this.#opening(result) : this.#open(result);
  }

  /**
   * Takes the next item. Promises among the items of a synchronous iterable are awaited.
   *
   * @returns a promise, where it is not there yet
   * @throws what the producer throws
   */
  next(): Result | Promise<Result> {
    if (this.#isOver) return { done: true, value: undefined };
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

  /** Has the producer go through its `finally`, unless it has ended by itself. */
  stop(reason: unknown): void {
    if (this.#isRunning) this.#stopped = { reason };
    else if (!this.#isOver) {
      this.#isOver = true;
      try {
        const ended = this.#items?.return?.(reason);
        if (isThenable(ended)) void Promise.resolve(ended).catch(report);
      } catch (failure) {
        report(failure);
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
      const problem = 'is not live, and did not return a feed or a stream';
      throw refusal('METHOD_NOT_FOUND', `${this.#method} cannot be subscribed to: it ${problem}`);
    }
    this.isOpen = true;
    if (isReadable(result)) return readerOf(result);
    const iterable = result as AsyncIterable<unknown> & Iterable<unknown>;
    return (iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator]).call(iterable);
  }

  /** Stands for a stream that is not there yet. */
  #opening(promised: PromiseLike<unknown>): Items {
    const opened = Promise.resolve(promised).then((result) => (this.#items = this.#open(result)));
    return {
      next: async () => (await opened).next(),
      return: (reason) => opened.then((items) => items.return?.(reason)),
    };
  }
}

async function awaited(value: PromiseLike<unknown>): Promise<Result> {
  return { done: false, value: await value };
}

/** Nobody is there to throw to. */
function report(failure: unknown): void {
  console.error(failure);
}

function isReadable(value: unknown): value is ReadableStream<unknown> {
  return value instanceof ReadableStream;
}

function readerOf(stream: ReadableStream<unknown>): Items {
  const reader = stream.getReader();
  /** What is left of the bytes that were read last. */
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
