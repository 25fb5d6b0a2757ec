/** Calls that fail: an input that the contract refuses, and an error that the method throws. */
import type { Counter } from '../counter.ts';
import { type RpcClient, RpcError } from '../rpc/client.ts';
import { onPress, setText } from './elements.ts';

export function wireFailures(counter: RpcClient<Counter>, trial: RpcClient<Counter>): void {
  onPress('reject', async () => {
    const error = await failureOf(counter.increment(1.5));
    if (!(error instanceof RpcError) || error.code !== 'INVALID_ARGUMENTS') throw error;
    setText('code', error.code);
    setText('path', error.path);
    setText('message', error.message);
  });

  onPress('throw', async () => {
    // All in one frame; the one call that is too many fails alone.
    const emptied = trial.reset();
    const filled = Array.from({ length: 1_000 }, () => trial.increment(1_000_000));
    const calls = [emptied, ...filled, trial.increment(), trial.reset()];
    const error = await failureOf(Promise.all(calls));
    // No such error comes from a method.
    if (error instanceof RpcError) throw error;
    setText('stack', error.stack);
  });
}

/** @throws Error when there is none: the class or its contract has been changed */
async function failureOf(call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    () => undefined,
    (reason: Error) => reason,
  );
  if (error) return error;
  throw new Error('The call has not failed: src/counter.ts allows it now');
}
