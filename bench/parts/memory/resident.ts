/**
 * Measures the memory of a connection in the runtime: many connections to one object, with each contender in a runtime
 * of its own.
 */
import { sleep } from '../../../harness/waiting.mjs';
import type { Contender } from '../../../runtime/src/perf/contenders.ts';
import type { CounterConnection } from '../../../runtime/src/perf/workloads.ts';
import { contenders } from '../../contenders/peers.ts';
import { serveContenders } from '../../contenders/serve.ts';
import { NOT_TOLD, tellsProcesses } from '../../../harness/machine.ts';
import { connections as connectionsIn, THIS_RPC } from '../../results/names.ts';
import type { PartOptions } from '../../part.ts';
import type { Row } from '../../results/rows.ts';

interface MemoryOptions {
  counts: readonly number[];
  /** Time without calls, in milliseconds. workerd lets an idle object hibernate after ten seconds. */
  idle: number;
}

const AT_ONCE = 50;

/** The contenders that differ in what they hold. */
const OURS = /^(?!.*(own fetch|no journal))/;

/**
 * Measures all contenders at the same time, because the memory of a runtime does not depend on its speed.
 *
 * @throws Error if a call fails
 */
export async function measureMemory({ isQuick }: PartOptions): Promise<Row[]> {
  const some = contenders.filter(
    ({ name, isConnectionless }) =>
      !isConnectionless && (isQuick ? name === THIS_RPC : OURS.test(name)),
  );
  const options = isQuick ? { counts: [5, 10], idle: 0 } : { counts: [500, 1000], idle: 13_000 };
  if (!tellsProcesses)
    return [{ what: 'memory of each connection', who: THIS_RPC, note: NOT_TOLD }];
  const rows: Row[] = [];
  for (const isCompressed of [false, true]) {
    const all = some.map((one) => memoryOf(one, isCompressed, options));
    rows.push(...(await Promise.all(all)).flat());
  }
  return rows;
}

async function memoryOf(
  { name: who, connect }: Contender,
  isCompressed: boolean,
  { counts, idle }: MemoryOptions,
): Promise<Row[]> {
  await using runtime = await serveContenders({ webSocketCompression: isCompressed });
  const connections: CounterConnection[] = [];
  const open = () => connect(runtime.url, 'crowd');
  // The figures do not include the object itself, and memory that the runtime allocates only once.
  const first = await open();
  await first.getValue();
  const before = await runtime.memory();
  const rows: Row[] = [];
  const record = async (what: string): Promise<void> => {
    const value = ((await runtime.memory()) - before) / 1024 / connections.length;
    rows.push({ what, who, value, unit: 'KiB' });
  };
  for (const count of counts) {
    while (connections.length < count) {
      const length = Math.min(AT_ONCE, count - connections.length);
      connections.push(...(await Promise.all(Array.from({ length }, open))));
      await callAll(connections.slice(-length));
    }
    await sleep(idle);
    await record(connectionsIn(count, 'idle', isCompressed));
    await callAll(connections);
    await record(connectionsIn(count, 'woken', isCompressed));
  }
  for (const connection of connections) connection.close();
  await sleep(idle);
  await record(connectionsIn(connections.length, 'closed', isCompressed));
  first.close();
  return rows;
}

async function callAll(connections: readonly CounterConnection[]): Promise<void> {
  await Promise.all(connections.map((connection) => connection.increment()));
}
