/** Measures the cost of a feed for its object: memory for a subscriber that never reads, and rows written. */
import { Proxy } from '../../harness/network-proxy.ts';
import { Runtime } from '../../harness/runtime.ts';
import { sleep, until } from '../../harness/waiting.mjs';
import { median } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient, type RpcClient } from '../../runtime/src/client.ts';
import { subscribe } from '../../runtime/src/features/subscriptions/client/subscribe.ts';
import { Bars, type Context, type Figures } from '../scenario.ts';
import { CONFIG } from '../clients/fleet.ts';
import { NEVER } from '../subscribers/audience.ts';
import type { Announcer } from '../objects/worker.ts';

const LONG = { events: 100_000, rounds: 3, changes: 1_000 };
const SHORT = { events: 3_000, rounds: 1, changes: 50 };

/** The number of appends in one call. */
const BATCH = 300;
/** The characters of an event, of which two are its quotes. */
const LARGE = 1_000;
const SMALL = 30;

/** The time for the runtime to finish its work, in milliseconds. */
const SETTLE = 1_000;

/** The maximum growth of the runtime for a subscriber that never reads, in bytes. */
const MOST_MEMORY = 5 * 2 ** 20;
/** The maximum number of rows written by 1 000 appends: one page for each, and sometimes the deletion of the oldest page. */
const MOST_ROWS = 1_020;

export async function feedCosts(context: Context): Promise<Figures[]> {
  return [await memory(context), await rows(context)];
}

/** Measures in new runtimes, in turns, because an allocator does not return its memory. */
async function memory(context: Context): Promise<Figures> {
  const { events, rounds } = context.short ? SHORT : LONG;
  const bars = new Bars(context);
  const listened: number[] = [];
  const alone: number[] = [];
  for (let left = rounds; left > 0; left--) {
    context.note(`${events} events to a subscriber that never reads: ${left} rounds to go`);
    listened.push(await growth(events, true));
    alone.push(await growth(events, false));
  }
  const beyond = listened.map((bytes, index) => bytes - (alone[index] as number));
  const megabytes = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10;
  bars.atMost(
    megabytes(MOST_MEMORY),
    'MB of growth more than without a subscriber',
    megabytes(median(beyond)),
  );
  return bars.part(`a subscriber that does not read ${events} events of ${LARGE} characters`, {
    'MB of growth': listened.map(megabytes).join(', '),
    'without a subscriber': alone.map(megabytes).join(', '),
  });
}

/** @returns the growth of the runtime's memory in bytes */
async function growth(events: number, isListenedTo: boolean): Promise<number> {
  await using server = await Runtime.serve({ config: CONFIG, inspected: true });
  const proxy = await new Proxy(server.port).listen();
  using writer = connect(server.url);
  using reader = connect(proxy.url);
  try {
    // The first events load the code, so later growth is not due to the code.
    await fill(writer, 10 * BATCH, LARGE);
    if (isListenedTo) {
      const bulk = subscribe(reader).bulk();
      void follow(bulk);
      await until(() => bulk.cursor !== undefined);
      proxy.silence('down');
    }
    const before = await residentOf(server);
    await fill(writer, events, LARGE);
    const after = await residentOf(server);
    await server.check();
    return after - before;
  } finally {
    proxy.close();
  }
}

async function rows(context: Context): Promise<Figures> {
  const { events, changes } = context.short ? SHORT : LONG;
  const bars = new Bars(context);
  await using server = await Runtime.serve({ config: CONFIG });
  using writer = connect(server.url);
  using reader = connect(server.url);
  // The feed is filled until its oldest events have to be deleted.
  await fill(writer, 4 * BATCH, SMALL);
  const written = await fill(writer, events, SMALL);
  bars.atMost(MOST_ROWS, 'rows for 1 000 appends', (written / events) * 1_000);
  const alone = await rowsOf(writer, changes);
  const values = subscribe(reader).counted();
  let heard = 0;
  void follow(values, (value) => (heard = value));
  await until(() => heard > 0);
  const listened = await rowsOf(writer, changes);
  await until(() => heard === 2 * changes);
  bars.atMost(0, 'more rows for a live value', (listened - alone) / changes);
  return bars.part(`rows written for ${events} events of ${SMALL} characters`, {
    'live values': changes,
  });
}

/** @returns the number of rows written */
async function fill(writer: RpcClient<Announcer>, events: number, size: number): Promise<number> {
  let written = 0;
  for (let left = events; left > 0; left -= BATCH) {
    written += await writer.fill(Math.min(left, BATCH), size - 2);
  }
  return written;
}

async function rowsOf(writer: RpcClient<Announcer>, changes: number): Promise<number> {
  const before = await writer.rowsWritten();
  for (let left = changes; left > 0; left--) await writer.count();
  return (await writer.rowsWritten()) - before;
}

async function follow<Value>(
  values: AsyncIterable<Value>,
  take: (value: Value) => void = () => {},
): Promise<void> {
  try {
    for await (const value of values) take(value);
  } catch (error) {
    if ((error as { code?: string }).code !== 'CLOSED') throw error;
  }
}

async function residentOf(server: Runtime): Promise<number> {
  await sleep(SETTLE);
  await server.collectGarbage();
  await sleep(SETTLE);
  return server.memory();
}

function connect(baseUrl: string): RpcClient<Announcer> {
  return createRpcClient<Announcer>('ANNOUNCER', 'costs', { baseUrl, heartbeat: NEVER });
}
