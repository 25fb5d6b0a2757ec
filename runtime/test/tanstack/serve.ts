/** Serves the board, and creates caches for TanStack Query whose queries are watched. */
import { QueryClient, QueryObserver, type QueryObserverResult } from '@tanstack/query-core';
import { onTestFinished } from 'vitest';
import { TestWorker } from '../support/test-worker.ts';
import type { Board } from './worker.ts';

const BINDINGS = { BOARD: 'Board' } as const;

export const serve = (): Promise<TestWorker<Board, 'BOARD'>> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS);

/** Returns a new cache, which is cleared at the end of the test. */
export function cacheForTest(): QueryClient {
  const cache = new QueryClient();
  cache.mount();
  onTestFinished(() => {
    cache.clear();
    cache.unmount();
  });
  return cache;
}

/** Imitates a mounted component: it does what `useQuery` of each framework does with options. */
export class Component<Value> {
  readonly #observer: QueryObserver<Value>;
  #unmount: (() => void) | undefined;
  /** The data of all results, without immediate repetitions. */
  readonly shown: (Value | undefined)[] = [];

  /** @param options - the options for `useQuery`, including `enabled` */
  constructor(cache: QueryClient, options: object) {
    this.#observer = new QueryObserver<Value>(cache, options as never);
    this.mount();
    onTestFinished(() => this.unmount());
  }

  mount(): void {
    this.#unmount = this.#observer.subscribe(({ data }) => {
      if (this.shown.length === 0 || this.shown.at(-1) !== data) this.shown.push(data);
    });
  }

  /** Renders again with other options. */
  render(options: object): void {
    this.#observer.setOptions(options as never);
  }

  unmount(): void {
    this.#unmount?.();
    this.#unmount = undefined;
  }

  get result(): QueryObserverResult<Value> {
    return this.#observer.getCurrentResult();
  }

  get data(): Value | undefined {
    return this.result.data;
  }
}
