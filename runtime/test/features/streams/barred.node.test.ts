/** Streams of callers that may no longer read: their producers end, and their loops get the reason. */
import { describe, expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { type Client, serve } from './serve.ts';

const worker = await serve();

/** Connects a client for Ada, and a client that watches. */
function two(instance: string, baseUrl = worker.runtime.url): { ada: Client; watcher: Client } {
  const ada = worker.connect(instance, { baseUrl, protocols: ['as.ada'] });
  return { ada, watcher: worker.connect(instance) };
}

async function drain(iterator: AsyncIterator<unknown>): Promise<void> {
  while (!(await iterator.next()).done);
}

describe('closeClients', () => {
  test.each(['count', 'gated'] as const)(
    'ends the streams of the given caller only: %s',
    async (kind) => {
      const { ada, watcher } = two(`barred ${kind}`);
      using one = ada;
      using other = watcher;
      const open = (client: Client, name: string): AsyncIterator<unknown> =>
        (kind === 'count'
          ? subscribe(client).count(name, 1, 1_000)
          : subscribe(client).gated(name))[Symbol.asyncIterator]();
      const barred = open(one, 'a');
      const others = open(other, 'b');
      for (const iterator of [barred, others]) await iterator.next();
      const ended = expect(drain(barred)).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
      expect(await other.bar('ada')).toBe(1);
      await ended;
      await other.open('a');
      await until(async () => (await other.trace('a')).ended === 1);
      expect(await other.trace('b')).toMatchObject({ ended: 0 });
      await other.open('b');
      await drain(others);
      expect(await other.trace('b')).toMatchObject({ ended: 1 });
    },
  );

  test('ends the stream whose producer calls it', async () => {
    const { ada, watcher } = two('barred by itself');
    using one = ada;
    using other = watcher;
    const barred = subscribe(one).barring('a', 'ada')[Symbol.asyncIterator]();
    await expect(drain(barred)).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect(await other.trace('a')).toEqual({ taken: 500, ended: 1 });
  });

  test('ends the streams even if the client does not answer', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    const { ada, watcher } = two('barred and mute', proxy.url);
    using one = ada;
    using other = watcher;
    const barred = subscribe(one).count('a', 1, 1_000)[Symbol.asyncIterator]();
    await barred.next();
    proxy.forget('client');
    proxy.silence('up', 'down');
    expect(await other.bar('ada')).toBe(1);
    expect(await other.trace('a')).toMatchObject({ ended: 1 });
    proxy.close();
  });
});

test('a client that is closed for its messages, and does not answer, loses its streams', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  using watcher = worker.connect('closed and mute');
  const abuser = await worker.raw('closed and mute', { user: 'eve', baseUrl: proxy.url });
  abuser.send('[["subscribe",1,null,"count",["a",1,1000]]]');
  await until(async () => (await watcher.trace('a')).taken > 0);
  expect(await watcher.connected('eve')).toBe(1);
  proxy.silence('down');
  const refused = Array.from({ length: 5_000 }, (_, index) => [index + 1, 'nothing']);
  for (let frame = 0; frame < 3; frame++) abuser.send(JSON.stringify(refused));
  await until(async () => (await watcher.connected('eve')) === 0);
  expect(await watcher.trace('a')).toMatchObject({ ended: 1 });
  abuser.close();
  proxy.close();
});

describe('revoke', () => {
  test.each(['there', 'away', 'known to be away'] as const)(
    'ends the streams of a capability if its client is %s',
    async (where) => {
      const proxy = await new NetworkProxy(worker.runtime.port).listen();
      const { ada, watcher } = two(`revoked ${where}`, proxy.url);
      using one = ada;
      using other = watcher;
      const reader = await one.reader();
      const kept = await other.reader();
      const revoked = subscribe(reader).count('a', 1, 1_000)[Symbol.asyncIterator]();
      const same = subscribe(kept).count('b', 1, 1_000)[Symbol.asyncIterator]();
      const row = subscribe(reader).gatedRows('d')[Symbol.asyncIterator]().next();
      row.catch(() => {});
      const direct = subscribe(one).count('c', 1, 1_000)[Symbol.asyncIterator]();
      for (const iterator of [revoked, same, direct]) await iterator.next();
      if (where !== 'there') proxy.silence('up', 'down');
      if (where === 'known to be away') {
        proxy.cutAll('reset');
        await until(async () => (await other.connected('ada')) === 0);
      }
      await other.revokeReader();
      for (const name of ['a', 'b']) expect(await other.trace(name)).toMatchObject({ ended: 1 });
      proxy.resume();
      await other.open('d');
      const gone = { code: 'FORBIDDEN' };
      await expect(drain(revoked)).rejects.toMatchObject(gone);
      await expect(row).rejects.toMatchObject(gone);
      await expect(drain(same)).rejects.toMatchObject(gone);
      await drain(direct);
      expect(await other.trace('c')).toMatchObject({ taken: 1_000, ended: 1 });
      proxy.close();
    },
  );
});

test('the stream of a capability whose constructor now throws does not go on', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  const { ada, watcher } = two('expired', proxy.url);
  using one = ada;
  using other = watcher;
  const reader = await one.reader();
  const expired = subscribe(reader).count('a', 1, 1_000)[Symbol.asyncIterator]();
  const direct = subscribe(one).count('b', 1, 1_000)[Symbol.asyncIterator]();
  for (const iterator of [expired, direct]) await iterator.next();
  await other.closeReaders();
  proxy.cutAll('reset');
  await expect(drain(expired)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: 'The session has expired',
  });
  expect(await other.trace('a')).toMatchObject({ ended: 1 });
  await drain(direct);
  expect(await other.trace('b')).toMatchObject({ taken: 1_000, ended: 1 });
  proxy.close();
});
