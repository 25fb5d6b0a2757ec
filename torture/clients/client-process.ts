/** A process with real clients. Orders of its parent (fleet.ts) control it, and it ends with its parent. */
import { readSettings } from '../../harness/child-program.ts';
import { randomNumbers } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient, type RpcClientOptions } from '../../runtime/src/client.ts';
import { Caller, LedgerCaller } from './calls.ts';
import type { CallEvidence } from './evidence.ts';
import { type Rhythm, work } from './load.ts';
import { naiveClient } from './naive-client.ts';
import type { Ledger } from '../objects/worker.ts';

export interface ClientSettings {
  /** Name of the object that all clients share. */
  instance: string;
  /** Binding of its class. Default `LEDGER`. */
  binding?: string;
  /** Options of each client, as far as JSON can contain them. */
  options: RpcClientOptions;
  /** How many clients this process has. Default 1. */
  count?: number;
  /** Default `'mixed'`. */
  rhythm?: Rhythm;
  /** Longest pause between rounds, in milliseconds. Default 10. */
  pause?: number;
  /** Whether the clients are naive: they repeat lost calls as new calls. */
  naive?: boolean;
  seed: number;
}

/**
 * `work`: call until `rest`. `rest`: stop, wait for the last answer, report.
 * `once`: one call of each client, then report. `close`: close the clients, report.
 */
export type ClientOrder = 'work' | 'rest' | 'once' | 'close';

export interface ClientReport {
  /** Evidence of all calls since the clients were created. */
  calls: CallEvidence[];
  /** States of the connections that the clients reported, with the number of times. */
  states: Record<string, number>;
}

const settings = readSettings<ClientSettings>();
const { instance, binding = 'LEDGER', options, naive, seed } = settings;
const { count = 1, rhythm = 'mixed', pause = 10 } = settings;
const random = randomNumbers(seed);
const states: Record<string, number> = {};
const callers = Array.from({ length: count }, newCaller);
let working: Promise<unknown> = Promise.resolve();
let isResting = false;

process.on('message', async (order: ClientOrder) => {
  if (order === 'work') {
    isResting = false;
    working = Promise.all(
      callers.map((caller) => work(caller, rhythm, pause, random, () => isResting)),
    );
    return;
  }
  if (order === 'rest') isResting = true;
  if (order === 'once') working = Promise.all(callers.map((caller) => caller.increment()));
  await working;
  if (order === 'close') for (const caller of callers) caller.close();
  const calls = callers.flatMap((caller) => caller.calls);
  process.send?.({ calls, states } satisfies ClientReport);
});

function newCaller(): Caller {
  if (naive) return new Caller(naiveClient(instance, options));
  const onStateChange = (state: string): void => {
    states[state] = (states[state] ?? 0) + 1;
  };
  const ledger = createRpcClient<Ledger>(binding, instance, { ...options, onStateChange });
  const newVisitor = (): typeof ledger =>
    createRpcClient<Ledger>(binding, instance, { ...options, transport: 'http' });
  return new LedgerCaller(ledger, newVisitor);
}
