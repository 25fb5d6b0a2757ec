/** The Worker that `npm run perf` measures: one class of the project, once for each way to call it. */
import { contenderClasses } from 'lumenize-rpc/perf';
import { Counter as Measured } from '../src/counter.ts';

/** The names are those of wrangler.jsonc. */
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
  // The class that is measured. Without one, it is a counter that the package brings.
  Measured,
);

export { contenderWorker as default } from 'lumenize-rpc/perf';
