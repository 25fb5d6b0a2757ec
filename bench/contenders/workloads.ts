/**
 * The workloads of contenders that are measured apart: some of the performance test, one in which each caller makes
 * three calls, two with other values, and one of a method whose results are declared as plain.
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

/** Each caller awaits its calls, and begins in a turn of the event loop of its own. */
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
    // The order of the calls is open, but each call has an answer of its own.
    return (await Promise.all(all)).flat().toSorted((one, other) => one - other);
  },
};

function callsOf(counter: PerfConnection): Promise<number[]> {
  return Array.fromAsync({ length: CALLS }, async () =>
    Number(await counter.call('increment', [])),
  );
}

/** Returns a workload of the performance test, by the method with `plain: true` where there is one. */
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

/** Measured twice: with an object that has run few calls, and again after thousands of calls. */
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
  if (!found) throw new Error(`There is no workload ${name}`);
  return found;
}
