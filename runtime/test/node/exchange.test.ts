/** The exchange that the page of the protocol shows is the one that happens. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Runtime } from '../../../harness/runtime.ts';
import type { Counter } from '../../../template/src/counter.ts';
import { createRpcClient } from '../../src/client.ts';

const TEMPLATE = join(import.meta.dirname, '../../../template');
const page = readFileSync(join(TEMPLATE, '../runtime/docs/protocol.md'), 'utf8');
const [, code = ''] = /^```ts\n(const sum = [^]*?)^```$/m.exec(page) ?? [];
const [, shown = ''] = /^```\n(up [^]*?)^```$/m.exec(page) ?? [];

test('code and frames agree', async () => {
  await using runtime = await Runtime.serve({ config: join(TEMPLATE, 'wrangler.jsonc') });
  const seen: string[] = [];
  class Observed extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => seen.push(`down  ${data}`));
    }

    override send(frame: string): void {
      seen.push(`up    ${frame}`);
      super.send(frame);
    }
  }
  using counter = createRpcClient<Counter>('COUNTER', 'exchange', {
    baseUrl: runtime.url,
    WebSocket: Observed,
  });
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  // One of its calls is refused.
  await expect(AsyncFunction('counter', code)(counter)).rejects.toThrow('increment: argument');
  const lines = shown.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(seen).toHaveLength(2);
  for (const [index, line] of lines.entries()) {
    const missing = line.split('…').filter((part) => !seen[index]?.includes(part));
    expect(missing, `${line}\n${seen[index]}`).toEqual([]);
  }
});
