/** A call waits on one connection until its object hibernates, and gets the new code. This takes half a minute. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Runtime } from '../../../../harness/runtime.ts';
import { awaitMethods } from '../../../src/client.ts';
import { Watched } from '../../support/watched.ts';
import type { Deferring } from './deferring-worker.ts';

test('attempts leave the object the time to hibernate, and the connection stays open', async () => {
  const main = join(import.meta.dirname, 'deferring-worker.ts');
  await using runtime = await Runtime.serve({
    config: { main, bindings: { DEFERRING: 'Deferring' } },
  });
  const options = { baseUrl: runtime.url, awaitMethods };
  using watched = new Watched<Pick<Deferring, 'life' | 'deploy' | 'added'>>(
    'DEFERRING',
    'x',
    options,
  );
  const { client, sockets } = watched;
  await client.deploy();
  expect(await client.added()).toBe(1);
  expect(await client.life()).toBe(2);
  expect(sockets).toHaveLength(1);
  expect(await client.added()).toBe(2);
});
