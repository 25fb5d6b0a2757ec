/** The frames and rows of calls and events, and the price of a million of them at Cloudflare. */
import { join } from 'node:path';
import { grouped } from '../../scripts/pages/markdown.mjs';
import { createRpcClient, type RpcClient } from '../../runtime/src/client.ts';
import { subscribe } from '../../runtime/src/features/subscriptions/client/subscribe.ts';
import { HEARTBEAT } from '../../runtime/src/wire/messages.ts';
import type { Row } from '../results/rows.ts';
import { serve } from '../serve.ts';
import type { Metered } from './workers/costs.ts';

const WORKER = join(import.meta.dirname, 'workers/costs.ts');

/** The cost of one call, or of one event. */
export interface Cost {
  what: string;
  /** The frames that clients send to the object. */
  frames: number;
  rowsRead: number;
  rowsWritten: number;
  /** The wall-clock time on this machine, with the time of the clients. The object took at most this time. */
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

/**
 * The number of events before the measurement. It is a multiple of 32, because a subscriber acknowledges 32 events at
 * once. The feed keeps 100 events, so it is full.
 */
const FIRST_EVENTS = 128;
const EVENT = 'x'.repeat(100);

let sentFrames = 0;

/** Counts the frames that clients send. */
class CountingSocket extends WebSocket {
  override send(frame: string): void {
    if (frame !== HEARTBEAT) sentFrames++;
    super.send(frame);
  }
}

/** @returns the costs, measured in a bare workerd */
export async function measureCosts(isQuick = false): Promise<Cost[]> {
  const sizes = isQuick ? QUICK : WHOLE;
  await using runtime = await serve(WORKER, { METERED: 'Metered' });
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

/** Measures the cost of a function, and closes the client. */
async function measure(
  what: string,
  count: number,
  client: RpcClient<Metered>,
  act: () => Promise<unknown>,
): Promise<Cost> {
  // The first call of a client connects, and begins its journal.
  await client.increment();
  const before = await client.rows();
  sentFrames = 0;
  const start = performance.now();
  await act();
  const seconds = (performance.now() - start) / 1000;
  // Acknowledgements of subscribers are sent at the end of the tick.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const sent = sentFrames;
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

const MILLION = 1_000_000;

/**
 * Prices in dollars for one unit, in November 2026, beyond the included amounts:
 * https://developers.cloudflare.com/durable-objects/platform/pricing/
 */
const PRICES = {
  request: 0.15 / MILLION,
  rowRead: 0.001 / MILLION,
  rowWritten: 1 / MILLION,
  gigabyteSecond: 12.5 / MILLION,
};

/** The number of incoming WebSocket messages for the price of one request. */
const MESSAGES_A_REQUEST = 20;

/** The memory that an object is billed for, however much of its 128 MB it uses. */
const GIGABYTES = 0.128;

/** @returns the rows of the table, beginning with the head */
export function costTable(costs: readonly Cost[]): string[][] {
  const head = [
    'a million …',
    'frames sent',
    'requests',
    'rows read',
    'rows written',
    'GB-s',
    'dollars',
  ];
  return [head, ...costs.map(rowOf)];
}

function rowOf({ what, frames, rowsRead, rowsWritten, seconds }: Cost): string[] {
  const requests = frames / MESSAGES_A_REQUEST;
  const gigabyteSeconds = seconds * GIGABYTES;
  const dollars =
    requests * PRICES.request +
    rowsRead * PRICES.rowRead +
    rowsWritten * PRICES.rowWritten +
    gigabyteSeconds * PRICES.gigabyteSecond;
  const counts = [frames, requests, rowsRead, rowsWritten].map(spaced);
  return [what, ...counts, spaced(gigabyteSeconds), (dollars * MILLION).toFixed(2)];
}

/** Formats the value for a million, with three significant digits. */
function spaced(ofOne: number): string {
  const rounded = Number((ofOne * MILLION).toPrecision(3));
  return grouped(Math.round(rounded));
}

/** @returns the cost of one call or event, as rows */
export function costRows(costs: readonly Cost[]): Row[] {
  return costs.flatMap(({ what, frames, rowsRead, rowsWritten, seconds }): Row[] => {
    const who = 'this RPC';
    return [
      { what: `${what}: frames sent`, who, value: frames },
      { what: `${what}: rows read`, who, value: rowsRead },
      { what: `${what}: rows written`, who, value: rowsWritten },
      { what: `${what}: time`, who, value: seconds * 1e6, unit: 'µs' },
    ];
  });
}
