/** Calls that fail: an argument that the contract rejects, and an error that the method throws. */
import type { Counter } from '../counter.ts';
import { type RpcClient, RpcError } from 'lumenize-rpc/client';
import { onPress, setText } from './elements.ts';

/** The `file:` address of this script in `wrangler dev`, where it has a source map; otherwise empty. */
declare const SCRIPT_FILE: string;

export function wireFailures(counter: RpcClient<Counter>, trial: RpcClient<Counter>): void {
  onPress('reject', async () => {
    const error = await counter.increment(1.5).then(allowed, (reason: unknown) => reason);
    if (!(error instanceof RpcError) || error.code !== 'INVALID_ARGUMENTS') throw error;
    setText('code', error.code);
    setText('path', error.path);
    setText('message', error.message);
  });

  onPress('throw', async () => {
    // All calls are in one frame. Only the call beyond the counter's maximum fails.
    const emptied = trial.reset();
    const filled = Array.from({ length: 1_000 }, () => trial.increment(1_000_000));
    const calls = [emptied, ...filled, trial.increment(), trial.reset()];
    const error = await Promise.all(calls).then(allowed, (reason: Error) => reason);
    // An `RpcError` does not come from the method.
    if (error instanceof RpcError) throw error;
    setText('stack', await readableStack(error));
  });
}

/** The error if the class or its contract was changed, so that the call succeeds. */
function allowed(): Error {
  return new Error('Nothing failed: src/counter.ts allows the call');
}

/** The stack trace with positions in src/ during development, and without the runtime's stack frames. */
async function readableStack({ name, message, stack = '' }: Error): Promise<string> {
  if (!SCRIPT_FILE) return stack;
  const local = stack
    .replaceAll(new URL('app.js', location.href).href, SCRIPT_FILE)
    // wrangler cannot read stack frames without a position or without a name.
    .replaceAll(/\n.*\(index \d+\)/g, '')
    .replaceAll(/at async (\S+)$/gm, 'at async <anonymous> ($1)');
  const response = await fetch('/__stack', {
    method: 'POST',
    // wrangler answers with an HTML page if HTML is accepted.
    headers: { Accept: 'application/json' },
    body: JSON.stringify({ name, message, stack: local }),
  });
  return response.ok ? folded(await response.text()) : stack;
}

/** Shortens paths to the project's folder, and neighbouring stack frames of the runtime to one line. */
function folded(stack: string): string {
  const lines: string[] = [];
  let hidden = 0;
  for (const line of [...stack.split('\n'), '']) {
    const short = line.replace(/(\(|at )\S*\/(src\/\S+:\d+)/, '$1$2');
    if (line.includes('/lumenize-rpc/dist/')) hidden++;
    else {
      if (hidden > 0) lines.push(`    … ${hidden} in lumenize-rpc`);
      hidden = 0;
      lines.push(short);
    }
  }
  return lines.join('\n').trimEnd();
}
