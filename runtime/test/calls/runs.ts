/** What the object has executed, asked for by a call that is not itself part of the case. */
import type { RpcClient } from '../../src/client.ts';
import type { Hibernating } from '../worker.ts';

export async function runsOf(client: RpcClient<Hibernating>): Promise<string[]> {
  return (await client.runs()).toSorted();
}

/** Asks until an execution shows, for a call that nobody can await. */
export async function hasRun(client: RpcClient<Hibernating>, name: string): Promise<void> {
  // In the frame of a call that is held, a POST would wait with it.
  await new Promise((resolve) => setTimeout(resolve, 0));
  while (!(await client.runs()).includes(name));
}
