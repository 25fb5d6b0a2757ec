/** Calls that take the results of calls of earlier frames run once, even if connections are lost. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { type Binding, serve } from '../../served/serve.ts';
import type { Default } from '../../served/worker.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Watched } from '../../support/watched.ts';

const worker = await serve();
let instance = '';
let instances = 0;

beforeEach(() => {
  instance = `pipelining ${++instances}`;
});

const watch = (baseUrl: string, binding: Binding = 'DEFAULT'): Watched<Default> =>
  worker.watch(instance, { baseUrl }, binding);

async function nextTick(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await undefined;
}

const sentBy = ({ sockets }: Watched<Default>): string[] => sockets.flatMap(({ sent }) => sent);

describe.each(['up', 'down'] as const)('a connection that falls silent on the way %s', (way) => {
  test('and is lost: a chain of calls over many ticks runs once, in order', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    using watched = watch(proxy.url);
    const { client } = watched;
    await client.add();
    proxy.silence(way);
    let sum = client.add(1);
    const chain = [sum];
    for (let link = 0; link < 20; link++) {
      await nextTick();
      sum = client.add(sum);
      chain.push(sum);
    }
    // While many calls are in flight, calls share frames.
    await until(() => sentBy(watched).join().includes('[22,'));
    expect(sentBy(watched).length).toBeGreaterThan(8);
    // The network also delivers the frames that it held back.
    client.reconnect();
    proxy.resume();
    // Each call adds the result of the call before it.
    const counts = chain.map((_, link) => 2 ** (link + 1));
    expect(await Promise.all(chain)).toEqual(counts);
    using other = watch(worker.runtime.url);
    expect(await other.client.count()).toBe(counts.at(-1));
    proxy.close();
  });
});

describe('the object is killed while a call waits for the input of an earlier frame', () => {
  test('whose call is readonly: both run in its next life', async () => {
    using watched = watch(worker.runtime.url);
    const { client } = watched;
    await client.add();
    const input = client.wait('gate');
    await nextTick();
    const user = client.length(input);
    await until(() => sentBy(watched).length === 3);
    await worker.restart();
    using other = watch(worker.runtime.url);
    await other.client.openGate('gate');
    expect(await user).toBe(4);
    expect(await input).toBe('gate');
  });

  test('whose call is not readonly: it has begun, so neither runs again', async () => {
    using watched = watch(worker.runtime.url);
    const { client } = watched;
    await client.add();
    const input = client.addInTwoTurns('never');
    await nextTick();
    const user = client.add(input as never);
    const ends = Promise.all([failureOf(input), failureOf(user)]);
    using other = watch(worker.runtime.url);
    await until(async () => (await other.client.count()) === 2);
    await worker.restart();
    const interrupted = { code: 'DISCONNECTED', maybeExecuted: true };
    expect(await ends).toMatchObject([interrupted, interrupted]);
    expect(await client.count()).toBe(2);
  });
});
