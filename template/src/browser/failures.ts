/** Calls that fail: an input that the contract refuses, and an error that the method throws. */
import type { Counter } from '../counter.ts';
import { type RpcClient, RpcError } from '../rpc/client.ts';
import { onPress, setText } from './elements.ts';
import { readableStack } from './stack.ts';

export function wireFailures(counter: RpcClient<Counter>, trial: RpcClient<Counter>): void {
  onPress('reject', async () => {
    const error = await counter.increment(1.5).catch((reason: unknown) => reason);
    if (!(error instanceof RpcError)) throw error;
    setText('code', error.code);
    setText('path', error.path);
    setText('message', error.message);
  });

  onPress('throw', async () => {
    // All in one frame; the one call that is too many fails alone.
    const emptied = trial.reset();
    const filled = Array.from({ length: 1_000 }, () => trial.increment(1_000_000));
    const calls = [emptied, ...filled, trial.increment(), trial.reset()];
    await Promise.all(calls).catch(async (error: Error) => {
      setText('stack', await readableStack(error));
    });
  });
}
