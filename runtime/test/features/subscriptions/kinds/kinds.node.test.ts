/** Loops whose methods are of another kind after a deployment, or can no longer be subscribed to. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Runtime } from '../../../../../harness/runtime.ts';
import type { WorkerOptions } from '../../../../../harness/runtime/worker-bundle.ts';
import { until } from '../../../../../harness/waiting.mjs';
import { createRpcClient } from '../../../../src/client.ts';
import { subscribe } from '../../../../src/features/subscriptions/client/subscribe.ts';
import type { Kinds } from './worker.ts';
import { Loop } from '../broadcaster/loops.ts';

const from = (file: string): WorkerOptions => ({
  config: { main: join(import.meta.dirname, file), bindings: { KINDS: 'Kinds' } },
});
const KINDS = from('worker.ts');
const NEXT = from('next-worker.ts');
const NONE = from('no-worker.ts');

const server = await Runtime.serve(KINDS);
afterAll(() => server.stop());

test('loops go on, or end with an error', async () => {
  using client = createRpcClient<Kinds>('KINDS', 'x', { baseUrl: server.url });
  const methods = subscribe(client);
  const first = new Loop(methods.first());
  const second = new Loop(methods.second());
  const [third, fourth] = [methods.third(), methods.fourth()].map((rows) =>
    rows[Symbol.asyncIterator](),
  );
  for (const one of [third, fourth]) expect((await one?.next())?.value).toEqual({ id: 1 });
  await second.has(1);
  await client.add();
  await first.has(1);
  await second.has(2);
  await server.deploy(NEXT);
  // These changes are more than a live value or a feed sends ahead. Each is awaited, so none is skipped.
  for (let count = 2; count <= 100; count++) {
    await client.add();
    await until(() => first.heard.at(-1) === count);
    await until(() => second.heard.at(-1) === count);
  }
  expect(second.heard).toEqual(Array.from({ length: 101 }, (_, index) => index));
  // The rows that had arrived are dropped, because they would come again.
  await expect(third?.next()).rejects.toMatchObject({ code: 'DISCONNECTED' });
  expect(await fourth?.next()).toEqual({ done: false, value: null });
});

test('loops wait while the contract has no subscriptions, and calls go on', async () => {
  await server.deploy(KINDS);
  using client = createRpcClient<Kinds>('KINDS', 'y', { baseUrl: server.url });
  const methods = subscribe(client);
  const feed = methods.first()[Symbol.asyncIterator]();
  const live = methods.second()[Symbol.asyncIterator]();
  const rows = methods.third()[Symbol.asyncIterator]();
  const event = feed.next();
  expect((await live.next()).value).toBe(0);
  expect((await rows.next()).value).toEqual({ id: 1 });
  await client.add();
  expect((await event).value).toBe(1);
  expect((await live.next()).value).toBe(1);
  // These two loops get nothing more before the deployment.
  const waiting = [feed.next(), live.next()];
  await server.deploy(NONE);
  // A new loop names a method that cannot be subscribed to now.
  const late = methods.second()[Symbol.asyncIterator]();
  await expect(late.next()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: 'The contract does not use subscriptions',
  });
  await client.add();
  expect(await client.second()).toBe(2);
  await server.deploy(KINDS);
  expect((await waiting[1])?.value).toBe(2);
  await client.add();
  expect((await waiting[0])?.value).toBe(3);
  expect((await rows.next()).value).toEqual({ id: 2 });
});
