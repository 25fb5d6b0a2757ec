/** Optimistic changes over connections that are cut, silent or slow: only the old and the new value are shown. */
import { expect, onTestFinished, test } from 'vitest';
import { liveStore, optimistic, type RpcClient } from '../../../src/client.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { sleep, until } from '../../../../harness/waiting.mjs';
import { type Client, serve } from '../subscriptions/broadcaster/serve.ts';
import type { Default } from '../subscriptions/broadcaster/worker.ts';

const worker = await serve();

async function behindProxy(
  instance: string,
  heartbeat?: number,
): Promise<{ client: Client; proxy: NetworkProxy }> {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  const client = worker.connect(instance, { baseUrl: proxy.url, heartbeat });
  onTestFinished(() => {
    client.close();
    proxy.close();
  });
  return { client, proxy };
}

/** Watches the topic. @returns all topics that were shown, without repetitions */
async function shownTopics(client: RpcClient<Default>) {
  const topic = liveStore(client, (methods) => methods.getTopic());
  const seen: (string | undefined)[] = [];
  onTestFinished(
    topic.subscribe(({ value }) => {
      if (seen.at(-1) !== value) seen.push(value);
    }),
  );
  await until(() => seen.length === 1);
  return { topic, seen };
}

test.each<[string, (proxy: NetworkProxy) => unknown]>([
  ['cut', (proxy) => proxy.cutAll('reset')],
  ['closed', (proxy) => proxy.cutAll('close')],
  ['cut before the answer', (proxy) => proxy.cutAfter(0, 'down', 'reset')],
  ['cut in the middle of the answer', (proxy) => proxy.cutAfter(7, 'down', 'reset')],
  ['cut in the middle of the call', (proxy) => proxy.cutAfter(3, 'up', 'reset')],
  ['forgotten by the object', (proxy) => proxy.forget('upstream')],
  ['forgotten by the client', (proxy) => proxy.forget('client')],
])('a connection that is %s keeps the changes', async (name, lose) => {
  const { client, proxy } = await behindProxy(`optimistic ${name}`, 100);
  const { topic, seen } = await shownTopics(client);
  const add = (value: string): string => `${Number(value) + 1}`;
  for (let count = 1; count <= 20; count += 2) {
    void lose(proxy);
    const calls = [count, count + 1].map((number) =>
      optimistic(client.setTopic(`${number}`), topic, add),
    );
    await Promise.all(calls);
  }
  await until(() => topic.get().value === '20');
  // This call waits for a full exchange after the last change, and not for a time.
  await client.lives();
  const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
  expect(seen).toEqual(['', ...numbers]);
});

test('a value that the object sends later, because it has sent many, is awaited', async () => {
  const { client, proxy } = await behindProxy('optimistic stalled');
  using writer = worker.connect('optimistic stalled');
  const { topic, seen } = await shownTopics(client);
  proxy.silence('down');
  // These values are more than the object sends ahead, so the next answer comes without a value.
  for (let count = 1; count <= 20; count++) await writer.setTopic(`${count}`);
  const call = optimistic(client.setTopic('mine'), topic, () => 'mine');
  while ((await writer.getTopic()) !== 'mine') await sleep(1);
  proxy.resume();
  await call;
  await client.lives();
  await until(() => topic.get().value === 'mine');
  await writer.setTopic('last');
  await until(() => topic.get().value === 'last');
  expect(seen).toEqual(['', 'mine', 'last']);
});

test('a value that a stalled subscription missed comes even if it is equal to the last value', async () => {
  const { client, proxy } = await behindProxy('optimistic as before');
  using writer = worker.connect('optimistic as before');
  const { topic, seen } = await shownTopics(client);
  proxy.silence('down');
  for (let count = 1; count <= 20; count++) await writer.setTopic(`${Math.min(count, 15)}`);
  await writer.setTopic('16');
  await writer.setTopic('15');
  const call = optimistic(client.setTopic('15'), topic, () => 'mine');
  await writer.lives();
  proxy.resume();
  await call;
  await until(() => topic.get().value === '15');
  expect(seen).toEqual(['', 'mine', '15']);
});
