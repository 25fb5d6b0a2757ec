/** Live values may depend on who is connected: they are looked at again when that changes. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Runtime } from '../../../../harness/runtime.ts';
import { until } from '../../../../harness/waiting.mjs';
import { createRpcClient, type RpcClient } from '../../../src/client.ts';
import { subscribe } from '../../../src/features/subscriptions/client.ts';
import { Loop } from './loops.ts';
import type { Default } from './worker.ts';

const server = await Runtime.serve({ config: join(import.meta.dirname, 'wrangler.jsonc') });
afterAll(() => server.stop());

test.each(['DEFAULT', 'RESIDENT'])(
  'when a connection opens or closes, live methods run: %s',
  async (binding) => {
    const connect = (): RpcClient<Default> =>
      createRpcClient<Default>(binding, 'connections', { baseUrl: server.url });
    using client = connect();
    const loop = new Loop(subscribe(client).getTopic());
    await loop.has(1);
    expect(await client.runs()).toEqual({ getTopic: 1 });
    const other = connect();
    await other.notLive();
    expect(await client.runs()).toEqual({ getTopic: 2 });
    other.close();
    await until(async () => (await client.runs())['getTopic'] === 3);
    // Nobody is told what they know.
    expect(loop.heard).toEqual(['']);
  },
);
