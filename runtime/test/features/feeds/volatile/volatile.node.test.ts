/** Volatile feeds over real sockets: a connected reader gets each event, and a reader that was away hears of a gap. */
import { expect, onTestFinished, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../../harness/network-proxy.ts';
import { until } from '../../../../../harness/waiting.mjs';
import { feedStore, subscribe } from '../../../../src/client.ts';
import { ofKind, thrownBy } from '../../../support/messages.ts';
import { follow, serve, upTo } from './serve.ts';

const { worker, enter } = await serve();

test('each event comes once and in order, and none is stored', async () => {
  const [ann, bob] = [enter('order'), enter('order')];
  const keys = await ann.keys();
  const all = await Promise.all([follow(ann), follow(bob)]);
  for (const number of upTo(50)) await ann.react([number]);
  await bob.react(upTo(60, 51));
  for (const heard of all) await expect.poll(() => heard).toEqual(upTo(60));
  expect(await ann.keys()).toEqual(keys);
});

test('a volatile feed and a stored feed of one name are separate', async () => {
  const ann = enter('apart');
  const stored: number[] = [];
  void (async () => {
    for await (const number of subscribe(ann).stored()) stored.push(number);
  })().catch(() => {});
  const heard = await follow(ann);
  await ann.react([1]);
  await expect.poll(() => heard).toEqual([1]);
  expect(stored).toEqual([]);
});

test('the events in memory can be read in pages', async () => {
  const ann = enter('pages');
  expect((await ann.history()).events).toEqual([]);
  await ann.react([1, 2]);
  const { events, before, after } = await ann.history();
  expect(events.map(({ event }) => event)).toEqual([1, 2]);
  expect([before, after]).toEqual([undefined, events[1]?.cursor]);
});

test('a cursor of events that are no longer in memory is rejected', async () => {
  const ann = enter('expired');
  await ann.react([1, 2]);
  const { after } = await ann.history();
  expect((await ann.history(after)).events).toHaveLength(2);
  await worker.restart();
  await expect(ann.history(after)).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  await expect(ann.history('x')).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
  expect((await ann.history()).events).toEqual([]);
});

test('a store of the feed begins again if events are missing', async () => {
  const ann = enter('store');
  const store = feedStore(
    ann,
    (room) => room.reactions(),
    (room, before) => room.history(before),
  );
  onTestFinished(store.subscribe(() => {}));
  const shown = (): number[] => store.get().events.map(({ event }) => event);
  await expect.poll(() => store.get().isLoading).toBe(false);
  await ann.react([1, 2]);
  await expect.poll(shown).toEqual([1, 2]);
  await worker.restart();
  await expect.poll(shown).toEqual([]);
  await ann.react([3]);
  await expect.poll(shown).toEqual([3]);
  expect(store.get().error).toBeUndefined();
});

test.each([
  ['few events', 3, []],
  ['more events than are in memory', 500, ['gap']],
])('a reader gets the events or a gap after a lost connection and %s', async (name, count, gap) => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  const ann = enter(name);
  const heard = await follow(enter(name, { baseUrl: proxy.url }));
  await ann.react([1]);
  await expect.poll(() => heard).toEqual([1]);
  proxy.silence('up', 'down');
  proxy.cutAll('reset');
  for (let first = 2; first <= count; first += 10) await ann.react(upTo(first + 9, first));
  proxy.resume();
  // These events come after the client has reconnected.
  await expect
    .poll(async () => {
      await ann.react([-1]);
      return heard.at(-1);
    })
    .toBe(-1);
  const before = heard.filter((one) => one !== -1);
  expect(before).toEqual(gap.length > 0 ? [1, ...gap] : upTo(11));
  proxy.close();
});

test('after a restart of the object, a reader hears of one gap', async () => {
  const ann = enter('restart');
  const heard = await follow(enter('restart'));
  await ann.react([1]);
  await expect.poll(() => heard).toEqual([1]);
  await worker.restart();
  await expect.poll(() => heard).toEqual([1, 'gap']);
  await ann.react([2, 3]);
  await expect.poll(() => heard).toEqual([1, 'gap', 2, 3]);
});

test('a snapshot replaces missed events, in place of a gap', async () => {
  const proxy = await new NetworkProxy(worker.runtime.port).listen();
  const ann = enter('snapshot');
  const heard = await follow(enter('snapshot', { baseUrl: proxy.url }), 'summed');
  await expect.poll(() => heard).toEqual([{ all: true }]);
  proxy.silence('up', 'down');
  proxy.cutAll('reset');
  for (let first = 0; first < 500; first += 10) await ann.react(upTo(first + 9, first));
  proxy.resume();
  await expect.poll(() => heard).toEqual([{ all: true }, { all: true }]);
  await ann.react([1]);
  await expect.poll(() => heard.at(-1)).toBe(1);
  proxy.close();
});

test('a slow reader hears of one gap, and slows no other reader', async () => {
  const ann = enter('slow');
  const heard = await follow(enter('slow'));
  const slow = enter('slow');
  const taken: unknown[] = [];
  const feed = subscribe(slow, { onGap: () => taken.push('gap') }).reactions();
  const loop = feed[Symbol.asyncIterator]();
  const first = loop.next();
  await slow.lives();
  await ann.react([1]);
  expect(await first).toEqual({ done: false, value: 1 });
  // Each append has at most as many events as the memory holds.
  for (let from = 2; from < 3_000; from += 20) {
    await ann.react(upTo(from + 19, from));
    await until(() => heard.length === from + 19);
  }
  expect(heard).toEqual(upTo(heard.length));
  // The reader takes the events that had arrived. The next events are gone.
  for (let next = loop.next(); ;) {
    await ann.react([-1]);
    const done = await Promise.race([next, slow.lives()]);
    if (typeof done === 'number') continue;
    taken.push(done.value);
    if (done.value === -1) break;
    next = loop.next();
  }
  const before = taken.slice(0, taken.indexOf('gap')) as number[];
  expect(before).toEqual(upTo(before.length + 1, 2));
  expect(taken.slice(before.length)).toEqual(['gap', -1]);
});

test('the object sends a window, and ends the subscription of a reader whose next event is gone', async () => {
  using raw = await worker.raw('window');
  const ann = enter('window');
  await raw.exchange('["subscribe",1,null,"reactions"]');
  await ann.react(upTo(10));
  const numbers = async (...messages: string[]) =>
    ofKind(await raw.exchange(...messages), 'next').map(([, , , number]) => number);
  expect(await numbers()).toEqual([1, 2, 3, 4]);
  expect(await numbers('["ack",1,2]')).toEqual([5, 6]);
  for (let from = 11; from < 2_000; from += 100) await ann.react(upTo(from + 99, from));
  const ended = ofKind(await raw.exchange('["ack",1,6]'), 'complete');
  expect(thrownBy(ended[0])).toMatchObject({ code: 'CURSOR_EXPIRED' });
  const again = await raw.exchange('["subscribe",1,"6.abc","reactions"]');
  expect(again.map(([kind]) => kind)).toEqual(['gap', 'subscribed']);
});
