/**
 * The workloads of contenders that are measured apart: some of the performance test, one in which each caller makes
 * three calls, two with other values, and one of a method whose results are declared as plain.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CounterConnection, Workload } from '../../runtime/src/perf/workloads.ts';
import { workloads } from '../../harness/counter-perf.ts';
import { echo } from '../../runtime/src/perf/workloads.ts';
import { RICH, RICH_AS_JSON, TYPED, TYPED_AS_JSON } from './values.ts';

const CALLERS = 100;
const CALLS = 3;

/** Each caller awaits its calls, and begins in a turn of the event loop of its own. */
const callers: Workload = {
  name: '100 callers, 3 increments each',
  calls: CALLERS * CALLS,
  increments: CALLERS * CALLS,
  async run(counter) {
    const all: Promise<number[]>[] = [];
    for (let caller = 0; caller < CALLERS; caller++) {
      all.push(callsOf(counter));
      await nextTurn();
    }
    // The order of the calls is open, but each call has an answer of its own.
    return (await Promise.all(all)).flat().toSorted((one, other) => one - other);
  },
  expect: (value) => Array.from({ length: CALLERS * CALLS }, (_, index) => value + index + 1),
};

function callsOf(counter: CounterConnection): Promise<number[]> {
  return Array.fromAsync({ length: CALLS }, () => counter.increment());
}

const PLAIN = '10 KiB object, there and back';

/** A workload of the performance test, by the method with `plain: true` where there is one. */
function declaredPlain(name: string): Workload {
  const workload = among(workloads, PLAIN);
  return {
    ...workload,
    name,
    run: (counter, time) => {
      const { echoPlain } = counter;
      return workload.run(echoPlain ? { ...counter, echo: echoPlain } : counter, time);
    },
  };
}

const own: readonly Workload[] = [
  callers,
  echo('typed value of 2.5 kB (floor: as JSON), there and back', 10, TYPED, TYPED_AS_JSON),
  echo('rich value of 2 kB (floor: as JSON), there and back', 10, RICH, RICH_AS_JSON),
  declaredPlain('10 KiB object declared plain, there and back'),
];

/** Measured twice: with an object that has run few calls, and again after thousands of calls. */
export const awaited = ['100 increments', '100 reads', '50 mixed pairs'].map(named);

export const others: readonly Workload[] = [
  ...own,
  ...[
    'first answer on a fresh connection',
    PLAIN,
    'Map, Date and cycle (floor: as JSON), there and back',
    '1 MiB of bytes, there and back',
  ].map(named),
];

/** Each contender runs this between the two measurements. */
export const aging = named('1000 increments in flight');

/** @throws Error if no workload has this name */
export function named(name: string): Workload {
  return among([...workloads, ...own], name);
}

function among(all: readonly Workload[], name: string): Workload {
  const found = all.find((workload) => workload.name === name);
  if (!found) throw new Error(`There is no workload ${name}`);
  return found;
}
