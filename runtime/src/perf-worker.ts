/** The performance test's half in the Worker: what `lumenize-rpc/perf` is under the condition `workerd`. */
export { contenderClasses, contenderWorker } from './perf/contenders/worker.ts';
