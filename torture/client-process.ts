/**
 * A process with real clients, driven by messages of its parent (clients.ts) and gone with it.
 * Imports load, naive-client, the template's client and statistics.
 */
import { randomNumbers } from '../template/perf/statistics.ts';
import type { Counter } from '../template/src/counter.ts';
import { createRpcClient, type RpcClientOptions } from '../template/src/rpc/client.ts';
import {
  emptyEvidence,
  type Evidence,
  type Incrementer,
  incrementOnce,
  type Rhythm,
  work,
} from './load.ts';
import { naiveClient } from './naive-client.ts';

export interface ClientSettings {
  /** The counter that the clients share with all others. */
  instance: string;
  /** For each client; what can be written as JSON. */
  options: RpcClientOptions;
  /** How many clients this process has. Default 1. */
  count?: number;
  /** Default `'mixed'`. */
  rhythm?: Rhythm;
  /** Between rounds, at most, in milliseconds. Default 10. */
  pause?: number;
  /** Whether the clients call again what was lost, and hope. */
  naive?: boolean;
  seed: number;
}

/**
 * `work`: call until `rest`. `rest`: stop, wait for the last answer, report.
 * `once`: one call of each client, then report. `close`: close the clients, report.
 */
export type ClientOrder = 'work' | 'rest' | 'once' | 'close';

export interface ClientReport extends Evidence {
  /** What the clients told of their connections, and how often. */
  states: Record<string, number>;
}

type Client = Incrementer & { close(): void };

const settings = JSON.parse(process.argv[2] ?? '') as ClientSettings;
const { instance, options, count = 1, rhythm = 'mixed', pause = 10, naive, seed } = settings;
const random = randomNumbers(seed);
const evidence = emptyEvidence();
const states: Record<string, number> = {};
const clients = Array.from({ length: count }, newClient);
let working: Promise<unknown> = Promise.resolve();
let isResting = false;

process.once('disconnect', () => process.exit());
process.on('message', async (order: ClientOrder) => {
  if (order === 'work') {
    isResting = false;
    working = Promise.all(
      clients.map((client) => work(client, evidence, rhythm, pause, random, () => isResting)),
    );
    return;
  }
  if (order === 'rest') isResting = true;
  if (order === 'once') working = Promise.all(clients.map((c) => incrementOnce(c, evidence)));
  await working;
  if (order === 'close') for (const client of clients) client.close();
  process.send?.({ ...evidence, states } satisfies ClientReport);
});

function newClient(): Client {
  if (naive) return naiveClient(instance, options);
  const onStateChange = (state: string): void => {
    states[state] = (states[state] ?? 0) + 1;
  };
  const reporting = { ...options, onStateChange };
  return createRpcClient<Counter>('COUNTER', instance, reporting);
}
