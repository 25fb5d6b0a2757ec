/** Serves the worker with objects that have each feature. */
import { TestWorker } from '../../support/test-worker.ts';
import type { All } from './worker.ts';

export const serve = (): Promise<TestWorker<All, 'ALL'>> =>
  TestWorker.forTests(import.meta.dirname, { ALL: 'All' });
