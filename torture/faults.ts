/** The faults of networks and machines that several scenarios cause: cuts, silences and kills. */
import type { Direction, Proxy } from '../harness/network-proxy.ts';
import type { Runtime } from '../harness/runtime.ts';
import { PATIENCE, sleep, until } from '../harness/waiting.mjs';
import { now } from './clients/evidence.ts';
import type { Context } from './scenario.ts';

/** The clients that a fault affects: all clients behind a proxy. */
export interface Victim {
  proxy: Proxy;
  /** The times of faults, on the clock of `now()`. */
  faults: number[];
  /** The maximum number of sent bytes before a cut, for clients that send little. */
  upMost?: number;
}

/**
 * The maximum number of bytes before a cut. A frame of one call has some tens of bytes, and a burst has some hundreds.
 * Before some cuts more bytes pass, because otherwise no frame with a large value would ever arrive.
 */
const MAX_BYTES = 1_500;
const MANY_BYTES = 60_000;
/** The maximum time between two cuts of a lane, in milliseconds. */
const MAX_BREATH = 300;

export interface Cuts {
  count: number;
  /** The number of lanes that could not be cut, because they had no more traffic. */
  stuck: number;
}

/**
 * Cuts every lane again and again, at random places, in both directions and with both endings. The next cut of
 * a lane needs traffic, so each cut proves that the client has reconnected.
 *
 * @param total - the number of cuts of all lanes together
 */
export async function cutLanes(
  lanes: readonly Victim[],
  total: number,
  random: () => number,
  note: (left: number) => void,
): Promise<Cuts> {
  const cuts = { count: 0, stuck: 0 };
  let left = total;
  await Promise.all(
    lanes.map(async (lane) => {
      while (left > 0) {
        note(left--);
        if (!(await cutOnce(lane, random))) {
          cuts.stuck++;
          return;
        }
        cuts.count++;
        await sleep(random() * MAX_BREATH);
      }
    }),
  );
  return cuts;
}

/** @returns true if there was traffic to cut */
async function cutOnce(
  { proxy, faults, upMost = Infinity }: Victim,
  random: () => number,
): Promise<boolean> {
  const direction = random() < 0.5 ? 'up' : 'down';
  const most = random() < 0.7 ? MAX_BYTES : MANY_BYTES;
  const bytes = Math.floor(random() ** 2 * (direction === 'up' ? Math.min(most, upMost) : most));
  const patience = new AbortController();
  const isCut = await Promise.race([
    proxy.cutAfter(bytes, direction, random() < 0.5 ? 'reset' : 'close').then(() => true),
    sleep(PATIENCE, patience.signal).then(() => false),
  ]);
  patience.abort();
  if (isCut) faults.push(now());
  return isCut;
}

/** The directions of black holes, in turn. */
const DIRECTIONS: readonly Direction[][] = [['up', 'down'], ['down'], ['up']];

/** Returns options with which clients detect a silence within a run. In the long form, they are closer to the defaults. */
export function watchfulness(short: boolean): { heartbeat: number; connectTimeout: number } {
  return short
    ? { heartbeat: 300, connectTimeout: 600 }
    : { heartbeat: 2_000, connectTimeout: 2_000 };
}

/** Makes a black hole until every client has tried a new connection. Then all held data arrives. */
export async function blackHole(victims: readonly Victim[], round: number): Promise<void> {
  const directions = DIRECTIONS[round % DIRECTIONS.length] ?? [];
  await allReconnect(victims, () => {
    for (const { proxy } of victims) proxy.silence(...directions);
  });
  for (const { proxy, faults } of victims) {
    proxy.resume();
    faults.push(now());
  }
}

/** Resets one side of each connection without a signal to the other. Resolves when all clients have reconnected. */
export async function halfOpen(victims: readonly Victim[], round: number): Promise<void> {
  await allReconnect(victims, () => {
    for (const { proxy, faults } of victims) {
      faults.push(now());
      proxy.forget(round % 2 ? 'client' : 'upstream');
    }
  });
}

async function allReconnect(victims: readonly Victim[], hurt: () => void): Promise<void> {
  const before = victims.map(({ proxy }) => proxy.connections);
  hurt();
  await until(() => victims.every(({ proxy }, i) => proxy.connections > (before[i] as number)));
}

/**
 * Kills the runtime again and again at random moments, and starts it on the same storage.
 *
 * @param maxLife - the maximum time between a start and the next kill, in milliseconds
 */
export async function killAgain(
  server: Runtime,
  victims: readonly Victim[],
  { total, maxLife }: { total: number; maxLife: number },
  random: () => number,
  note: (left: number) => void,
): Promise<void> {
  for (let left = total; left > 0; left--) {
    note(left);
    // Most lives are long enough to work in. Some end while the clients are still reconnecting.
    await sleep(random() * (random() < 0.75 ? maxLife : maxLife / 10));
    for (const { faults } of victims) faults.push(now());
    await killOnce(server, random);
  }
}

/** The maximum time that the runtime is down, in milliseconds. */
const DOWN = 200;

export async function killOnce(server: Runtime, random: () => number): Promise<void> {
  await server.kill();
  await sleep(random() * DOWN);
  await server.start();
}

/**
 * Cuts connections and kills the runtime at the same time, until both have happened the requested number of times.
 *
 * @param cut - the clients whose connections are cut
 * @param killed - the clients that are affected by a kill
 * @param cuts - the number of cuts of all clients together
 */
export async function cutAndKill(
  server: Runtime,
  cut: readonly Victim[],
  killed: readonly Victim[],
  cuts: number,
  { short, random, note }: Context,
): Promise<Cuts> {
  const kills = short ? { total: 3, maxLife: 1_000 } : { total: 20, maxLife: 2_500 };
  const [made] = await Promise.all([
    cutLanes(cut, cuts, random, (left) => note(`${left} cuts to go`)),
    killAgain(server, killed, kills, random, () => {}),
  ]);
  return made;
}
