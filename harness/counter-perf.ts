/** The performance test of the template's counter, with the runtime's sources: its contenders, and its workloads. */
import * as capnweb from 'capnweb';
import type { CheckAnswer, MeasuredMethods } from '../runtime/src/perf/called-object.ts';
import { contendersFor } from '../runtime/src/perf/contenders.ts';
import { exchanges, standardWorkloads, type Workload } from '../runtime/src/perf/workloads.ts';

export const contenders = contendersFor(capnweb);

export const workloads: readonly Workload[] = [
  ...standardWorkloads({ increments: 'increment', reads: 'getValue' }),
  ...exchanges,
];

/** The calls of a counter: increments by one, and reads. The check counts the increments. */
export const counter = {
  check(): CheckAnswer {
    let value = 0;
    return ({ method, answer }) => answer === (method === 'increment' ? ++value : value);
  },
} satisfies MeasuredMethods;
