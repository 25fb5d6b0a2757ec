/**
 * The workloads of contenders that have processes of their own: some workloads of the performance test, a workload in
 * which each caller makes three calls, two workloads with other values, and a workload of a method whose results are
 * declared as plain.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { echo, type PerfConnection, type Workload } from '../../runtime/src/perf/workloads.ts';
import { workloads } from '../../harness/counter-perf.ts';
import {
  BYTES,
  CALLERS,
  FIRST_ANSWER,
  INCREMENTS,
  INCREMENTS_IN_FLIGHT,
  MIXED,
  OBJECT,
  READS,
  RICH_VALUE,
  TYPED_VALUE,
} from '../results/names.ts';
import { RICH, RICH_AS_JSON, TYPED, TYPED_AS_JSON } from './values.ts';

const COUNT = 100;
const CALLS = 3;

/** Each caller begins in its own turn of the event loop, and awaits its calls. */
const callers: Workload = {
  name: CALLERS,
  calls: COUNT * CALLS,
  methods: Array<string>(COUNT * CALLS).fill('increment'),
  async run(counter) {
    const all: Promise<number[]>[] = [];
    for (let caller = 0; caller < COUNT; caller++) {
      all.push(callsOf(counter));
      await nextTurn();
    }
    // The calls may run in any order, but each call has its own answer.
    return (await Promise.all(all)).flat().toSorted((one, other) => one - other);
  },
};

function callsOf(counter: PerfConnection): Promise<number[]> {
  return Array.fromAsync({ length: CALLS }, async () =>
    Number(await counter.call('increment', [])),
  );
}

/** Returns a workload of the performance test. It calls the variant of the method with `plain: true`, if the object has this variant. */
function declaredPlain(name: string): Workload {
  const workload = among(workloads, OBJECT);
  return {
    ...workload,
    name,
    run: (connection, time) => {
      const { echoPlain } = connection;
      return workload.run(echoPlain ? { ...connection, echo: echoPlain } : connection, time, []);
    },
  };
}

const own: readonly Workload[] = [
  callers,
  echo(TYPED_VALUE, 10, TYPED, TYPED_AS_JSON),
  echo(RICH_VALUE, 10, RICH, RICH_AS_JSON),
  declaredPlain('10 KiB object declared plain, there and back'),
];

/** These workloads are measured twice: after few calls of the object, and after thousands of calls. */
export const awaited = [INCREMENTS, READS, MIXED].map(named);

export const others: readonly Workload[] = [
  ...own,
  ...[FIRST_ANSWER, OBJECT, 'Map, Date and cycle (floor: as JSON), there and back', BYTES].map(
    named,
  ),
];

/** Each contender runs this between the two measurements. */
export const aging = named(INCREMENTS_IN_FLIGHT);

/** @throws Error if no workload has this name */
export function named(name: string): Workload {
  return among([...workloads, ...own], name);
}

function among(all: readonly Workload[], name: string): Workload {
  const found = all.find((workload) => workload.name === name);
  if (!found) throw new Error(`${name} is not a workload`);
  return found;
}
