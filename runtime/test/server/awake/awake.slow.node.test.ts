/**
 * Tests what keeps an object awake, as docs/guarantees.md lists it, at the oldest and at the newest
 * compatibility date. It is slow, because an object hibernates after ten idle seconds.
 */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Runtime } from '../../../../harness/runtime.ts';
import { sleep } from '../../../../harness/waiting.mjs';
import { createRpcClient, type RpcClient, subscribe } from '../../../src/client.ts';
import { NEWEST, OLDEST } from '../../calls/dates.ts';
import type { Awake } from './worker.ts';

/** The runtime evicts an object that has been idle for about ten seconds. */
const IDLE = 16_000;

const clients: RpcClient<Awake>[] = [];
afterAll(() => clients.forEach((client) => client.close()));

const PENDING = ['nothing', 'timer', 'interval', 'waitUntil', 'call', 'socket'] as const;

test.concurrent.each([OLDEST, NEWEST])('%s', async (compatibilityDate) => {
  const config = { main: join(import.meta.dirname, 'worker.ts'), bindings: { AWAKE: 'Awake' } };
  await using runtime = await Runtime.serve({ config, compatibilityDate });
  const open = (instance: string): RpcClient<Awake> => {
    const client = createRpcClient<Awake>('AWAKE', instance, { baseUrl: runtime.url });
    clients.push(client);
    return client;
  };
  // The object has a connection, and one more pending thing.
  for (const what of PENDING) await open(what).begin(what);
  await subscribe(open('live value')).life()[Symbol.asyncIterator]().next();
  await subscribe(open('stream')).endless()[Symbol.asyncIterator]().next();
  await sleep(IDLE);
  const lives: Record<string, number> = {};
  for (const instance of [...PENDING, 'live value', 'stream']) {
    lives[instance] = await open(instance).life();
  }
  expect(lives).toEqual({
    nothing: 2,
    timer: 1,
    interval: 1,
    waitUntil: 1,
    call: 1,
    socket: 1,
    'live value': 2,
    stream: 1,
  });
});
