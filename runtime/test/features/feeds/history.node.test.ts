/** Pages of a feed and later events join, even if connections or events are lost, or the runtime is killed. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { until } from '../../../../harness/waiting.mjs';
import { type FeedState, feedStore } from '../../../src/features/feeds/client/feed-store.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { Loop } from '../subscriptions/broadcaster/loops.ts';
import { type Client, serve } from '../subscriptions/broadcaster/serve.ts';
import type { Default } from '../subscriptions/broadcaster/worker.ts';

const worker = await serve();

type Shown = FeedState<unknown>;

/** Watches the store of a feed until the test ends. */
function watch(client: Client, name: 'events' | 'small' | 'seats') {
  const store = feedStore<Default, unknown, Client>(
    client,
    (methods) => methods[name](),
    (object, before) => object.page(name, before),
  );
  const states: Shown[] = [];
  onTestFinished(store.subscribe((state) => states.push(state)));
  return {
    states,
    state: store.get,
    events: () => store.get().events.map(({ event }) => event),
    /** Waits for the newest page. */
    begun: () => until(() => !store.get().isLoading),
    async loadAll() {
      while (store.get().hasOlder) await store.get().loadOlder();
    },
  };
}

const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe.each([
  { name: 'cut', lose: (proxy: NetworkProxy) => proxy.cutAll('reset') },
  {
    name: 'cut in the middle of a frame',
    lose: (proxy: NetworkProxy) => void proxy.cutAfter(40, 'down', 'reset'),
  },
  {
    name: 'cut in the middle of a request',
    lose: (proxy: NetworkProxy) => void proxy.cutAfter(20, 'up', 'close'),
  },
])('a connection that is $name', ({ name, lose }) => {
  test('again and again leaves no gap, and no event twice, while older pages are loaded', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    onTestFinished(() => proxy.close());
    using client = worker.connect(name, { baseUrl: proxy.url, heartbeat: 100 });
    using writer = worker.connect(name);
    await writer.sayAll(upTo(60));
    const shown = watch(client, 'events');
    let count = 60;
    for (let loss = 0; loss < 15; loss++) {
      lose(proxy);
      await Promise.all([shown.state().loadOlder(), writer.sayOne(++count)]);
      await writer.sayOne(++count);
    }
    await shown.loadAll();
    await until(() => shown.state().events.length >= count);
    expect(shown.events()).toEqual(upTo(count));
    // The store never began again, and no state had a gap.
    for (const { events } of shown.states) {
      const numbers = events.map(({ event }) => event as number);
      expect(numbers).toEqual(numbers.length > 0 ? upTo(numbers.at(-1)!, numbers[0]) : []);
    }
    expect(shown.state().error).toBeUndefined();
  });
});

test('the list goes on after the runtime is killed, and new events have new keys', async () => {
  using client = worker.connect('killed');
  using writer = worker.connect('killed');
  await writer.sayAll(upTo(10));
  const shown = watch(client, 'events');
  await shown.begun();
  for (let life = 0; life < 2; life++) {
    const older = shown.state().loadOlder();
    await worker.restart();
    await writer.sayOne(11 + life);
    await older;
  }
  await shown.loadAll();
  await until(() => shown.state().events.length >= 12);
  expect(shown.events()).toEqual(upTo(12));
  expect(new Set(shown.state().events.map(({ cursor }) => cursor)).size).toBe(12);
});

describe('a list whose events are lost', () => {
  test('begins again with the newest page, if the feed keeps few events', async () => {
    using client = worker.connect('few');
    using writer = worker.connect('few');
    await writer.saySmall(8);
    const shown = watch(client, 'small');
    await shown.begun();
    for (let time = 0; time < 3; time++) {
      // These are more events than the feed keeps, in one turn. Only a window of them is sent.
      await writer.saySmall(3_000 + time);
      const last = upTo(2_999 + time, 2_997 + time);
      await until(() => `${shown.events()}` === `${last}`);
    }
    await writer.saySmall(1);
    await until(() => shown.events().length === 4);
    expect(shown.state().error).toBeUndefined();
    expect(shown.state().hasOlder).toBe(true);
  });

  test.each([1, 3, 4, 5, 20])(
    'begins again if the storage was emptied and has %i new events',
    async (count) => {
      using client = worker.connect(`emptied ${count}`);
      using writer = worker.connect(`emptied ${count}`);
      await writer.sayAll(['a', 'b', 'c', 'd']);
      const shown = watch(client, 'events');
      await shown.begun();
      expect(shown.events()).toEqual(['b', 'c', 'd']);
      // This wait lets the subscription begin after the page has arrived.
      await writer.sayOne('e');
      await until(() => shown.events().length === 4);
      await writer.forgetAll();
      await writer.sayAll(upTo(count));
      await until(() => shown.events()[0] !== 'b');
      expect(shown.events()).toEqual(upTo(count).slice(-3));
      await shown.loadAll();
      expect(shown.events()).toEqual(upTo(count));
    },
  );

  // With 6 seats, the snapshot has the number of the next event.
  test.each([1, 4, 5, 6, 9])(
    'does not show a snapshot that replaces them, with %i new events',
    async (count) => {
      using client = worker.connect(`snapshot ${count}`);
      using writer = worker.connect(`snapshot ${count}`);
      for (const seat of upTo(5)) await writer.take(`${seat}`);
      const shown = watch(client, 'seats');
      await shown.begun();
      const loop = new Loop(subscribe(client).seats());
      await loop.has(1);
      await writer.startOver(count);
      const seats = upTo(count).map((seat) => ({ type: 'taken', seat: `again ${seat}` }));
      await until(() => (shown.events()[0] as { seat: string }).seat.startsWith('again'));
      expect(shown.events()).toEqual(seats.slice(-3));
      await writer.take('more');
      await until(() => shown.events().length > Math.min(count, 3));
      await shown.loadAll();
      expect(shown.events()).toEqual([...seats, { type: 'taken', seat: 'more' }]);
      for (const { events } of shown.states) {
        expect(events.filter(({ event }) => (event as { type: string }).type === 'all')).toEqual(
          [],
        );
      }
    },
  );
});
