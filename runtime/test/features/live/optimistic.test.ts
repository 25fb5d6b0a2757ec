/** Optimistic changes: a live value shows a change from a call until its answer, and nothing else. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createRpcClient,
  type LiveState,
  liveStore,
  messagePortTransport,
  optimistic,
  type RpcClient,
  type Store,
  withOptions,
} from '../../../src/client.ts';
import { compileContract, live, read, servePort } from '../../../src/server.ts';
import { connect, cut, loseAnswer } from '../../../src/testing.ts';
import type { Counter } from '../../../../template/src/counter.ts';
import type { Room, RoomEvent } from '../../../../examples/room/src/room.ts';
import * as Type from '../../../src/typebox.ts';

class Score {
  #value = 0;
  readonly #held = new Map<string, () => void>();

  value(): number {
    return this.#value;
  }

  double(): number {
    return this.#value * 2;
  }

  add(by: number): void {
    this.#value += by;
  }

  async addSoon(by: number): Promise<void> {
    await new Promise((done) => setTimeout(done));
    this.#value += by;
  }

  /** Adds after `release` is called with this name. */
  async addOnRelease(by: number, name: string): Promise<void> {
    await new Promise<void>((resolve) => this.#held.set(name, resolve));
    this.#value += by;
  }

  release(name: string): void {
    this.#held.get(name)?.();
  }

  addAndThrow(by: number): void {
    this.#value += by;
    throw new RangeError('too much');
  }

  refuse(): void {
    throw new RangeError('refused');
  }

  nothing(): number {
    return this.#value;
  }
}

const by = Type.Number();
const contract = compileContract({
  value: live(),
  double: live(),
  add: [by],
  addSoon: [by],
  addOnRelease: [by, Type.String()],
  release: read([Type.String()]),
  addAndThrow: [by],
  refuse: [],
  nothing: read(),
});

/** Returns a client of an object behind a port. */
function served(): { client: RpcClient<Score>; value: Store<LiveState<number>> } {
  const { port1, port2 } = new MessageChannel();
  servePort(port2, new Score(), contract);
  const transport = messagePortTransport(port1);
  const client = createRpcClient<Score>('SCORE', 'served', { transport });
  onTestFinished(() => client.close());
  return { client, value: liveStore(client, (score) => score.value()) };
}

/** Watches a store until the test ends. @returns all values that it has shown, without repetitions */
async function watched<Value>(store: Store<LiveState<Value>>): Promise<unknown[]> {
  const seen: unknown[] = [];
  onTestFinished(
    store.subscribe(({ value, error }) => {
      const shown = error ?? value;
      if (shown !== undefined && seen.at(-1) !== shown) seen.push(shown);
    }),
  );
  await expect.poll(() => seen.length).toBe(1);
  return seen;
}

/** Resolves when all values of a turn have been shown. */
const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

const plus =
  (amount: number) =>
  (value: number): number =>
    value + amount;

describe('a change', () => {
  test.each<[string, (client: RpcClient<Score>) => Promise<void>, unknown[]]>([
    ['that is confirmed', (client) => client.add(1), [0, 1]],
    ['by a method that takes a while', (client) => client.addSoon(1), [0, 1]],
    ['that is corrected by the object', (client) => client.add(5), [0, 1, 5]],
    ['of a call that changes nothing', (client) => client.add(0), [0, 1, 0]],
    ['of a call that is rejected', (client) => client.refuse(), [0, 1, 0]],
    ['of a call that changes the value and throws', (client) => client.addAndThrow(1), [0, 1]],
    ['of a call with wrong arguments', (client) => client.add('1' as never), [0, 1, 0]],
    [
      'of a call that is aborted',
      (client) => withOptions(client, { signal: AbortSignal.timeout(5) }).addOnRelease(1, 'a'),
      [0, 1, 0],
    ],
    [
      'of a call that times out',
      (client) => withOptions(client, { timeout: 5 }).addOnRelease(1, 'a'),
      [0, 1, 0],
    ],
  ])('%s is shown until the answer, and nothing else is shown', async (_, call, shown) => {
    const { client, value } = served();
    const seen = await watched(value);
    const made = call(client);
    expect(optimistic(made, value, plus(1))).toBe(made);
    expect(seen).toEqual([0, 1]);
    await made.catch(() => {});
    await settled();
    expect(seen).toEqual(shown);
    // Nothing is left of the change.
    await client.add(10);
    await settled();
    expect(seen).toEqual([...shown, (shown.at(-1) as number) + 10]);
  });

  test('is shown when its caller goes on', async () => {
    const { client, value } = served();
    await watched(value);
    await optimistic(client.add(1), value, plus(1));
    expect(value.get()).toEqual({ value: 1 });
    const refused = optimistic(client.refuse(), value, plus(1));
    expect(value.get()).toEqual({ value: 2 });
    await expect(refused).rejects.toThrow('refused');
    expect(value.get()).toEqual({ value: 1 });
  });

  test('is shown by every store of the value, and by no other', async () => {
    const { client, value } = served();
    const seen = await watched(liveStore(client, (score) => score.value()));
    const other = await watched(liveStore(client, (score) => score.double()));
    await optimistic(client.add(1), value, plus(1));
    await settled();
    expect([seen, other]).toEqual([
      [0, 1],
      [0, 2],
    ]);
  });

  test('can show several values for one call', async () => {
    const { client, value } = served();
    const double = liveStore(client, (score) => score.double());
    const seen = [await watched(value), await watched(double)];
    await optimistic(optimistic(client.add(1), value, plus(1)), double, plus(2));
    await settled();
    expect(seen).toEqual([
      [0, 1],
      [0, 2],
    ]);
  });

  test('leaves the same objects until the value changes', async () => {
    const { client, value } = served();
    await watched(value);
    const before = value.get();
    const call = optimistic(client.refuse(), value, plus(1));
    expect(value.get()).toBe(value.get());
    await call.catch(() => {});
    await settled();
    expect(value.get()).toBe(before);
  });

  test('does not depend on watchers', async () => {
    const { client, value } = served();
    const call = optimistic(client.addOnRelease(1, 'a'), value, plus(1));
    const seen: unknown[] = [];
    const stop = value.subscribe(({ value: shown }) => seen.push(shown));
    await expect.poll(() => seen.at(-1)).toBe(1);
    stop();
    // A page that is replaced shows the change again, without a value in between.
    expect(await watched(value)).toEqual([1]);
    await client.release('a');
    await call;
    await settled();
    expect(seen).toEqual([undefined, 1]);
    await expect.poll(value.get).toEqual({ value: 1 });
  });

  test('ends a subscription that has no watcher', async () => {
    const { client, value } = served();
    await optimistic(client.add(1), value, plus(1));
    await expect.poll(value.get).toEqual({});
  });

  test('waits for the first value', async () => {
    const { client, value } = served();
    const update = vi.fn<(value: number) => number>(plus(1));
    const call = optimistic(client.addOnRelease(1, 'a'), value, update);
    expect([value.get(), update.mock.calls]).toEqual([{}, []]);
    const seen = await watched(value);
    expect(seen).toEqual([1]);
    await client.release('a');
    await call;
    await settled();
    expect(seen).toEqual([1]);
  });

  test('is reported and left out if it throws', async () => {
    const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    onTestFinished(() => report.mockRestore());
    const { client, value } = served();
    const seen = await watched(value);
    const thrown = new Error('mine');
    const fail = (): never => {
      throw thrown;
    };
    await Promise.all([
      optimistic(client.add(1), value, plus(1)),
      optimistic(client.add(1), value, fail),
    ]);
    await settled();
    expect([seen, report.mock.calls]).toEqual([[0, 1, 2], [[thrown]]]);
  });
});

describe('several changes', () => {
  test('of one frame end together', async () => {
    const { client, value } = served();
    const seen = await watched(value);
    await Promise.all(
      [1, 2, 3].map((amount) => optimistic(client.add(amount), value, plus(amount))),
    );
    await settled();
    expect(seen).toEqual([0, 1, 3, 6]);
  });

  test.each<[string, (client: RpcClient<Score>, amount: number) => Promise<void>, number[]]>([
    ['change nothing together', (client, amount) => client.add(amount), [0, 1, 0]],
    ['are rejected together', (client) => client.refuse(), [0, 1, 0]],
    [
      'are closed together',
      (client, amount) => {
        const call = client.add(amount);
        setTimeout(() => client.close());
        return call;
      },
      [0, 1, 0],
    ],
  ])('that %s end together', async (_, call, shown) => {
    const { client, value } = served();
    const seen: unknown[] = [];
    onTestFinished(value.subscribe((newest) => seen.push(newest.value)));
    await expect.poll(() => seen).toEqual([undefined, 0]);
    const made = [1, -1].map((amount) => optimistic(call(client, amount), value, plus(amount)));
    await Promise.allSettled(made);
    await settled();
    expect(seen.filter((one, index) => one !== seen[index - 1])).toEqual(shown);
  });

  test('are applied in their order, and end in any order', async () => {
    const { client, value } = served();
    const seen = await watched(value);
    const slow = optimistic(client.addOnRelease(10, 'slow'), value, plus(10));
    await optimistic(client.add(1), value, plus(1));
    await settled();
    const refused = optimistic(client.refuse(), value, (one) => one * 2);
    await refused.catch(() => {});
    await settled();
    expect(seen).toEqual([0, 10, 11, 22, 11]);
    await client.release('slow');
    await slow;
    await settled();
    expect(seen).toEqual([0, 10, 11, 22, 11]);
  });

  test('can be added while an earlier change ends', async () => {
    const { client, value } = served();
    const seen = await watched(value);
    const more = async (amount: number): Promise<void> => {
      for (let count = 0; count < 20; count++)
        await optimistic(client.add(amount), value, plus(amount));
    };
    await more(1);
    await settled();
    expect(seen).toEqual(Array.from({ length: 21 }, (_, index) => index));
  });

  test('stay on top of values that others set', async () => {
    const { client, value } = served();
    const seen = await watched(value);
    const call = optimistic(client.addOnRelease(1, 'a'), value, plus(1));
    await client.add(10);
    await settled();
    await client.add(10);
    await settled();
    expect(seen).toEqual([0, 1, 11, 21]);
    await client.release('a');
    await call;
    await settled();
    expect(seen).toEqual([0, 1, 11, 21]);
  });
});

describe('a lost connection', () => {
  test.each(['cut', 'lost answer'])('%s: the change stays', async (fault) => {
    using client = connect<Counter>('COUNTER', `optimistic ${fault}`);
    const value = liveStore(client, (counter) => counter.getValue());
    const seen = await watched(value);
    if (fault === 'lost answer') loseAnswer(client);
    const call = optimistic(client.increment(), value, plus(1));
    if (fault === 'cut') cut(client);
    expect(await call).toBe(1);
    await settled();
    expect(seen).toEqual([0, 1]);
  });

  test('the changes of several calls stay, and changes of others are shown meanwhile', async () => {
    using client = connect<Counter>('COUNTER', 'optimistic several');
    using other = connect<Counter>('COUNTER', 'optimistic several');
    const value = liveStore(client, (counter) => counter.getValue());
    const seen = await watched(value);
    loseAnswer(client);
    const calls = [1, 2].map((amount) => optimistic(client.increment(amount), value, plus(amount)));
    // This call is in a later frame, which has not run.
    await Promise.resolve();
    calls.push(optimistic(client.increment(4), value, plus(4)));
    await Promise.all(calls);
    await settled();
    expect(seen).toEqual([0, 1, 3, 7]);
    const away = optimistic(client.increment(), value, plus(1));
    await cut(client, other.increment(100));
    await away;
    await settled();
    expect(seen).toEqual([0, 1, 3, 7, 8, 108]);
  });

  test('takes the change back if the call is rejected', async () => {
    using client = connect<Counter>('COUNTER', 'optimistic closed');
    const value = liveStore(client, (counter) => counter.getValue());
    const seen = await watched(value);
    const call = optimistic(client.increment(), value, plus(1));
    client.close();
    await expect(call).rejects.toMatchObject({ code: 'CLOSED' });
    await settled();
    expect(seen.slice(0, 2)).toEqual([0, 1]);
    expect(value.get()).toMatchObject({ value: 0, error: { code: 'CLOSED' } });
    // A change of a call that is already rejected is not shown.
    await expect(optimistic(client.increment(), value, plus(1))).rejects.toThrow();
  });
});

test('a change for a call of another client stays until the next value', async () => {
  using client = connect<Counter>('COUNTER', 'optimistic elsewhere');
  using caller = connect<Counter>('COUNTER', 'optimistic elsewhere', { transport: 'http' });
  const value = liveStore(client, (counter) => counter.getValue());
  const seen = await watched(value);
  await optimistic(caller.increment(5), value, () => 5);
  await settled();
  await client.increment();
  await settled();
  expect(seen).toEqual([0, 5, 6]);
});

test('a change of combined events stays until the event arrives', async () => {
  using room = connect<Room>('ROOM', 'optimistic feed', { as: null });
  const texts = liveStore(
    room,
    (methods) => methods.messages(),
    (all: string[] = [], event: RoomEvent) => [
      ...all,
      ...('recent' in event ? event.recent : [event]).map(({ text }) => text),
    ],
  );
  const seen: unknown[] = [];
  onTestFinished(texts.subscribe(({ value }) => seen.push(value?.join())));
  await expect.poll(() => seen).toEqual([undefined, '']);
  const say = (text: string) => optimistic(room.say(text), texts, (all) => [...all, text]);
  await say('a');
  await say('b');
  await settled();
  expect([...new Set(seen)]).toEqual([undefined, '', 'a', 'a,b']);
});

test.each<[string, (client: RpcClient<Score>, value: Store<LiveState<number>>) => unknown]>([
  [
    'optimistic needs the promise that a method of a client has returned',
    (client, value) =>
      optimistic(
        client.nothing().then(() => {}),
        value,
        plus(1),
      ),
  ],
  [
    'optimistic needs a store that liveStore has returned',
    (client, { get, subscribe }) => optimistic(client.nothing(), { get, subscribe }, plus(1)),
  ],
])('%s', (message, act) => {
  const { client, value } = served();
  expect(() => act(client, value)).toThrow(new TypeError(message));
});

test('a store without a client shows no change', async () => {
  const { client } = served();
  const none = liveStore<Score, number>(undefined, (score) => score.value());
  await optimistic(client.nothing(), none, plus(1));
  expect(none.get()).toEqual({});
});

test('a change of a list whose rows have keys is confirmed by a patch, and other rows stay the same', async () => {
  class List {
    #rows = [1, 2].map((id) => ({ id, count: 0 }));

    rows(): { id: number; count: number }[] {
      return this.#rows;
    }

    add(id: number): void {
      this.#rows = this.#rows.map((row) => (row.id === id ? { id, count: row.count + 1 } : row));
    }
  }
  const { port1, port2 } = new MessageChannel();
  servePort(port2, new List(), compileContract({ rows: live([], { key: 'id' }), add: [by] }));
  const transport = messagePortTransport(port1);
  const client = createRpcClient<List>('LIST', 'rows', { transport });
  onTestFinished(() => client.close());
  const rows = liveStore(client, (list) => list.rows());
  const seen = (await watched(rows)) as ReturnType<List['rows']>[];
  await optimistic(client.add(1), rows, (all) =>
    all.map((row) => (row.id === 1 ? { ...row, count: row.count + 1 } : row)),
  );
  await settled();
  expect(seen.map((all) => all.map(({ count }) => count))).toEqual([
    [0, 0],
    [1, 0],
    [1, 0],
  ]);
  for (const [, second] of seen) expect(second).toBe(seen[0]?.[1]);
});
