/** Serves the worker whose objects have live values and feeds. */
import type { RpcClient } from '../../../../src/client.ts';
import { TestWorker } from '../../../support/test-worker.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = { DEFAULT: 'Default', RESIDENT: 'Resident', STRICT: 'Strict' } as const;
type Worker = TestWorker<Default, keyof typeof BINDINGS>;

/** @param inspected - true if `runtime.heap` has to measure the memory of the worker */
export const serve = (inspected = false): Promise<Worker> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS, { inspected, fence: 'lives' });

/** Calls an object by native Workers RPC, as another Worker does. */
export async function native(
  { runtime }: Worker,
  instance: string,
  call: { text: string } | { topic: string },
): Promise<void> {
  await fetch(`${runtime.url}/native?${new URLSearchParams({ instance, ...call })}`);
}
