/** Live stores: which values they have, when they subscribe, and which stores share a subscription. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createRpcClient,
  type LiveState,
  liveStore,
  messagePortTransport,
  type RpcClient,
  type Store,
  subscribe,
  type Subscriptions,
} from '../../../src/client.ts';
import { compileContract, live, servePort, stream } from '../../../src/server.ts';
import { connect, cut } from '../../../src/testing.ts';
import type { Counter } from '../../../../template/src/counter.ts';
import type { Room, RoomEvent } from '../../../../examples/room/src/room.ts';
import * as Type from '../../../src/typebox.ts';

class Scores {
  readonly #scores = new Map<string, number>();
  isBroken = false;

  add(player: string, by: number): void {
    this.#scores.set(player, this.of(player) + by);
  }

  of(player: string): number {
    if (this.isBroken) throw new RangeError('It is broken');
    return this.#scores.get(player) ?? 0;
  }

  players(): string[] {
    return [...this.#scores.keys()];
  }

  *upTo(end: number): Iterable<number> {
    for (let number = 1; number <= end; number++) yield number;
  }
}

const contract = compileContract({
  add: [Type.String(), Type.Number()],
  of: live([Type.String()]),
  players: live(),
  upTo: stream([Type.Number()]),
});

/** Returns a client of an object behind a port, and a function that counts its messages by their kind. */
function served(): {
  client: RpcClient<Scores>;
  object: Scores;
  sent: (kind: string) => number;
} {
  const { port1, port2 } = new MessageChannel();
  const object = new Scores();
  servePort(port2, object, contract);
  const transport = messagePortTransport(port1);
  let frames = '';
  const client = createRpcClient<Scores>('SCORES', 'served', {
    transport: {
      ...transport,
      send(frame) {
        frames += String(frame);
        transport.send(frame);
      },
    },
  });
  onTestFinished(() => client.close());
  return { client, object, sent: (kind) => frames.split(`["${kind}"`).length - 1 };
}

/** Watches a store until the test ends. */
function watched<Value>(store: Store<LiveState<Value>>): {
  seen: LiveState<Value>[];
  stop: () => void;
} {
  const seen: LiveState<Value>[] = [];
  const stop = store.subscribe((value) => seen.push(value));
  onTestFinished(stop);
  return { seen, stop };
}

describe('a store', () => {
  test('reports its state at once, and then each value', async () => {
    const { client } = served();
    const { seen } = watched(liveStore(client, (scores) => scores.of('ann')));
    expect(seen).toEqual([{}]);
    await expect.poll(() => seen).toEqual([{}, { value: 0 }]);
    await client.add('ann', 2);
    await expect.poll(() => seen).toEqual([{}, { value: 0 }, { value: 2 }]);
  });

  test('has the same value until it changes, for React', async () => {
    const { client } = served();
    const store = liveStore(client, (scores) => scores.of('ann'));
    expect(store.get()).toBe(store.get());
    const { seen } = watched(store);
    await expect.poll(store.get).toEqual({ value: 0 });
    expect(store.get()).toBe(seen.at(-1));
    expect(store.get()).toBe(liveStore(client, (scores) => scores.of('ann')).get());
  });

  test('subscribes only while it is watched', async () => {
    const { client, sent } = served();
    const store = liveStore(client, (scores) => scores.of('ann'));
    expect(store.get()).toEqual({});
    await client.add('ann', 1);
    expect(sent('subscribe')).toBe(0);
    const first = watched(store);
    await expect.poll(store.get).toEqual({ value: 1 });
    first.stop();
    expect(store.get()).toEqual({});
    await client.add('ann', 1);
    expect(sent('unsubscribe')).toBe(1);
    const { seen } = watched(store);
    await expect.poll(() => seen).toEqual([{}, { value: 2 }]);
    expect(first.seen).toEqual([{}, { value: 1 }]);
  });

  test('that is watched, left and watched again in one tick subscribes once', async () => {
    const { client, sent } = served();
    const store = liveStore(client, (scores) => scores.of('ann'));
    store.subscribe(() => {})();
    const { seen } = watched(store);
    await expect.poll(() => seen).toEqual([{}, { value: 0 }]);
    expect([sent('subscribe'), sent('unsubscribe')]).toEqual([1, 0]);
  });

  test('is not ended by a watcher that leaves twice', async () => {
    const { client } = served();
    const store = liveStore(client, (scores) => scores.of('ann'));
    const { stop } = watched(store);
    stop();
    const { seen } = watched(store);
    stop();
    await expect.poll(() => seen).toEqual([{}, { value: 0 }]);
    await client.add('ann', 1);
    await expect.poll(store.get).toEqual({ value: 1 });
  });

  test('calls a function twice if it watches twice', async () => {
    const { client } = served();
    const store = liveStore(client, (scores) => scores.of('ann'));
    const run = vi.fn<(live: LiveState<number>) => void>();
    const [one, other] = [store.subscribe(run), store.subscribe(run)];
    await expect.poll(() => run.mock.calls.length).toBe(4);
    one();
    await client.add('ann', 1);
    await expect.poll(() => run.mock.calls.length).toBe(5);
    other();
  });

  test('goes on after a watcher has thrown', async () => {
    const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    onTestFinished(() => report.mockRestore());
    const { client } = served();
    const store = liveStore(client, (scores) => scores.of('ann'));
    const thrown = new Error('mine');
    onTestFinished(
      store.subscribe(() => {
        throw thrown;
      }),
    );
    const { seen } = watched(store);
    await expect.poll(() => seen).toEqual([{}, { value: 0 }]);
    expect(report.mock.calls).toEqual([[thrown], [thrown]]);
  });

  test('keeps the last item of a stream that has ended', async () => {
    const { client, sent } = served();
    const store = liveStore(client, (scores) => scores.upTo(3));
    watched(store);
    await expect.poll(store.get).toEqual({ value: 3 });
    const { seen } = watched(store);
    await client.players();
    expect(seen).toEqual([{ value: 3 }]);
    expect(sent('subscribe')).toBe(1);
  });

  test('goes on after its connection was cut', async () => {
    using client = connect<Counter>('COUNTER', 'live store');
    using other = connect<Counter>('COUNTER', 'live store');
    const { seen } = watched(liveStore(client, (counter) => counter.getValue()));
    await expect.poll(() => seen).toEqual([{}, { value: 0 }]);
    await cut(client, other.increment());
    await expect.poll(() => seen).toEqual([{}, { value: 0 }, { value: 1 }]);
  });
});

describe('an error', () => {
  test('leaves the last value, and the next watcher subscribes again for all', async () => {
    const { client, object } = served();
    const store = liveStore(client, (scores) => scores.of('ann'));
    const { seen } = watched(store);
    await expect.poll(store.get).toEqual({ value: 0 });
    object.isBroken = true;
    await client.add('ann', 1).catch(() => {});
    const failed = { value: 0, error: expect.objectContaining({ message: 'It is broken' }) };
    await expect.poll(store.get).toEqual(failed);
    object.isBroken = false;
    expect(watched(store).seen).toEqual([{}]);
    await expect.poll(store.get).toEqual({ value: 0 });
    expect(seen).toEqual([{}, { value: 0 }, failed, {}, { value: 0 }]);
  });

  test('comes without a value if there was none', async () => {
    const { client } = served();
    const store = liveStore(client, (scores) => scores.of(5 as never));
    watched(store);
    const error: unknown = expect.objectContaining({ code: 'INVALID_ARGUMENTS' });
    await expect.poll(store.get).toEqual({ error });
  });

  test('of the function that combines events ends the subscription', async () => {
    const { client, sent } = served();
    const store = liveStore(
      client,
      (scores) => scores.of('ann'),
      (_: number | undefined, score: number) => {
        if (score > 0) throw new Error('too much');
        return score;
      },
    );
    watched(store);
    await expect.poll(store.get).toEqual({ value: 0 });
    await client.add('ann', 1);
    await expect.poll(store.get).toMatchObject({ value: 0, error: { message: 'too much' } });
    await client.players();
    expect(sent('unsubscribe')).toBe(1);
  });

  test('of a closed client is shown', async () => {
    const { client } = served();
    const store = liveStore(client, (scores) => scores.of('ann'));
    watched(store);
    await expect.poll(store.get).toEqual({ value: 0 });
    client.close();
    await expect.poll(store.get).toMatchObject({ value: 0, error: { code: 'CLOSED' } });
  });
});

describe('stores share a subscription', () => {
  test('to the same method with the same arguments, until the last watcher leaves', async () => {
    const { client, sent } = served();
    const [one, other] = [1, 2].map(() => liveStore(client, (scores) => scores.of('ann')));
    const [first, second] = [
      watched(one as Store<LiveState<number>>),
      watched(other as typeof one & {}),
    ];
    await expect.poll(() => second?.seen).toEqual([{}, { value: 0 }]);
    expect(sent('subscribe')).toBe(1);
    // A later watcher has the value at once.
    const late = watched(liveStore(client, (scores) => scores.of('ann')));
    expect(late.seen).toEqual([{ value: 0 }]);
    for (const { stop } of [first, late]) stop();
    await client.add('ann', 1);
    await expect.poll(() => second?.seen.at(-1)).toEqual({ value: 1 });
    expect([sent('subscribe'), sent('unsubscribe')]).toEqual([1, 0]);
    second.stop();
    await client.players();
    expect(sent('unsubscribe')).toBe(1);
  });

  test('not with other arguments, to another method, or of another client', async () => {
    const [{ client, sent }, other] = [served(), served()];
    const stores = [
      liveStore(client, (scores) => scores.of('ann')),
      liveStore(client, (scores) => scores.of('bob')),
      liveStore(client, (scores) => scores.players()),
      liveStore(other.client, (scores) => scores.of('ann')),
    ] as const;
    for (const store of stores) watched<unknown>(store);
    await client.add('ann', 1);
    await client.add('bob', 2);
    const held = [{ value: 1 }, { value: 2 }, { value: ['ann', 'bob'] }, { value: 0 }];
    await expect.poll(() => stores.map(({ get }) => get())).toEqual(held);
    expect([sent('subscribe'), other.sent('subscribe')]).toEqual([3, 1]);
  });

  test('not if they combine events', async () => {
    const { client, sent } = served();
    const add = (all: number[] = [], number: number): number[] => [...all, number];
    const stores = [1, 2].map(() => liveStore(client, (scores) => scores.upTo(3), add));
    for (const store of stores) watched(store);
    for (const { get } of stores) await expect.poll(get).toEqual({ value: [1, 2, 3] });
    expect(sent('subscribe')).toBe(2);
  });
});

test('a store combines the events of a feed, and begins again when it is watched again', async () => {
  using room = connect<Room>('ROOM', 'live store', { as: null });
  const store = liveStore(
    room,
    (methods) => methods.messages(),
    (texts: string[] = [], event: RoomEvent) => [
      ...texts,
      ...('recent' in event ? event.recent : [event]).map(({ text }) => text),
    ],
  );
  const { stop } = watched(store);
  await expect.poll(store.get).toEqual({ value: [] });
  await room.say('one');
  await room.say('two');
  await expect.poll(store.get).toEqual({ value: ['one', 'two'] });
  stop();
  expect(store.get()).toEqual({});
  watched(store);
  await expect.poll(store.get).toEqual({ value: ['one', 'two'] });
});

test('a store of a feed begins after a cursor, and shares its subscription only for equal cursors', async () => {
  using room = connect<Room>('ROOM', 'live store after', { as: null });
  await room.say('one');
  const messages = subscribe(room).messages();
  for await (const _ of messages) break;
  const after = messages.cursor;
  await room.say('two');
  const all = (texts: string[] = [], event: RoomEvent): string[] =>
    'recent' in event ? ['recent'] : [...texts, event.text];
  const combined = liveStore(room, (methods) => methods.messages(), all, { after });
  const newest = liveStore(room, (methods) => methods.messages(), undefined, { after });
  const fromNow = liveStore(room, (methods) => methods.messages());
  for (const store of [combined, newest, fromNow]) watched<unknown>(store);
  await expect.poll(combined.get).toEqual({ value: ['two'] });
  await expect.poll(newest.get).toMatchObject({ value: { text: 'two' } });
  await expect.poll(fromNow.get).toMatchObject({ value: { recent: [{ text: 'one' }, {}] } });
  await room.say('three');
  await expect.poll(combined.get).toEqual({ value: ['two', 'three'] });
});

test.each<[string, (client: RpcClient<Scores>) => Store<LiveState<unknown>>]>([
  ['no client', () => liveStore(undefined, (methods: Subscriptions<Scores>) => methods.players())],
  ['nothing to read', (client) => liveStore(client, false)],
  ['a function that returns nothing to read', (client) => liveStore(client, () => null)],
  ['a function that combines events, and no client', () => liveStore(null, null, () => 1)],
])('with %s a store has no value, and does not connect', async (_, make) => {
  const { client, sent } = served();
  const store = make(client);
  const { seen, stop } = watched(store);
  expect([store.get(), seen]).toEqual([{}, [{}]]);
  stop();
  await client.players();
  expect(sent('subscribe')).toBe(0);
});

test.each<[string, (client: RpcClient<Scores>) => unknown]>([
  ['a promise', (client) => client.players()],
  ['a subscription of methods that it did not receive', (client) => subscribe(client).players()],
])('a function that returns %s is rejected', (_, give) => {
  const { client } = served();
  expect(() => liveStore(client, () => give(client) as never)).toThrow(
    '`read` must return a subscription of the methods that it receives',
  );
});

test('a client over HTTP is rejected', () => {
  using client = connect<Counter>('COUNTER', 'live over http', { transport: 'http' });
  expect(() => liveStore(client, (counter) => counter.getValue())).toThrow(
    'Subscriptions need a WebSocket',
  );
});
