/** The Worker that `npm run perf` measures: one class of the project, once for each way to call it. */
import { contenderClasses } from 'lumenize-rpc/perf';
import { Counter as Measured } from '../src/counter.ts';

/** wrangler.jsonc in this folder declares these names. */
export const {
  Counter,
  AwakeCounter,
  UnjournaledCounter,
  ManualCounter,
  CapnwebCounter,
  PlainFloor,
  HibernatingFloor,
  PostFloor,
} = contenderClasses(
  // The class to measure. Without an argument, a counter of the package is measured.
  Measured,
);

export { contenderWorker as default } from 'lumenize-rpc/perf';
