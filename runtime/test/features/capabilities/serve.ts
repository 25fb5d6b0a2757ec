/** Serves the worker whose objects return capabilities. */
import type { RpcClient } from '../../../src/client.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { TestWorker } from '../../support/test-worker.ts';
import type { Bank } from './bank.ts';

export type Client = RpcClient<Bank>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = {
  BANK: 'Bank',
  RESIDENT: 'Resident',
  UNJOURNALED: 'Unjournaled',
  SCRUBBING: 'Scrubbing',
} as const;
export type Binding = keyof typeof BINDINGS;

export const serve = (): Promise<TestWorker<Bank, Binding>> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS, { clients: { capabilities } });
