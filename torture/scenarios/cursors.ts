/**
 * Measures the cost of a presence for its object: 50 clients move their cursors, as often as a display has frames. They
 * also make these moves as calls with entries in the journal.
 */
import { Runtime } from '../../harness/runtime.ts';
import { sleep, until } from '../../harness/waiting.mjs';
import {
  createRpcClient,
  presence,
  type PresenceStore,
  type RpcClient,
} from '../../runtime/src/client.ts';
import { median } from '../../runtime/src/perf/measure/statistics.ts';
import { CONFIG } from '../clients/fleet.ts';
import type { Pointers } from '../objects/worker.ts';
import type { Cursor } from '../objects/pointers.ts';
import { Bars, type Context, type Figures, ratioByTurns, type Scenario } from '../scenario.ts';
import { NEVER } from '../subscribers/audience.ts';

const CLIENTS = 50;
/** The milliseconds of a frame of a display. */
const FRAME = 1_000 / 60;
const LONG = { moves: 200, rounds: 5 };
const SHORT = { moves: 20, rounds: 1 };
/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

export const cursors: Scenario = {
  name: 'cursors',
  about: '50 clients move their cursors 10 000 times, and the object then hibernates',
  run: async (context) => {
    await using server = await Runtime.serve({ config: CONFIG });
    const clients = Array.from({ length: CLIENTS }, () => connect(server.url, 'moves'));
    const stores = clients.map((client) => presence(client, (room) => room.cursors()));
    try {
      return [await costs(context, server, clients, stores), await rest(context, clients, stores)];
    } finally {
      for (const client of clients) client.close();
    }
  },
};

type Store = PresenceStore<[at?: Cursor], Cursor>;

async function costs(
  context: Context,
  server: Runtime,
  clients: readonly RpcClient<Pointers>[],
  stores: readonly Store[],
): Promise<Figures> {
  const { moves, rounds } = context.short ? SHORT : LONG;
  const bars = new Bars(context);
  const callers = clients.map(() => connect(server.url, 'calls'));
  const [first] = clients as [RpcClient<Pointers>];
  for (const store of stores) store.subscribe(() => {});
  const costOf = async (act: (client: number, x: number) => unknown): Promise<number> => {
    const before = await server.cpuTime();
    await frames(moves, (x) => clients.forEach((_, client) => void act(client, x)));
    return ((await server.cpuTime()) - before) / (moves * CLIENTS);
  };
  let x = 0;
  const byPresence: number[] = [];
  const byCalls: number[] = [];
  const move = async (): Promise<number> => {
    const from = ++x * 1_000;
    const cost = await costOf((client, step) =>
      stores[client]?.update({ x: from + step, y: client }),
    );
    await until(() => stores.every((store) => isNewest(store, from + moves - 1)));
    byPresence.push(cost);
    return cost;
  };
  const call = async (): Promise<number> => {
    const cost = await costOf((client, step) => callers[client]?.move({ x: step, y: client }));
    await Promise.all(callers.map((caller) => caller.lives()));
    byCalls.push(cost);
    return cost;
  };
  // By now, the code is loaded, and each client has begun.
  await move();
  await call();
  context.note(`${moves * CLIENTS} moves and as many calls, ${rounds} rounds`);
  const rowsBefore = await first.rowsWritten();
  await move();
  bars.atMost(0, 'rows written', (await first.rowsWritten()) - rowsBefore);
  bars.atMost(
    0.6,
    'CPU time of a move, compared with a call',
    await ratioByTurns(rounds, move, call),
  );
  const delays = await delaysOf(stores, moves);
  bars.atMost(2 * FRAME, 'ms until another client has a move', median(delays));
  for (const caller of callers) caller.close();
  await server.check();
  return bars.part(`${moves * CLIENTS} moves of ${CLIENTS} clients`, {
    'µs of CPU for a move': Math.round(median(byPresence) * 1_000),
    'µs of CPU for a call': Math.round(median(byCalls) * 1_000),
    'ms for 95 of 100 moves': Math.round(
      delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.95)] ?? NaN,
    ),
  });
}

/**
 * Runs a function in each frame of a display. A late frame delays the next frame, because two calls of the function in
 * one frame would be cheaper.
 */
async function frames(count: number, act: (frame: number) => void): Promise<void> {
  for (let frame = 0; frame < count; frame++) {
    await sleep(FRAME);
    act(frame);
  }
}

function isNewest({ get }: Store, x: number): boolean {
  const { value } = get();
  return value?.length === CLIENTS - 1 && value.every((one) => one.value.x === x);
}

/** Returns the milliseconds from a move of one client to another client, while all other clients move, too. */
async function delaysOf(stores: readonly Store[], moves: number): Promise<number[]> {
  const [, other] = stores as [Store, Store];
  const delays: number[] = [];
  const sentAt = new Map<number, number>();
  const stop = other.subscribe(({ value = [] }) => {
    const now = performance.now();
    for (const { value: at } of value) {
      const sent = at.y === 0 ? sentAt.get(at.x) : undefined;
      if (sent === undefined) continue;
      delays.push(now - sent);
      sentAt.delete(at.x);
    }
  });
  await frames(moves, (frame) => {
    stores.forEach((store, y) => store.update({ x: 1e6 + frame, y }));
    sentAt.set(1e6 + frame, performance.now());
  });
  await until(() => stores.every((store) => isNewest(store, 1e6 + moves - 1)));
  stop();
  return delays;
}

/** Lets the object hibernate, and checks that all clients then see the same as before. */
async function rest(
  context: Context,
  clients: readonly RpcClient<Pointers>[],
  stores: readonly Store[],
): Promise<Figures> {
  const [first] = clients as [RpcClient<Pointers>];
  const failures: string[] = [];
  const before = await first.lives();
  const known = stores.map(({ get }) => get().value);
  context.note('waiting until the object hibernates');
  let sleeps = 0;
  for (let wait = IDLE; sleeps === 0 && wait < 5 * IDLE; wait *= 2) {
    await sleep(wait);
    sleeps = (await first.lives()) - before;
  }
  if (sleeps === 0) failures.push('the object did not hibernate');
  await sleep(10 * FRAME);
  const told = stores.filter(({ get }, index) => get().value !== known[index]).length;
  if (told > 0) failures.push(`${told} clients received messages when a call had woken the object`);
  stores[0]?.update({ x: -1, y: 0 });
  await until(() =>
    stores.slice(1).every(({ get }) => get().value?.some(({ value }) => value.x === -1)),
  );
  const incomplete = stores.filter(({ get }) => get().value?.length !== CLIENTS - 1).length;
  if (incomplete > 0) failures.push(`${incomplete} clients do not see all others afterwards`);
  return { title: 'sleep afterwards', figures: { sleeps, told, incomplete }, failures };
}

function connect(baseUrl: string, instance: string): RpcClient<Pointers> {
  return createRpcClient<Pointers>('POINTERS', instance, { baseUrl, heartbeat: NEVER });
}
