/**
 * Measures the memory of a connection in the runtime: many connections to one object, with each contender in a runtime
 * of its own.
 */
import { setTimeout } from 'node:timers/promises';
import { Runtime } from '../../harness/runtime.ts';
import type { Contender } from '../../runtime/src/perf/contenders.ts';
import type { CounterConnection } from '../../runtime/src/perf/workloads.ts';

/** KiB for each connection, beyond the memory of the runtime with one connection. */
interface MemoryUse {
  connections: number;
  /** After a time without calls that is long enough for an object to hibernate. */
  idle: number;
  /** After each connection has just made a call. */
  woken: number;
}

export interface Memory {
  contender: string;
  compression: boolean;
  uses: MemoryUse[];
  /** KiB for each connection after all have been closed, divided by the largest number of connections. */
  closed: number;
}

export interface MemoryOptions {
  config: string;
  compression: boolean;
  counts: readonly number[];
  /** Time without calls, in milliseconds. workerd lets an idle object hibernate after ten seconds. */
  idle: number;
}

const AT_ONCE = 50;

/** @throws Error if a call fails, or if the system does not report the memory of a process */
export async function measureMemory(
  contender: Contender,
  { config, compression, counts, idle }: MemoryOptions,
): Promise<Memory> {
  const runtime = await Runtime.serve({ config, webSocketCompression: compression });
  const connections: CounterConnection[] = [];
  try {
    const open = () => contender.connect(runtime.url, 'crowd');
    // The figures do not include the object itself, and memory that the runtime allocates only once.
    const first = await open();
    await first.getValue();
    const before = await runtime.memory();
    if (before === 0) throw new Error('This system does not tell the memory of a process');
    const perConnection = async (count: number) =>
      ((await runtime.memory()) - before) / 1024 / count;
    const uses: MemoryUse[] = [];
    for (const count of counts) {
      while (connections.length < count) {
        const length = Math.min(AT_ONCE, count - connections.length);
        connections.push(...(await Promise.all(Array.from({ length }, open))));
        await callAll(connections.slice(-length));
      }
      await setTimeout(idle);
      const use = { connections: count, idle: await perConnection(count), woken: 0 };
      await callAll(connections);
      use.woken = await perConnection(count);
      uses.push(use);
    }
    for (const connection of connections) connection.close();
    await setTimeout(idle);
    const closed = await perConnection(connections.length);
    first.close();
    return { contender: contender.name, compression, uses, closed };
  } finally {
    await runtime.stop();
  }
}

async function callAll(connections: readonly CounterConnection[]): Promise<void> {
  await Promise.all(connections.map((connection) => connection.increment()));
}
