/** Puts an open load on the object of one contender after another. */
import { instanceName, type MeasuredMethods } from '../called-object.ts';
import type { Contender } from '../contenders.ts';
import { type Load, measureLoad } from '../load.ts';
import { messageOf, named } from '../measure.ts';
import type { LoadReport, LoadResult } from '../report/load.ts';
import type { PerfConnection } from '../workloads.ts';
import { cpuTimeOf } from './cpu-time.ts';
import { showProgress } from './progress.ts';
import type { RuntimeDetails } from './runtime.ts';

type LoadedRuntime = Pick<RuntimeDetails, 'url' | 'pid'>;

/**
 * The number of exchanges of each connection before the load. They open the connection, and let both ends compile their
 * code.
 */
const WARM_UP = 20;

/**
 * Measures the contenders that keep a connection open.
 *
 * @param runtime - the address of the runtime, and its process id if that is known
 * @throws Error that names the contender, if one of this project's RPC cannot be connected or answers wrongly. A floor or
 *   a rival is left out instead.
 */
export async function measureLoads(
  runtime: LoadedRuntime,
  contenders: readonly Contender[],
  load: Load,
  measured: MeasuredMethods,
): Promise<Pick<LoadReport, 'results' | 'leftOut'>> {
  const results: LoadResult[] = [];
  const leftOut: LoadReport['leftOut'] = [];
  for (const contender of contenders.filter(({ isConnectionless }) => !isConnectionless)) {
    showProgress(`${load.seconds} s of load on ${contender.name}`);
    try {
      results.push(await measureOne(runtime, contender, load, measured));
    } catch (error) {
      if (contender.role === undefined) throw named(contender, error);
      leftOut.push({ contender: contender.name, reason: messageOf(error) });
    }
  }
  return { results, leftOut };
}

async function measureOne(
  { url, pid }: LoadedRuntime,
  { name, connect }: Contender,
  load: Load,
  measured: MeasuredMethods,
): Promise<LoadResult> {
  const object = instanceName('load', measured);
  const connections: PerfConnection[] = [];
  try {
    for (let client = 0; client < load.clients; client++) {
      connections.push(await connect(url, object));
    }
    await Promise.all(
      connections.map(async (connection) => {
        for (let exchange = 0; exchange < WARM_UP; exchange++) await connection.echo?.(exchange);
      }),
    );
    const used = (): number | undefined => (pid === undefined ? undefined : cpuTimeOf(pid));
    const before = used();
    const figures = await measureLoad(connections, load, measured);
    const after = used();
    const cpu = before === undefined || after === undefined ? undefined : after - before;
    return { contender: name, ...figures, cpu };
  } finally {
    for (const connection of connections) connection.close();
  }
}
