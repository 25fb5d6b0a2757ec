/** Silences of connections without any signal; shared by the scenarios that have them. */
import type { Direction } from '../harness/network-proxy.ts';
import { until } from '../harness/waiting.mjs';
import { now } from './calls.ts';
import type { Victim } from './fleet.ts';

/** Directions of black holes, in turn. */
const DIRECTIONS: readonly Direction[][] = [['up', 'down'], ['down'], ['up']];

/** Options with which clients detect a silence within a run; in the long form closer to the defaults. */
export function watchfulness(short: boolean): { heartbeat: number; connectTimeout: number } {
  return short
    ? { heartbeat: 300, connectTimeout: 600 }
    : { heartbeat: 2_000, connectTimeout: 2_000 };
}

/** A black hole until every client has tried a new connection. Then all held data arrives. */
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

/** Resets one side of each connection without a signal to the other. Resolves when all have reconnected. */
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
