/** Serves the counted objects. */
import { TestWorker } from '../../../support/test-worker.ts';
import type { Counted } from './worker.ts';

const BINDINGS = { COUNTED: 'Counted' } as const;

export const serve = (): Promise<TestWorker<Counted, keyof typeof BINDINGS>> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS);
