/** Serves the worker whose objects get functions. */
import type { RpcClient } from '../../../src/client.ts';
import { TestWorker } from '../../support/test-worker.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = {
  DEFAULT: 'Default',
  RESIDENT: 'Resident',
  STRICT: 'Strict',
  CHANGED: 'Changed',
} as const;
export type Binding = keyof typeof BINDINGS;

export const serve = (): Promise<TestWorker<Default, Binding>> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS);
