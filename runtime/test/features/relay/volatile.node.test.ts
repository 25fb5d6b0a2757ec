/** The copy of a volatile feed: a reader that misses events hears of a gap, at a relay as at the origin. */
import { expect, onTestFinished, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { subscribe } from '../../../src/client.ts';
import { serve, upTo } from './serve.ts';

const { roomAt, hubAt, stop, stopHub, worker } = await serve();

/** Records the events of a room that a client of a hub gets, `gap`, and an error. */
async function follow(room: string, baseUrl?: string): Promise<unknown[]> {
  const hub = hubAt(room, baseUrl === undefined ? {} : { baseUrl });
  onTestFinished(() => hub.close());
  const heard: unknown[] = [];
  const loop = subscribe(hub, { onGap: () => heard.push('gap') }).flying(room);
  void (async () => {
    for await (const number of loop) heard.push(number);
  })().catch((error: { code?: string }) => error.code !== 'CLOSED' && heard.push(error));
  await expect.poll(() => loop.cursor).toBeTypeOf('string');
  return heard;
}

test('each event comes once and in order', async () => {
  using room = roomAt('order');
  const all = await Promise.all(upTo(3).map(() => follow('order')));
  for (const number of upTo(30)) await room.fly([number]);
  for (const heard of all) await expect.poll(() => heard).toEqual(upTo(30));
});

test('after the origin was stopped, all readers hear of one gap', async () => {
  using room = roomAt('origin');
  const all = await Promise.all(upTo(3).map(() => follow('origin')));
  await room.fly([1, 2]);
  for (const heard of all) await expect.poll(() => heard).toEqual([1, 2]);
  await stop('origin');
  for (const heard of all) await expect.poll(() => heard).toEqual([1, 2, 'gap']);
  await room.fly([3]);
  for (const heard of all) await expect.poll(() => heard).toEqual([1, 2, 'gap', 3]);
});

test('after the relay was stopped, no reader misses an event that the origin still has', async () => {
  using room = roomAt('relay');
  const all = await Promise.all(upTo(3).map(() => follow('relay')));
  await room.fly([1, 2]);
  for (const heard of all) await expect.poll(() => heard).toEqual([1, 2]);
  await stopHub('relay');
  await room.fly([3]);
  for (const heard of all) await expect.poll(() => heard).toEqual([1, 2, 3]);
});

test('a reader that comes back after its events are gone hears of one gap', async () => {
  using room = roomAt('away');
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  onTestFinished(() => proxy.close());
  const [heard, there] = [await follow('away', proxy.url), await follow('away')];
  await room.fly([1]);
  for (const one of [heard, there]) await expect.poll(() => one).toEqual([1]);
  proxy.silence('up', 'down');
  proxy.cutAll('reset');
  // The copy drops its events, too.
  for (let from = 2; from < 2_000; from += 100) await room.fly(upTo(from + 99, from));
  await stopHub('away');
  proxy.resume();
  await expect.poll(() => heard).toEqual([1, 'gap']);
  await room.fly([-1]);
  await expect.poll(() => heard).toEqual([1, 'gap', -1]);
});
