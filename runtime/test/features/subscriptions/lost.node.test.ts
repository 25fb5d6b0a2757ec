/**
 * Connections that are cut, silent or forgotten while others write, and restarts of the runtime: no event is lost or
 * comes twice, and all are in order.
 */
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { Loop } from './broadcaster/loops.ts';
import { type Client, serve } from './broadcaster/serve.ts';

const worker = await serve();

interface Loss {
  name: string;
  lose: (proxy: NetworkProxy) => unknown;
}

const LOSSES: Loss[] = [
  { name: 'cut', lose: (proxy) => proxy.cutAll('reset') },
  { name: 'closed', lose: (proxy) => proxy.cutAll('close') },
  { name: 'cut in the middle of a frame', lose: (proxy) => proxy.cutAfter(7, 'down', 'reset') },
  { name: 'cut in the middle of a request', lose: (proxy) => proxy.cutAfter(3, 'up', 'reset') },
  { name: 'forgotten by the object', lose: (proxy) => proxy.forget('upstream') },
  { name: 'forgotten by the client', lose: (proxy) => proxy.forget('client') },
  {
    name: 'silent for a while',
    async lose(proxy) {
      const { connections } = proxy;
      proxy.silence('down');
      await until(() => proxy.connections > connections);
      proxy.resume();
    },
  },
];

async function behindProxy(instance: string): Promise<{ client: Client; proxy: NetworkProxy }> {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  return { client: worker.connect(instance, { baseUrl: proxy.url, heartbeat: 100 }), proxy };
}

describe.each(LOSSES)('a connection that is $name', ({ name, lose }) => {
  test('ten times loses no event, and brings the newest value', async () => {
    const { client, proxy } = await behindProxy(name);
    using writer = worker.connect(name);
    const events = new Loop(subscribe(client).events());
    const topics = new Loop(subscribe(client).getTopic());
    await topics.has(1);
    let count = 0;
    for (let loss = 0; loss < 10; loss++) {
      const writes = (async () => {
        for (let write = 0; write < 20; write++) {
          await writer.sayOne(++count);
          await writer.setTopic(`${count}`);
        }
      })();
      void lose(proxy);
      await writes;
      // Some connections are lost between messages, and some while nothing happens.
      if (loss % 2 === 0) await events.has(count);
    }
    const all = Array.from({ length: count }, (_, index) => index + 1);
    expect(await events.has(count)).toEqual(all);
    await until(() => topics.heard.at(-1) === `${count}`);
    const numbers = topics.heard.map(Number);
    expect(numbers).toEqual(numbers.toSorted((one, two) => one - two));
    client.close();
    proxy.close();
  });
});

test('events that a loop has not taken before a loss come again once', async () => {
  const { client, proxy } = await behindProxy('not given');
  using writer = worker.connect('not given');
  const gate = Promise.withResolvers<void>();
  const loop = new Loop(subscribe(client).events(), () => gate.promise);
  await client.lives();
  await writer.sayAll(Array.from({ length: 100 }, (_, index) => index));
  await loop.has(1);
  for (let loss = 0; loss < 3; loss++) {
    const { connections } = proxy;
    proxy.cutAll('reset');
    await until(() => proxy.connections > connections);
    await client.lives();
  }
  gate.resolve();
  expect(await loop.has(100)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  client.close();
  proxy.close();
});

test('a cursor that expired meanwhile brings a snapshot, or ends the loop', async () => {
  const { client, proxy } = await behindProxy('expired meanwhile');
  using writer = worker.connect('expired meanwhile');
  const small = new Loop(subscribe(client).small());
  const seats = new Loop(subscribe(client).seats());
  await seats.has(1);
  proxy.silence('up', 'down');
  proxy.cutAll('reset');
  await writer.saySmall(11);
  for (let seat = 0; seat < 11; seat++) await writer.take(`${seat}`);
  proxy.resume();
  await expect(small.ended).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  const [, all] = await seats.has(2);
  expect(all).toEqual({ type: 'all', seats: await writer.taken() });
  client.close();
  proxy.close();
});

test('each loop of two clients gets every event once, whichever connection is lost', async () => {
  const places = await Promise.all([behindProxy('two'), behindProxy('two')]);
  const loops = places.flatMap(({ client }) =>
    [1, 2].map(() => new Loop(subscribe(client).events())),
  );
  await Promise.all(places.map(({ client }) => client.lives()));
  let count = 0;
  for (let round = 0; round < 10; round++) {
    const { client, proxy } = places[round % 2] as (typeof places)[number];
    await client.sayOne(count++);
    proxy.cutAll('reset');
    await client.sayOne(count++);
  }
  for (const loop of loops) {
    expect(await loop.has(count)).toEqual(Array.from({ length: count }, (_, index) => index));
  }
  for (const { client, proxy } of places) {
    client.close();
    proxy.close();
  }
});

describe('a restart of the runtime', () => {
  test('lets a feed go on where its loop is', async () => {
    using client = worker.connect('feed');
    const loop = new Loop(subscribe(client).events());
    await client.sayOne('a');
    await client.sayAll(['b', new Map([[1, 2]])]);
    await loop.has(3);
    await worker.restart();
    await client.sayOne('c');
    await client.sayAndRollBack('never');
    await expect(client.sayAndThrow('d')).rejects.toThrow('after the event');
    await client.saySoon('e');
    expect(await loop.has(6)).toEqual(['a', 'b', new Map([[1, 2]]), 'c', 'd', 'e']);
  });

  test('brings a live value again only if it has changed', async () => {
    using client = worker.connect('live');
    const loop = new Loop(subscribe(client).getTopic());
    await loop.has(1);
    await client.setTopic('a');
    await client.setTopic('a');
    await worker.restart();
    await client.setTopicSoon('b');
    expect(await loop.has(3)).toEqual(['', 'a', 'b']);
  });
});
