/** The entry point for the performance test, in Node. Under the condition `workerd`, perf-worker.ts takes its place. */
export { contenderClasses, contenderWorker } from './perf/contenders/outside-worker.ts';
export type { ContenderClasses, ContenderWorker } from './perf/contenders/classes.ts';
export { type PerfOptions, runPerf } from './perf/run.ts';
export type { AddedMethods } from './perf/contenders/measured-class.ts';
export type { Samples } from './perf/samples.ts';
export { samples } from './perf/samples.ts';
export type {
  AnsweredCall,
  CheckAnswer,
  MeasuredMethods,
  PreparedCall,
} from './perf/called-object.ts';
export {
  bookings,
  callers,
  echo,
  events,
  exchanges,
  fresh,
  inFlight,
  inSequence,
  type PerfConnection,
  standardWorkloads,
  type Workload,
  type WorkloadOptions,
} from './perf/workloads.ts';
export type { Feed, FeedEvent, FeedPage, FeedReadOptions } from './features/feeds/feature.ts';
export type { ContractOptions, Featured, HasEvents, Limits } from './server.ts';
