/** Calls that fail: an input that the contract refuses, and an error that the method throws. */
import type { Counter } from '../counter.ts';
import { type RpcClient, RpcError } from '../rpc/client.ts';
import { onPress, setText } from './elements.ts';
import { readableStack } from './stack.ts';

export function wireFailures(counter: RpcClient<Counter>, trial: RpcClient<Counter>): void {
  onPress('reject', async () => {
    const error = await counter.increment(1.5).then(allowed, (reason: unknown) => reason);
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
    const error = await Promise.all(calls).then(allowed, (reason: Error) => reason);
    // A method throws no such error.
    if (error instanceof RpcError) throw error;
    setText('stack', await readableStack(error));
  });
}

/** When the class or its contract has been changed. */
function allowed(): Error {
  return new Error('Nothing failed: src/counter.ts allows the call');
}
