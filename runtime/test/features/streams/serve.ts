/** Serves the worker whose objects have streams. */
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import type { RpcClient } from '../../../src/client.ts';
import { TestWorker } from '../../support/test-worker.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = { DEFAULT: 'Default', RESIDENT: 'Resident', STRICT: 'Strict' } as const;

export const serve = (): Promise<TestWorker<Default, keyof typeof BINDINGS>> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS, { clients: { capabilities } });
