/** Serves the worker with boards, and watches their presences. */
import { onTestFinished } from 'vitest';
import type { LiveState, RpcClient, RpcClientOptions, Store } from '../../../src/client.ts';
import { TestWorker } from '../../support/test-worker.ts';
import type { Board } from './worker.ts';

export type Client = RpcClient<Board>;

const BINDINGS = { BOARD: 'Board' } as const;

export async function serve() {
  const worker = await TestWorker.forTests<Board, 'BOARD'>(import.meta.dirname, BINDINGS, {
    fence: 'lives',
  });
  return {
    worker,
    /** @returns a client that is closed when the test has finished */
    enter(instance: string, options?: RpcClientOptions): Client {
      const client = worker.connect(instance, options);
      onTestFinished(() => client.close());
      return client;
    },
  };
}

/** Watches a store until the test has finished. */
export function watch<Value>(store: Store<LiveState<Value>>): {
  seen: LiveState<Value>[];
  stop: () => void;
} {
  const seen: LiveState<Value>[] = [];
  const stop = store.subscribe((live) => seen.push(live));
  onTestFinished(stop);
  return { seen, stop };
}

/** Returns the values of the others, without their keys. */
export function shownIn<Value>({
  get,
}: Store<LiveState<readonly { value: Value }[]>>): Value[] | undefined {
  return get().value?.map(({ value }) => value);
}
