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
  /** The name of the object that all clients share. */
  instance: string;
  /** The binding of its class. Default `LEDGER`. */
  binding?: string;
  /** The options of each client that JSON can contain. */
  options: RpcClientOptions;
  /** The number of clients in this process. Default 1. */
  count?: number;
  /** The rhythm of the calls. Default `'mixed'`. */
  rhythm?: Rhythm;
  /** The maximum pause between rounds, in milliseconds. Default 10. */
  pause?: number;
  /** True for naive clients, which repeat lost calls as new calls. */
  naive?: boolean;
  seed: number;
}

/**
 * - `work`: the clients call until `rest`.
 * - `rest`: the clients stop, wait for their last answers, and report.
 * - `once`: each client makes one call, and reports.
 * - `close`: the clients are closed, and report.
 */
export type ClientOrder = 'work' | 'rest' | 'once' | 'close';

export interface ClientReport {
  /** The evidence of all calls since the clients were created. */
  calls: CallEvidence[];
  /** The states of the connections that the clients reported, and how often they did. */
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
