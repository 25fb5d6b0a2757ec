/** A class of counters. The Worker has many of them. */
import * as Type from '../../../runtime/src/typebox.ts';
import { lumenizeRpcDO, read } from '../../../runtime/src/server.ts';
import { CounterImpl } from '../../../template/src/counter.ts';

export const Shard = lumenizeRpcDO(CounterImpl, {
  increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }))],
  getValue: read(),
});
export type Shard = InstanceType<typeof Shard>;

export { contenderWorker as default } from '../../../runtime/src/perf/contenders/routes.ts';
