/** Ten calls, made in three ways. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from '../rpc/client.ts';

export type Way = (counter: RpcClient<Counter>) => Promise<unknown>;

/** Each waits for the answer to the one before: ten round trips. */
async function sequential(counter: RpcClient<Counter>): Promise<void> {
  await counter.reset();
  for (let call = 0; call < 9; call++) await counter.increment();
}

/** All in one tick, so in one frame. */
function batched(counter: RpcClient<Counter>): Promise<unknown> {
  const increments = Array.from({ length: 9 }, () => counter.increment());
  return Promise.all([counter.reset(), ...increments]);
}

/** Each takes the result of the one before, which is not there yet: one frame all the same. */
function pipelined(counter: RpcClient<Counter>): Promise<unknown> {
  const start = counter.reset();
  let sum = counter.increment();
  for (let call = 0; call < 8; call++) sum = counter.increment(sum);
  return Promise.all([start, sum]);
}

export const WAYS: Record<string, Way> = { sequential, batched, pipelined };
