/** Serves the Worker with the objects that tests of the core call. */
import type { RpcClient } from '../../src/client.ts';
import { TestWorker } from '../support/test-worker.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = {
  DEFAULT: 'Default',
  UNJOURNALED: 'Unjournaled',
  RESIDENT: 'Resident',
  OWN_AUTO_RESPONSE: 'OwnAutoResponse',
  SMALL: 'Small',
  RATED: 'Rated',
  STRICT: 'Strict',
  PLAIN: 'Plain',
  PAIR: 'Pair',
  RESIDENT_PAIR: 'ResidentPair',
} as const;
export type Binding = keyof typeof BINDINGS;

export const serve = (): Promise<TestWorker<Default, Binding>> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS);
