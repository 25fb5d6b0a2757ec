/** Counts the frames and rows of calls and events. */
import { createRpcClient, type RpcClient } from '../../runtime/src/client.ts';
import { subscribe } from '../../runtime/src/features/subscriptions/client.ts';
import { HEARTBEAT } from '../../runtime/src/wire/messages.ts';
import { serve } from '../serve.ts';
import type { Metered } from './worker.ts';

/** The cost of one call, or of one event. */
export interface Cost {
  what: string;
  /** From clients to the object. */
  frames: number;
  rowsRead: number;
  rowsWritten: number;
  /** Wall-clock time on this machine, including the clients' part. The object took at most this long. */
  seconds: number;
}

const CALLS_IN_FRAME = 100;

interface Sizes {
  calls: number;
  subscribers: number;
  events: number;
}

const WHOLE: Sizes = { calls: 1_000, subscribers: 100, events: 320 };
const QUICK: Sizes = { calls: 100, subscribers: 10, events: 32 };

/** A multiple of 32, after which a subscriber acknowledges. These events fill the feed, which keeps 100. */
const FIRST_EVENTS = 128;
const EVENT = 'x'.repeat(100);

let frames = 0;

/** Counts the frames that clients send. */
class CountingSocket extends WebSocket {
  override send(frame: string): void {
    if (frame !== HEARTBEAT) frames++;
    super.send(frame);
  }
}

/** @returns the costs, measured in a bare workerd */
export async function measureCosts(isQuick = false): Promise<Cost[]> {
  const sizes = isQuick ? QUICK : WHOLE;
  await using runtime = await serve(import.meta.dirname, { METERED: 'Metered' });
  const open = (name: string): RpcClient<Metered> =>
    createRpcClient<Metered>('METERED', name, { baseUrl: runtime.url, WebSocket: CountingSocket });
  return [
    await awaited(open('awaited'), sizes),
    await batched(open('batched'), sizes),
    await events(open, sizes),
  ];
}

async function awaited(counter: RpcClient<Metered>, { calls }: Sizes): Promise<Cost> {
  return measure('increments, each awaited', calls, counter, async () => {
    for (let call = 0; call < calls; call++) await counter.increment();
  });
}

async function batched(counter: RpcClient<Metered>, { calls }: Sizes): Promise<Cost> {
  return measure(`increments, ${CALLS_IN_FRAME} in a frame`, calls, counter, async () => {
    for (let call = 0; call < calls; call += CALLS_IN_FRAME) {
      await Promise.all(Array.from({ length: CALLS_IN_FRAME }, () => counter.increment()));
    }
  });
}

async function events(open: (name: string) => RpcClient<Metered>, sizes: Sizes): Promise<Cost> {
  const publisher = open('events');
  const subscribers = Array.from({ length: sizes.subscribers }, () => open('events'));
  const loops = subscribers.map((one) => subscribe(one).news()[Symbol.asyncIterator]());
  // A loop has begun once the object has answered a later call of its client.
  const first = loops.map((loop) => loop.next());
  await Promise.all(subscribers.map((one) => one.rows()));
  const publish = async (count: number): Promise<void> => {
    for (let event = 0; event < count; event++) await publisher.publish(EVENT);
  };
  const take = async (count: number): Promise<void> => {
    await Promise.all(
      loops.map(async (loop) => {
        for (let event = 0; event < count; event++) await loop.next();
      }),
    );
  };
  await publish(FIRST_EVENTS);
  await Promise.all(first);
  await take(FIRST_EVENTS - 1);
  const cost = await measure(
    `events to ${sizes.subscribers} subscribers`,
    sizes.events,
    publisher,
    () => Promise.all([publish(sizes.events), take(sizes.events)]),
  );
  for (const one of subscribers) one.close();
  return cost;
}

/** Measures the cost of `act`, and closes the client. */
async function measure(
  what: string,
  count: number,
  client: RpcClient<Metered>,
  act: () => Promise<unknown>,
): Promise<Cost> {
  // The first call of a client connects, and begins its journal.
  await client.increment();
  const before = await client.rows();
  frames = 0;
  const start = performance.now();
  await act();
  const seconds = (performance.now() - start) / 1000;
  // Acknowledgements of subscribers are sent at the end of the tick.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const sent = frames;
  const after = await client.rows();
  client.close();
  return {
    what,
    frames: sent / count,
    rowsRead: (after.read - before.read) / count,
    rowsWritten: (after.written - before.written) / count,
    seconds: seconds / count,
  };
}
