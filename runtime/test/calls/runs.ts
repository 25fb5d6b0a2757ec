/**
 * Asks the object for the names of the calls that it has executed. The question does not belong to
 * the case.
 */
import type { RpcClient } from '../../src/client.ts';
import type { Hibernating } from '../worker.ts';

export async function runsOf(client: RpcClient<Hibernating>): Promise<string[]> {
  return (await client.runs()).toSorted();
}

/** Asks until the object has executed a call that cannot be awaited. */
export async function hasRun(client: RpcClient<Hibernating>, name: string): Promise<void> {
  // In the frame of a held call, a POST would wait for that call.
  await new Promise((resolve) => setTimeout(resolve, 0));
  while (!(await client.runs()).includes(name));
}
