/** Serves the worker whose objects get streams. */
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import type { RpcClient } from '../../../src/client.ts';
import { TestWorker } from '../../support/test-worker.ts';
import type { Default } from './worker.ts';

export type Client = RpcClient<Default>;

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = {
  DEFAULT: 'Default',
  RESIDENT: 'Resident',
  UNJOURNALED: 'Unjournaled',
  STRICT: 'Strict',
} as const;

/** @param inject - the files that run before the worker */
export const serve = (inject: string[] = []): Promise<TestWorker<Default, keyof typeof BINDINGS>> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS, { inject, clients: { capabilities } });
