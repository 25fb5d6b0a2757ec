/** The example of a counter in shards. */
export { Shard } from '../../../examples/shards/src/shard.ts';
export { Total } from '../../../examples/shards/src/total.ts';
export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
