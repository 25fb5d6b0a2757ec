/** Replaces, in Node, the part of the performance test that runs in the Worker. All its functions throw. */
import type { ContenderWorker } from './classes.ts';
import type * as worker from './worker.ts';

const MESSAGE =
  'contenderClasses and contenderWorker are for perf/worker.ts, which wrangler bundles with the condition "workerd"';

export const contenderClasses: typeof worker.contenderClasses = () => {
  throw new Error(MESSAGE);
};

export const contenderWorker: ContenderWorker = {
  fetch: () => Promise.reject(new Error(MESSAGE)),
};
