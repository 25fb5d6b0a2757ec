/**
 * The client of one contender, in a process of its own. Its parent (contestant.ts) sends names of workloads. The process
 * runs a round of the workload, checks the answers, and sends the time of a call or an error.
 */
import { readSettings } from '../../harness/child-program.ts';
import { contenderOf } from './peers.ts';
import { counter } from '../../harness/counter-perf.ts';
import { CalledObject } from '../../runtime/src/perf/called-object.ts';
import { runOnce } from '../../runtime/src/perf/measure.ts';
import { inSequence } from '../../runtime/src/perf/workloads.ts';
import { named } from './workloads.ts';

export interface ClientSettings {
  name: string;
  url: string;
}

/** The result of a round: the microseconds and this process's CPU time for a call, or an error. */
export type Told = { perCall: number; cpu: number } | { failure: string };

const WARM_UP = 10;

const { name, url } = readSettings<ClientSettings>();
const contender = contenderOf(name);
const open = () => contender.connect(url, 'apart');
const connection = await open();
const object = new CalledObject(counter);
const warmUp = inSequence('warm-up', WARM_UP, ['increment']);
await runOnce({ workload: warmUp, contender }, connection, object, open);

process.on('message', async (what: string) => {
  const workload = named(what);
  try {
    const before = process.cpuUsage();
    const { perCall } = await runOnce({ workload, contender }, connection, object, open);
    const { user, system } = process.cpuUsage(before);
    tell({ perCall, cpu: (user + system) / workload.calls });
  } catch (error) {
    tell({ failure: (error as Error).message });
  }
});
tell({ perCall: 0, cpu: 0 });

function tell(told: Told): void {
  process.send?.(told);
}
