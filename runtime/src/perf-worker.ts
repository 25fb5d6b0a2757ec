/** The performance test's half in the Worker: what `lumenize-rpc/perf` is under the condition `workerd`. */
export { contenderWorker } from './perf/contenders/routes.ts';
export { contenderClasses } from './perf/contenders/worker.ts';
