/**
 * The entry point for the Worker of the performance test. `lumenize-rpc/perf` resolves to it under the condition
 * `workerd`.
 */
export { contenderWorker } from './perf/contenders/routes.ts';
export { contenderClasses } from './perf/contenders/worker.ts';
