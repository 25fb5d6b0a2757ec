/** A subscriber that replays a snapshot and the later events has the object's state, even if others write meanwhile. */
import { expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { type Client, serve } from '../subscriptions/broadcaster/serve.ts';

const worker = await serve();

const LAST = 'the last one';
const SUBSCRIBERS = 200;
const PRODUCERS = 4;

/** Replays the events up to the last. @returns the state, and how many snapshots arrived */
async function replay(client: Client): Promise<{ state: string[]; snapshots: number }> {
  let state: string[] = [];
  let snapshots = 0;
  for await (const event of subscribe(client).seats()) {
    if (event.type === 'taken') state.push(event.seat);
    else {
      state = event.seats;
      snapshots++;
    }
    // A slow subscriber falls behind, and the object sometimes stops sending to it.
    if (Math.random() < 0.01) await new Promise((resolve) => setTimeout(resolve, 5));
    if (state.at(-1) === LAST) break;
  }
  return { state, snapshots };
}

test(`${SUBSCRIBERS} subscribers have the state, whenever they begin`, async () => {
  const over = new AbortController();
  const produce = async (name: string): Promise<void> => {
    using client = worker.connect('seats');
    for (let seat = 0; !over.signal.aborted; seat++) await client.take(`${name}${seat}`);
  };
  const producers = Array.from({ length: PRODUCERS }, (_, index) => produce(`${index}-`));
  const clients = Array.from({ length: 10 }, () => worker.connect('seats'));
  const replays: Promise<{ state: string[]; snapshots: number }>[] = [];
  for (let round = 0; round < SUBSCRIBERS / clients.length; round++) {
    for (const client of clients) replays.push(replay(client));
    await clients[0]?.taken();
  }
  over.abort();
  await Promise.all(producers);
  const [client] = clients as [Client];
  await client.take(LAST);
  const taken = await client.taken();
  expect(taken.length).toBeGreaterThan(PRODUCERS);
  for (const { state, snapshots } of await Promise.all(replays)) {
    expect(state).toEqual(taken);
    expect(snapshots).toBeGreaterThan(0);
  }
  for (const one of clients) one.close();
});

test('an idle object sends only a snapshot, which is its state', async () => {
  using client = worker.connect('idle');
  for (const _ of [1, 2]) {
    for await (const event of subscribe(client).seats()) {
      expect(event).toEqual({ type: 'all', seats: [] });
      break;
    }
  }
});

test('a snapshot is made for the caller of the method', async () => {
  using ada = worker.connect('callers', { protocols: ['as.ada'] });
  using bob = worker.connect('callers', { protocols: ['as.bob'] });
  for (const [client, user] of [
    [ada, 'ada'],
    [bob, 'bob'],
  ] as const) {
    const { value } = await subscribe(client).greeting(false)[Symbol.asyncIterator]().next();
    expect(value).toEqual({ to: { user } });
  }
});

test('onError replaces the error of a snapshot', async () => {
  const first = (client: Client): Promise<unknown> =>
    subscribe(client).greeting(true)[Symbol.asyncIterator]().next();
  using open = worker.connect('failing');
  await expect(first(open)).rejects.toThrow('a secret');
  using strict = worker.connect('failing', {}, 'STRICT');
  await expect(first(strict)).rejects.toThrow('hidden');
});
