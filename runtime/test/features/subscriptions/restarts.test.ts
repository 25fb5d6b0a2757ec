/** Subscriptions through restarts of the runtime: nothing lost, nothing twice, in order. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Runtime } from '../../../../harness/runtime.ts';
import { createRpcClient, type RpcClient } from '../../../src/client.ts';
import { subscribe } from '../../../src/features/subscriptions/client.ts';
import { Loop } from './loops.ts';
import type { Default } from './worker.ts';

const server = await Runtime.serve({ config: join(import.meta.dirname, 'wrangler.jsonc') });
afterAll(() => server.stop());

function connect(instance: string): RpcClient<Default> {
  return createRpcClient<Default>('DEFAULT', instance, { baseUrl: server.url });
}

test('a feed goes on where its loop is', async () => {
  using client = connect('feed');
  const loop = new Loop(subscribe(client).events());
  await client.sayOne('a');
  await client.sayAll(['b', new Map([[1, 2]])]);
  await loop.has(3);
  await server.restart();
  await client.sayOne('c');
  await client.sayAndRollBack('never');
  await expect(client.sayAndThrow('d')).rejects.toThrow('after the event');
  await client.saySoon('e');
  expect(await loop.has(6)).toEqual(['a', 'b', new Map([[1, 2]]), 'c', 'd', 'e']);
});

test('a live value comes again only if it has changed', async () => {
  using client = connect('live');
  const loop = new Loop(subscribe(client).getTopic());
  await loop.has(1);
  await client.setTopic('a');
  await client.setTopic('a');
  await server.restart();
  await client.setTopicSoon('b');
  expect(await loop.has(3)).toEqual(['', 'a', 'b']);
});
