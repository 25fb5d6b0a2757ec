/**
 * The client of one contender, in a process of its own: `node client.ts <contender> <url>`. For each name of a
 * workload that it receives, it runs a round and checks the answers. It sends the time of a call, or an error.
 */
import { contenders } from '../../harness/counter-perf.ts';
import { runOnce } from '../../runtime/src/perf/measure.ts';
import { named } from './workloads.ts';

/** The result of a round: microseconds for a call, or an error. */
export type Told = { perCall: number } | { failure: string };

const WARM_UP = 10;

const [, , name, url = ''] = process.argv;
const contender = contenders.find((one) => one.name === name);
if (!contender) throw new Error(`There is no contender ${name}`);
const open = () => contender.connect(url, 'apart');
const counter = await open();
for (let call = 0; call < WARM_UP; call++) await counter.increment();

process.on('disconnect', () => process.exit());
process.on('message', async (workload: string) => {
  try {
    const { perCall } = await runOnce({ workload: named(workload), contender }, counter, open);
    tell({ perCall });
  } catch (error) {
    tell({ failure: (error as Error).message });
  }
});
tell({ perCall: 0 });

function tell(told: Told): void {
  process.send?.(told);
}
